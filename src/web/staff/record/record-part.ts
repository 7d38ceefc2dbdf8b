import type { AboutMember, MemberNote, MemberTag } from '../../../contract/staff/member-record.ts';

/** What each card of the record is given. */
export interface RecordPart {
  customerId: string;
  record: { notes: MemberNote[]; tags: MemberTag[]; all_tags: MemberTag[]; about: AboutMember };
  /** Does a change and loads the record again; false if it failed, which it says itself. */
  act: (failure: string, work: () => Promise<unknown>) => Promise<boolean>;
  /** The signed-in staff member may change it. */
  manages: boolean;
}

import type { AboutMember, MemberNote, MemberTag } from '../../../contract/staff/member-record.ts';

/** The props of each card of the record. */
export interface RecordPart {
  customerId: string;
  record: { notes: MemberNote[]; tags: MemberTag[]; all_tags: MemberTag[]; about: AboutMember };
  /** Makes a change and reloads the record; false if it failed, which is then shown already. */
  act: (failure: string, work: () => Promise<unknown>) => Promise<boolean>;
  /** The signed-in staff member may change it. */
  manages: boolean;
}

import type { AboutMember, MemberNote, MemberTag } from '../../../contract/staff/member-record.ts';

/** The props shared by the cards of the record. */
export interface RecordPart {
  customerId: string;
  record: { notes: MemberNote[]; tags: MemberTag[]; all_tags: MemberTag[]; about: AboutMember };
  /** Makes a change and reloads the record; false after a failure, which has been shown. */
  act: (failure: string, work: () => Promise<unknown>) => Promise<boolean>;
  /** The signed-in staff member may make changes. */
  manages: boolean;
}

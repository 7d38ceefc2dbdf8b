import { member_directory, member_visit } from '../db/schema.ts';
import { byUser, ofCustomer, type PersonalDataTable } from './personal-data-table.ts';

/** What staff keep about a member, and list members by. */
export const MEMBER_RECORD_DATA: PersonalDataTable[] = [
  {
    table: member_directory,
    about: 'The entry that lets our staff list you',
    of: byUser(member_directory.user_id),
    hidden: {},
    kept: { why: 'the list of members and former members; its name is that of the profile', erased: {} },
  },
  {
    table: member_visit,
    about: 'Your last visit',
    of: ofCustomer(member_visit.customer_id),
    hidden: 'repeats the last of your pours',
    kept: { why: 'follows from the ledger of glasses', erased: {} },
  },
];

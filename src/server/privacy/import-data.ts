import { eq, or } from '../db/orm.ts';
import { imported_account, member_import, member_import_row } from '../db/schema.ts';
import { byUser, type PersonalDataTable } from './personal-data-table.ts';

const STAFF = 'names a member of our staff';

export const IMPORT_DATA: PersonalDataTable[] = [
  {
    table: imported_account,
    about: 'Whether our staff created your account from a file, and when',
    of: byUser(imported_account.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: member_import_row,
    about: 'Your row in files that our staff imported; deleted after 30 days',
    of: ({ user_id, email }) =>
      or(eq(member_import_row.user_id, user_id), eq(member_import_row.email, email)),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: member_import,
    about: 'Files of members that you imported as one of our staff',
    of: byUser(member_import.started_by_staff_id),
    hidden: { started_by_staff_id: STAFF },
    kept: { why: 'the members who came with it are still there', erased: { file_name: null } },
  },
];

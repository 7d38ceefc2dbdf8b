import { eq } from '../db/orm.ts';
import {
  audit_entry,
  bar_device,
  mailing,
  pour_summary,
  staff_invitation,
  staff_permission,
  staff_pin,
} from '../db/schema.ts';
import { byUser, type PersonalDataTable, SECRET } from './personal-data-table.ts';

const STAFF = 'names a member of our staff';

export const STAFF_DATA: PersonalDataTable[] = [
  {
    table: staff_permission,
    about: 'What you may do as one of our staff',
    of: byUser(staff_permission.user_id),
    hidden: { given_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: staff_pin,
    about: 'Your PIN for shared tablets',
    of: byUser(staff_pin.user_id),
    hidden: { pin_hash: SECRET },
    kept: 'nothing',
  },
  {
    table: bar_device,
    about: 'Shared tablets that you opened at the bar',
    of: byUser(bar_device.opened_by_staff_id),
    hidden: { token_hash: SECRET, opened_by_staff_id: STAFF },
    kept: { why: 'the ledger of glasses names them', erased: {} },
  },
  {
    table: staff_invitation,
    about: 'An open invitation for you to join our staff',
    of: ({ email }) => eq(staff_invitation.email, email),
    hidden: { token_hash: SECRET, invited_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: audit_entry,
    about: 'What our staff decided about you, such as your application',
    of: byUser(audit_entry.subject_id),
    hidden: { actor_id: STAFF, device: 'says what our staff work with', facts: 'can name our staff' },
    kept: { why: 'who did what; entries have no names', erased: {} },
  },
  {
    table: mailing,
    about: 'Emails that you sent to a list of members as one of our staff',
    of: byUser(mailing.sent_by_staff_id),
    hidden: { sent_by_staff_id: 'is you', stopped_by_staff_id: STAFF },
    kept: { why: 'what the club wrote to its members', erased: {} },
  },
  {
    table: pour_summary,
    about: 'How much you poured in each hour as one of our staff',
    of: byUser(pour_summary.staff_id),
    hidden: { staff_id: 'is you' },
    kept: { why: 'the ledger of glasses', erased: {} },
  },
];

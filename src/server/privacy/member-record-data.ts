import { inArray, sql } from '../db/orm.ts';
import {
  celebration,
  given_glasses,
  glass_change,
  glass_debit,
  glass_grant,
  mailing_recipient,
  member_about,
  member_directory,
  member_note,
  member_note_version,
  member_photo,
  member_tag,
  member_visit,
  personal_email,
  personal_email_answer,
  tag,
} from '../db/schema.ts';
import { byUser, ofCustomer, ofGrant, ownCustomer, type PersonalDataTable } from './personal-data-table.ts';

const STAFF = 'names a member of our staff';

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
    about: 'Your last visit, and how often you used to come',
    of: ofCustomer(member_visit.customer_id),
    hidden: 'follows from your pours',
    kept: { why: 'follows from the ledger of glasses', erased: {} },
  },
  {
    table: given_glasses,
    about: 'Pours that our staff gave you, or took back, and why',
    of: ofCustomer(given_glasses.customer_id),
    hidden: { given_by_staff_id: STAFF },
    kept: { why: 'the ledger of glasses', erased: { reason: null } },
  },
  {
    table: glass_grant,
    about: 'What gave you pours, from when, until when, and how many',
    of: ofCustomer(glass_grant.customer_id),
    hidden: {},
    kept: { why: 'the ledger of glasses', erased: {} },
  },
  {
    table: glass_change,
    about: 'What changed those pours later, such as a payment or another tier',
    of: ofGrant(glass_change.grant_id),
    hidden: {},
    kept: { why: 'the ledger of glasses', erased: {} },
  },
  {
    table: glass_debit,
    about: 'Which of those your recorded pours were taken from',
    of: ofGrant(glass_debit.grant_id),
    hidden: {},
    kept: { why: 'the ledger of glasses', erased: {} },
  },
  {
    table: personal_email,
    about: 'Personal emails that our staff sent you, and why',
    of: ofCustomer(personal_email.customer_id),
    hidden: { sent_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: mailing_recipient,
    about: 'Emails to a list of members that you were on, and when yours went out',
    of: ofCustomer(mailing_recipient.customer_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: personal_email_answer,
    about: 'Whether you want these emails, and when and where you said so',
    of: byUser(personal_email_answer.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    // Celebrations come before the birthday, which they reveal.
    table: celebration,
    about: 'Days on which we celebrated with you',
    of: ofCustomer(celebration.customer_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    // The versions come before the notes, through which they are found.
    table: member_note_version,
    about: 'What our staff’s notes about you say, and said before',
    of: (person) =>
      inArray(
        member_note_version.note_id,
        sql`(select id from member_note where customer_id in ${ownCustomer(person)})`,
      ),
    hidden: { written_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: member_note,
    about: 'Our staff’s notes about you',
    of: ofCustomer(member_note.customer_id),
    hidden: { removed_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: tag,
    about: 'Tags that our staff gave you',
    of: (person) =>
      inArray(tag.id, sql`(select tag_id from member_tag where customer_id in ${ownCustomer(person)})`),
    hidden: {},
    kept: { why: 'other members have them too; those of yours alone are deleted', erased: {} },
  },
  {
    table: member_tag,
    about: 'When our staff gave you these tags',
    of: ofCustomer(member_tag.customer_id),
    hidden: { added_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: member_photo,
    about: 'Your photo',
    of: byUser(member_photo.user_id),
    hidden: { set_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: member_about,
    about: 'Your allergies and birthday, as our staff noted them',
    of: ofCustomer(member_about.customer_id),
    hidden: { changed_by_staff_id: STAFF },
    kept: 'nothing',
  },
];

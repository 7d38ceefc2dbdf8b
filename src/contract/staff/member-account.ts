import { z } from 'zod';
import { ACCESS_EMAILS, MEMBERSHIP_EMAILS } from '../../domain/staff/access-email.ts';
import { DELETE, GET, id, POST, PUT, timestamp } from '../base.ts';
import { email } from '../forms/credentials.ts';
import { personName, phoneNumber } from '../forms/person.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';

/** Changes with name, phone or email; a change names the version it is based on. */
const version = text(16).regex(/^[\w-]{16}$/);

const pendingEmail = z.object({ new_email: z.string(), expires_at: timestamp });

/**
 * The email that staff can send again: a link to choose the first password, or to confirm the email. Null where neither is
 * needed.
 */
const accessEmail = z.object({ kind: z.enum(ACCESS_EMAILS), sent_at: timestamp.nullable() }).nullable();

const account = z.object({
  version,
  first_name: z.string(),
  last_name: z.string(),
  phone: z.string().nullable(),
  email: z.string(),
  /** Confirmed by a link in an email. Staff can correct an unconfirmed email at once. */
  email_confirmed: z.boolean(),
  /** A new email with a link that has not been followed yet. */
  pending_email: pendingEmail.nullable(),
  access_email: accessEmail,
  letter: accessEmail.describe('The name of `access_email` before 1.1. It stays until 2.0.'),
  /** Whether the member said yes to personal emails; null before they answered. */
  personal_emails: z.boolean().nullable(),
  sends_email: z.boolean(),
  /** The account belongs to a staff member, who changes it themselves. */
  of_staff: z.boolean(),
});
export type MemberAccount = z.infer<typeof account>;

const ofMember = { customer_id: id };
const memberNames = z.strictObject({
  ...ofMember,
  version,
  first_name: personName,
  last_name: personName,
  /** Empty or null removes the number. */
  phone: z.nullable(phoneNumber),
});
const memberEmail = z.strictObject({ ...ofMember, version, email });

/** Calls for staff about a member's account: docs/rules/members.md, "A member's account, by staff". */
export const memberAccount = {
  get: GET('/customers/{customer_id}/account', {
    summary: "Get a member's account",
    description: 'Name, phone and email, and a new email that is not confirmed yet.',
  })
    .input(z.strictObject(ofMember))
    .errors(refusals('NOT_FOUND'))
    .output(account),
  update: PUT('/customers/{customer_id}/account', {
    summary: "Change a member's name and phone number",
    description: 'MEMBER_CHANGED if someone else was faster.',
  })
    .input(memberNames)
    .errors(refusals('NOT_FOUND', 'STAFF_ACCOUNT', 'MEMBER_CHANGED'))
    .output(account),
  changeEmail: POST('/customers/{customer_id}/email', {
    summary: "Change a member's email",
    description:
      'An email that was never confirmed is replaced at once. Otherwise the new email gets a link, and replaces the old one when the link is followed. The old email is notified in both cases.',
  })
    .input(memberEmail)
    .errors({
      ...refusals('NOT_FOUND', 'STAFF_ACCOUNT', 'MEMBER_CHANGED'),
      ...refusals('EMAIL_UNCHANGED', 'EMAIL_IN_USE', 'EMAIL_SENDING_OFF'),
    })
    .output(account),
  withdrawEmail: DELETE('/customers/{customer_id}/email', {
    summary: "Withdraw the change of a member's email",
    description: 'The link stops working. Does nothing if no change is pending.',
  })
    .input(z.strictObject(ofMember))
    .errors(refusals('NOT_FOUND', 'STAFF_ACCOUNT'))
    .output(account),
  sendAccessEmail: POST('/customers/{customer_id}/access-email', {
    summary: 'Resend a member the link that lets them in, or that confirms their email',
    description: 'At most three an hour. Links sent earlier work until they expire.',
  })
    .input(z.strictObject(ofMember))
    .errors(refusals('NOT_FOUND', 'STAFF_ACCOUNT', 'NOTHING_TO_SEND', 'EMAIL_SENDING_OFF'))
    .output(account),
};

const kind = z.enum(MEMBERSHIP_EMAILS);
const sentEmail = z.object({
  kind,
  letter: kind.describe('The name of `kind` before 1.1. It stays until 2.0.'),
  /** The time of the last sending; null if unknown. */
  sent_at: timestamp.nullable(),
});
export type MemberEmail = z.infer<typeof sentEmail>;

/** Emails that staff can send a member again: docs/rules/members.md, "A member's account, by staff". */
export const memberEmails = {
  list: GET('/customers/{customer_id}/emails', {
    summary: 'List the emails that can be sent to a member again',
    description: 'The last receipt and the welcome email, if they would still be true today.',
  })
    .input(z.strictObject(ofMember))
    .errors(refusals('NOT_FOUND'))
    .output(z.array(sentEmail)),
  send: POST('/customers/{customer_id}/emails/{kind}', {
    summary: 'Resend a member the last receipt or the welcome email',
    description: 'Composed from stored data. Nothing is charged. At most three an hour.',
  })
    .input(z.strictObject({ ...ofMember, kind }))
    .errors(refusals('NOT_FOUND', 'STAFF_ACCOUNT', 'NOTHING_TO_SEND', 'EMAIL_SENDING_OFF'))
    .output(z.array(sentEmail)),
};

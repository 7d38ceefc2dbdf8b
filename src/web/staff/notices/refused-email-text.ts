import type { StaffNotice } from '../../../contract/staff-notices.ts';

export type RefusedEmail = Extract<StaffNotice, { kind: 'email_refused' }>;

/** What happened to an email that its address's server refused for good. */
export function refusedEmailText({ facts: { subject }, member }: RefusedEmail): string {
  const recipient = member
    ? `${member.first_name} ${member.last_name} (${member.email})`
    : 'someone without an account';
  return `${subject ? `The email “${subject}”` : 'An email'} to ${recipient} was refused by the mail server of the address, and is not sent again.`;
}

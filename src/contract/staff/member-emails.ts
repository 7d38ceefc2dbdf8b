import { z } from 'zod';
import { MEMBERSHIP_EMAILS } from '../../domain/staff/access-email.ts';
import { GET, id, POST, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';

const letter = z.enum(MEMBERSHIP_EMAILS);
const memberEmail = z.object({
  letter,
  /** The time of the last sending; null if unknown. */
  sent_at: timestamp.nullable(),
});
export type MemberEmail = z.infer<typeof memberEmail>;

/** Emails that staff can send a member again: docs/rules/members.md, "A member's account, by staff". */
export const memberLetters = {
  list: GET('/customers/{customer_id}/letters', {
    summary: 'List the emails that can be sent to a member again',
    description: 'The last receipt and the welcome email, if they would still be true today.',
  })
    .input(z.strictObject({ customer_id: id }))
    .errors(refusals('NOT_FOUND'))
    .output(z.array(memberEmail)),
  send: POST('/customers/{customer_id}/letters/{letter}', {
    summary: 'Resend a member the last receipt or the welcome email',
    description: 'Composed from stored data. Nothing is charged. At most three an hour.',
  })
    .input(z.strictObject({ customer_id: id, letter }))
    .errors(
      refusals('NOT_FOUND', 'STAFF_ACCOUNT', 'NOTHING_TO_SEND', 'EMAIL_SENDING_OFF', 'TOO_MANY_ATTEMPTS'),
    )
    .output(z.array(memberEmail)),
};

import { z } from 'zod';
import { DELETE, GET, linkToken, POST, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';
import { currentPassword, email } from './credentials.ts';

export const createEmailChangeInput = z.strictObject({ email, password: currentPassword });
export const confirmEmailChangeInput = z.strictObject({
  /** From the link in the email. */
  token: linkToken,
});

const pending = z.object({ new_email: z.string(), expires_at: timestamp });

/**
 * Changing the email of one's own account: docs/rules/accounts.md, "Changing the email". The link in the email to the
 * new one leads to auth.confirmEmailChange.
 */
export const emailChange = {
  /** The current email, and `pending`, a change with a link that has not been followed yet. */
  get: GET('/auth/email-change', { summary: 'Get the pending change of email' }).output(
    z.object({ email: z.string(), sends_email: z.boolean(), pending: pending.nullable() }),
  ),
  /** The response is the same whether or not the new email has an account. Replaces a pending change. */
  create: POST('/auth/email-change', { summary: 'Email a link that changes the email' })
    .errors(
      refusals('WRONG_PASSWORD', 'NO_PASSWORD', 'TOO_MANY_ATTEMPTS', 'EMAIL_UNCHANGED', 'EMAIL_SENDING_OFF'),
    )
    .input(createEmailChangeInput)
    .output(pending),
  /** The link stops working. Does nothing if no change is pending. */
  delete: DELETE('/auth/email-change', { summary: 'Withdraw the change of email' }).output(
    z.object({ removed: z.boolean() }),
  ),
};

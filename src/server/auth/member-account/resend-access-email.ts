import { Refusal } from '../../../contract/refusals.ts';
import type { MemberAccount } from '../../../contract/staff/member-account.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { LibraryContext } from '../library-call.ts';
import { accessEmailFor, emailsTo, sendAccessEmail } from './access-email.ts';
import { getMemberAccount, holdAccount } from './member-account.ts';

/** Most resends to one member in a window of seconds, by all staff together. */
const RESENDS = { max: 3, window: 3600 };
const HOUR = 3600;

/** Counts an email of any kind that staff send a user again. Throws Refusal TOO_MANY_ATTEMPTS. */
export const consumeResend = (
  ctx: Pick<AuthContext, 'now' | 'newId'>,
  tx: Tx,
  user_id: string,
): Promise<void> => consumeRateLimit({ ...ctx, db: tx }, `staff-letter|${user_id}`, RESENDS);

/**
 * Sends a member a new link that lets them in, or confirms their email. Throws what holdAccount throws, and Refusal
 * NOTHING_TO_SEND, EMAIL_SENDING_OFF, or TOO_MANY_ATTEMPTS: also when an unconfirmed email has reached its daily limit.
 */
export async function resendAccessEmail(
  ctx: AuthContext & LibraryContext,
  { customer_id }: { customer_id: string },
): Promise<MemberAccount> {
  if (!ctx.outbox.sends) throw new Refusal('EMAIL_SENDING_OFF');
  const { user_id, needed, before } = await ctx.db.transaction(async (tx) => {
    const { id } = await holdAccount(tx, { customer_id });
    const needed = await accessEmailFor(ctx, tx, id);
    if (!needed) throw new Refusal('NOTHING_TO_SEND');
    await consumeResend(ctx, tx, id);
    await recordAudit(tx, ctx, { act: 'letter_sent', subject_id: id, facts: { letter: needed } });
    return { user_id: id, needed, before: await emailsTo(tx, id, needed) };
  });
  await sendAccessEmail(ctx, user_id);
  const after = await emailsTo(ctx.db, user_id, needed);
  if (after.count <= before.count) {
    throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: 24 * HOUR });
  }
  return getMemberAccount(ctx, { customer_id });
}

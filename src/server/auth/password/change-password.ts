import type { z } from 'zod';
import type { changePasswordInput } from '../../../contract/auth/auth.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { and, eq } from '../../db/orm.ts';
import { accounts } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import { CLIENT_IP_HEADER } from '../../platform/client-ip.ts';
import { logAuthEvent, logAuthRefusal } from '../audit-log.ts';
import type { AuthContext } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import type { LibraryContext } from '../library-call.ts';
import { revokeAccess } from '../revoke-access.ts';
import { assertHardToGuess, passwordOwner } from './password-rules.ts';
import { reauthenticate } from './reauthenticate.ts';

type SessionContext = AuthContext & LibraryContext & { actor: { session_id: string } };

const EVENT = 'password changed';

/**
 * Replaces the actor's password, ends what REVOKED names for it except this session and device, and emails the actor. Throws what
 * reauthenticate throws, and Refusal PASSWORD_COMMON, PASSWORD_PERSONAL.
 */
export async function changePassword(
  ctx: SessionContext,
  { current_password, password }: z.output<typeof changePasswordInput>,
): Promise<{ ok: true }> {
  const { db, actor, newId, now, log } = ctx;
  const from = ctx.headers.get(CLIENT_IP_HEADER);
  try {
    await reauthenticate(ctx, actor.user_id, current_password);
    await assertHardToGuess(ctx, password, await passwordOwner(ctx, actor.user_id));
  } catch (error) {
    if (error instanceof Refusal) logAuthRefusal(log, EVENT, { code: error.code, email: null, from });
    throw error;
  }
  const device = await ctx.auth.api.getDevice({ headers: ctx.headers });
  // Slow on purpose, so before the transaction.
  const hashed = await (await ctx.auth.$context).password.hash(password);
  await db.transaction(async (tx) => {
    const own = and(eq(accounts.userId, actor.user_id), eq(accounts.providerId, 'credential'));
    await tx.update(accounts).set({ password: hashed, updatedAt: now() }).where(own);
    await revokeAccess(tx, {
      user_id: actor.user_id,
      cause: 'password_changed',
      except: { session: actor.session_id, device },
    });
    await sendEmail(ctx, tx, {
      user_id: actor.user_id,
      cause: `password-replaced:${newId()}`,
      email: authEmails.password_replaced.about(),
    });
  });
  logAuthEvent(log, EVENT, { user_id: actor.user_id, from });
  return { ok: true };
}

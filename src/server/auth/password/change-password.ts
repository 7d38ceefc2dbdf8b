import type { z } from 'zod';
import type { changePasswordInput } from '../../../contract/auth/auth.ts';
import { and, eq } from '../../db/orm.ts';
import { accounts } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import { logOutcome } from '../audit-log.ts';
import type { AuthContext } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import type { LibraryContext } from '../library-call.ts';
import { revokeAccess } from '../revoke-access.ts';
import { assertHardToGuess, passwordOwner } from './password-rules.ts';
import { reauthenticate } from './reauthenticate.ts';

type SessionContext = AuthContext & LibraryContext & { actor: { session_id: string } };

/**
 * Replaces the actor's password, ends what REVOKED names for it except this session and device, and emails the actor. Throws
 * what reauthenticate throws, and Refusal PASSWORD_COMMON, PASSWORD_PERSONAL.
 */
export async function changePassword(
  ctx: SessionContext,
  { current_password, password }: z.output<typeof changePasswordInput>,
): Promise<{ ok: true }> {
  const { db, actor, newId, now } = ctx;
  const { user_id } = actor;
  await logOutcome(ctx, 'password changed', async () => {
    await reauthenticate(ctx, user_id, current_password);
    await assertHardToGuess(ctx, password, await passwordOwner(ctx, user_id));
    const device = await ctx.auth.api.getDevice({ headers: ctx.headers });
    // Hashing is slow on purpose, so it comes before the transaction.
    const hash = await (await ctx.auth.$context).password.hash(password);
    await db.transaction(async (tx) => {
      const filter = and(eq(accounts.userId, user_id), eq(accounts.providerId, 'credential'));
      // Locks the profile, which erasure locks before the account too.
      await revokeAccess(tx, {
        user_id,
        cause: 'password_changed',
        except: { session: actor.session_id, device },
      });
      await tx.update(accounts).set({ password: hash, updatedAt: now() }).where(filter);
      await sendEmail(ctx, tx, {
        user_id,
        cause: `password-replaced:${newId()}`,
        email: authEmails.password_replaced.about(),
      });
    });
    return { user_id };
  });
  return { ok: true };
}

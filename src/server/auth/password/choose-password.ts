import type { z } from 'zod';
import type { choosePasswordInput } from '../../../contract/auth/auth.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { eq } from '../../db/orm.ts';
import { accounts, profiles, sessions } from '../../db/schema.ts';
import { logOutcome } from '../audit-log.ts';
import type { AuthContext } from '../auth-context.ts';
import type { LibraryContext } from '../library-call.ts';
import { assertHardToGuess, passwordOwner } from './password-rules.ts';

type SessionContext = AuthContext & LibraryContext & { actor: { session_id: string } };

/**
 * Gives the actor, who joined from a tier, their first password: the session came with the account. An unconfirmed email then
 * gets the link of any sign-up, so that its owner learns of the account. Throws Refusal PASSWORD_CHOSEN, PASSWORD_COMMON,
 * PASSWORD_PERSONAL, NOT_SIGNED_IN.
 */
export async function choosePassword(
  ctx: SessionContext,
  { password }: z.output<typeof choosePasswordInput>,
): Promise<{ ok: true }> {
  const { db, actor, newId, now, auth } = ctx;
  const { user_id, session_id } = actor;
  await logOutcome(ctx, 'first password chosen', async () => {
    await assertHardToGuess(ctx, password, await passwordOwner(ctx, user_id));
    // Hashing is slow on purpose, so it comes before the transaction.
    const hash = await (await auth.$context).password.hash(password);
    const user = await db.transaction(async (tx) => {
      // A sign-up at the bar that takes the account over locks the profile too, and ends this session.
      const [profile] = await tx
        .select({ id: profiles.id, email: profiles.email, confirmed: profiles.emailVerified })
        .from(profiles)
        .where(eq(profiles.id, user_id))
        .for('no key update');
      const isOpen = (await tx.$count(sessions, eq(sessions.id, session_id))) > 0;
      if (!profile || !isOpen) throw new Refusal('NOT_SIGNED_IN');
      if ((await tx.$count(accounts, eq(accounts.userId, user_id))) > 0) throw new Refusal('PASSWORD_CHOSEN');
      const at = { createdAt: now(), updatedAt: now() };
      const keys = { id: newId(), userId: user_id, accountId: user_id, providerId: 'credential' };
      await tx.insert(accounts).values({ ...keys, password: hash, ...at });
      return profile;
    });
    if (!user.confirmed && auth.confirmsEmails) await auth.sendVerification(user);
    return { user_id };
  });
  return { ok: true };
}

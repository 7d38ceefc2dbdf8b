import { createAuthMiddleware } from 'better-auth/api';
import { Refusal } from '../../../contract/refusals.ts';
import type { Db } from '../../db/client.ts';
import { and, eq, gt, lt, or, sql } from '../../db/orm.ts';
import { two_factors, used_totp_codes } from '../../db/schema.ts';
import { toAuthError } from '../auth-error.ts';
import { findCodeOwner } from './code-owner.ts';

/** Longer than a code is valid: its own 30 seconds, and one step before and after. */
const USED_FOR = sql`interval '2 minutes'`;

/**
 * Accepts each authenticator code once per user: the auth library would accept it again for 90 seconds. Recorded before the
 * code is checked, so that of two simultaneous requests one fails.
 */
export function preventTotpReplay({ db }: { db: Db }) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/two-factor/verify-totp') return;
    const owner = await findCodeOwner(ctx);
    if (!owner) return;
    const { user_id } = owner;
    const own = eq(used_totp_codes.user_id, user_id);
    // Codes in the future were recorded by a wrong clock.
    const { used_at } = used_totp_codes;
    const old = or(lt(used_at, sql`now() - ${USED_FOR}`), gt(used_at, sql`now() + ${USED_FOR}`));
    await db.delete(used_totp_codes).where(and(own, old));
    const [fresh] = await db
      .insert(used_totp_codes)
      .values({ user_id, code: String(ctx.body.code), used_at: sql`now()` })
      .onConflictDoNothing()
      .returning({ code: used_totp_codes.code });
    if (!fresh) throw toAuthError(new Refusal('CODE_USED'));
  });
}

/** Longer than the auth library locks a second factor, which is 15 minutes. */
const LONGEST_LOCK = sql`interval '20 minutes'`;

/** Clears a lock that a wrong clock set far ahead: the auth library would hold it for years. */
export function openStaleLock({ db }: { db: Db }) {
  return createAuthMiddleware(async (ctx) => {
    if (!ctx.path.startsWith('/two-factor/verify-')) return;
    const owner = await findCodeOwner(ctx);
    if (!owner) return;
    await db
      .update(two_factors)
      .set({ failedVerificationCount: 0, lockedUntil: null })
      .where(
        and(eq(two_factors.userId, owner.user_id), gt(two_factors.lockedUntil, sql`now() + ${LONGEST_LOCK}`)),
      );
  });
}

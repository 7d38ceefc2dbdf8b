import { createAuthMiddleware } from 'better-auth/api';
import { Refusal } from '../../../contract/refusals.ts';
import type { Db } from '../../db/client.ts';
import { and, eq, gt, lt, or, sql } from '../../db/orm.ts';
import { used_totp_codes } from '../../db/schema.ts';
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
    const filter = eq(used_totp_codes.user_id, user_id);
    // Codes in the future were recorded by a wrong clock.
    const { used_at } = used_totp_codes;
    const expiry = or(lt(used_at, sql`now() - ${USED_FOR}`), gt(used_at, sql`now() + ${USED_FOR}`));
    await db.delete(used_totp_codes).where(and(filter, expiry));
    const [row] = await db
      .insert(used_totp_codes)
      .values({ user_id, code: String(ctx.body.code), used_at: sql`now()` })
      .onConflictDoNothing()
      .returning({ code: used_totp_codes.code });
    if (!row) throw toAuthError(new Refusal('CODE_USED'));
  });
}

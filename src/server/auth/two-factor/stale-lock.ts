import { createAuthMiddleware } from 'better-auth/api';
import type { Db } from '../../db/client.ts';
import { and, eq, gt, sql } from '../../db/orm.ts';
import { two_factors } from '../../db/schema.ts';
import { findCodeOwner } from './code-owner.ts';

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

import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { and, eq, lt, sql } from 'drizzle-orm';
import { used_totp_codes } from '../../db/schema.ts';
import type { AuthServices } from '../context.ts';

/** Longer than a code is good for: its own 30 seconds, and the steps before and after it. */
const USED_FOR = sql`interval '2 minutes'`;

/**
 * Lets each code of an authenticator app through once for each person: the identity library would take it
 * again and again for 90 seconds. Written before it is checked, so that of two at the same time one is late.
 */
export function preventTotpReplay({ db }: Pick<AuthServices, 'db'>) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/two-factor/verify-totp') return;
    const user_id = await whoVerifies(ctx);
    if (!user_id) return;
    const own = eq(used_totp_codes.user_id, user_id);
    const old = lt(used_totp_codes.used_at, sql`now() - ${USED_FOR}`);
    await db.delete(used_totp_codes).where(and(own, old));
    const [fresh] = await db
      .insert(used_totp_codes)
      .values({ user_id, code: String(ctx.body.code), used_at: sql`now()` })
      .onConflictDoNothing()
      .returning({ code: used_totp_codes.code });
    if (!fresh) {
      throw new APIError('UNAUTHORIZED', {
        code: 'CODE_USED',
        message: 'This code was used already. Please wait for the next one.',
      });
    }
  });
}

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** The signed-in person, or the one who gave the right password and is asked for the second factor now. */
async function whoVerifies(ctx: HookContext): Promise<string | null> {
  const session = await getSessionFromCtx(ctx);
  if (session) return session.user.id;
  const { createAuthCookie, internalAdapter, secret } = ctx.context;
  const challenge = await ctx.getSignedCookie(createAuthCookie('two_factor').name, secret);
  return challenge ? ((await internalAdapter.findVerificationValue(challenge))?.value ?? null) : null;
}

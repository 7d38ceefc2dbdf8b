import type { TokenSession } from '../../../contract/auth/auth-user.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { keyFor } from '../../config/purpose-key.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, gt, sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { refresh_tokens, sessions } from '../../db/schema.ts';
import { CLIENT_IP_HEADER } from '../../platform/client-ip.ts';
import { logAuthRefusal } from '../audit-log.ts';
import type { AuthServices } from '../auth-context.ts';
import type { Auth } from '../better-auth.ts';
import { SESSION_IDLE_SECONDS } from '../sessions/session-lifetime.ts';
import {
  hasHash,
  hashOf,
  nextRefreshToken,
  type RefreshToken,
  readRefreshToken,
  writeRefreshToken,
} from './refresh-token.ts';
import { signUserToken } from './user-tokens.ts';

export interface AppContext extends Pick<AuthServices, 'db' | 'newId' | 'newSecret' | 'log'> {
  auth: Auth;
  headers: Headers;
}

/** Seconds in which a used token still gives its successor: as long as `@supabase/auth-js` retries. */
const REUSE_GRACE_SECONDS = 30;

const keyOf = ({ auth }: AppContext) => keyFor(auth.options.secret, 'refresh-token/v1');

/** Locks an unexpired session and reads its refresh token; null if there is none. */
async function lockSession(tx: Tx, session_id: string) {
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, session_id), gt(sessions.expiresAt, sql`now()`)))
    .for('update');
  if (!session) return null;
  // A separate statement: the one that waited for the lock would see the token from before the wait.
  const [row] = await tx
    .select({
      token_hash: refresh_tokens.token_hash,
      generation: refresh_tokens.generation,
      // A time in the future comes from a wrong clock: it counts as past.
      isRecent: sql<boolean>`${refresh_tokens.rotated_at} between now() - make_interval(secs => ${REUSE_GRACE_SECONDS})
                                                              and now() + interval '1 minute'`,
    })
    .from(refresh_tokens)
    .where(eq(refresh_tokens.session_id, session_id));
  return row ?? null;
}

async function rotate(tx: Tx, next: RefreshToken): Promise<void> {
  const { session_id, generation } = next;
  await tx
    .update(refresh_tokens)
    .set({ token_hash: hashOf(next), generation, rotated_at: sql`now()` })
    .where(eq(refresh_tokens.session_id, session_id));
  await tx
    .update(sessions)
    .set({ expiresAt: sql`now() + make_interval(secs => ${SESSION_IDLE_SECONDS})`, updatedAt: sql`now()` })
    .where(eq(sessions.id, session_id));
}

async function exchange(ctx: AppContext, token: RefreshToken): Promise<RefreshToken | 'ended' | 'reused'> {
  const key = keyOf(ctx);
  return ctx.db.transaction(async (tx) => {
    const row = await lockSession(tx, token.session_id);
    if (!row) return 'ended';
    const next = nextRefreshToken(key, token, hashOf(token));
    if (hasHash(token, row.token_hash)) {
      await rotate(tx, next);
      return next;
    }
    if (row.isRecent && hasHash(next, row.token_hash)) return next;
    // Two parties hold this session, and one of them is not its owner.
    await tx.delete(sessions).where(eq(sessions.id, token.session_id));
    return 'reused';
  });
}

/**
 * New tokens for a refresh token, which works once: docs/rules/api.md, "Apps". Within REUSE_GRACE_SECONDS, the last used one
 * gives the same successor again; any other reuse ends its session. Throws Refusal SESSION_ENDED.
 */
export async function refreshTokens(ctx: AppContext, text: string): Promise<TokenSession> {
  const token = readRefreshToken(keyOf(ctx), text);
  const outcome = token ? await exchange(ctx, token) : 'ended';
  if (typeof outcome === 'object') return issue(ctx, outcome);
  if (outcome === 'reused') {
    const from = ctx.headers.get(CLIENT_IP_HEADER);
    logAuthRefusal(ctx.log, 'refresh token used again', { code: 'SESSION_ENDED', email: null, from });
  }
  throw new Refusal('SESSION_ENDED');
}

/**
 * Makes a session that just began an app's, and returns its tokens. `token` identifies its row in sessions; `passed` says
 * that the second step was passed too, as two-step sign-in requires. Throws Refusal SESSION_ENDED if the session has ended
 * meanwhile, or may not begin.
 */
export async function startAppSession(
  ctx: AppContext,
  { token, passed }: { token: string; passed: boolean },
): Promise<TokenSession> {
  const [session] = await ctx.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.token, token));
  if (!session) throw new Refusal('SESSION_ENDED');
  const first = { session_id: session.id, generation: 0, secret: ctx.newSecret() };
  // Locked, so that turning on two-step sign-in at the same time either ends this app's session or is seen here.
  const rows = await rowsOf(
    ctx.db,
    sql`insert into refresh_tokens (session_id, token_hash, generation, rotated_at, ${sql.raw(passed ? 'second_factor_at' : 'first_factor_at')})
        select s.id, ${hashOf(first)}, 0, now(), now() from sessions s join profiles p on p.id = s.user_id
         where s.id = ${session.id} and (${passed} or not p.two_factor_enabled) for share
        on conflict do nothing returning session_id`,
  );
  if (rows.length > 0) return issue(ctx, first);
  if (passed) return renewAppSession(ctx, session.id);
  await ctx.db.delete(sessions).where(eq(sessions.id, session.id));
  throw new Refusal('SESSION_ENDED');
}

/** New tokens for an app's session whose owner proved the second factor again. Throws Refusal SESSION_ENDED. */
export async function renewAppSession(ctx: AppContext, session_id: string): Promise<TokenSession> {
  const next = await ctx.db.transaction(async (tx) => {
    const row = await lockSession(tx, session_id);
    if (!row) throw new Refusal('SESSION_ENDED');
    const token = nextRefreshToken(keyOf(ctx), { session_id, generation: row.generation }, row.token_hash);
    await rotate(tx, token);
    await tx
      .update(refresh_tokens)
      .set({ second_factor_at: sql`now()` })
      .where(eq(refresh_tokens.session_id, session_id));
    return token;
  });
  return issue(ctx, next);
}

/** Minutes for which an app session's proof counts for changes of the second factor. */
const PROOF_MINUTES = 10;

const PROOFS = { password: refresh_tokens.first_factor_at, code: refresh_tokens.second_factor_at };

/**
 * Whether an app's session proved this in the last PROOF_MINUTES. Refreshing its tokens proves nothing.
 * Never true for a browser's session: docs/security.md, "Stolen tokens".
 */
export async function provedLately(db: Db, session_id: string, proof: keyof typeof PROOFS): Promise<boolean> {
  // A time in the future comes from a wrong clock.
  const isRecent = sql`${PROOFS[proof]} between now() - make_interval(mins => ${PROOF_MINUTES}) and now()`;
  return (await db.$count(refresh_tokens, and(eq(refresh_tokens.session_id, session_id), isRecent))) > 0;
}

async function issue(ctx: AppContext, token: RefreshToken): Promise<TokenSession> {
  const accessToken = await signUserToken(ctx, token.session_id);
  if (!accessToken) throw new Refusal('SESSION_ENDED');
  return { ...accessToken, refresh_token: writeRefreshToken(keyOf(ctx), token) };
}

import { z } from 'zod';
import type { TokenSession } from '../../../contract/auth/auth-user.ts';
import { id } from '../../../contract/base.ts';
import { text } from '../../../contract/text.ts';
import { unixSeconds } from '../../../domain/calendar.ts';
import type { Db } from '../../db/client.ts';
import { and, eq, gt, sql } from '../../db/orm.ts';
import { profiles, refresh_tokens, sessions } from '../../db/schema.ts';
import type { Auth } from '../better-auth.ts';
import type { SessionResult } from '../sessions/session-result.ts';
import { type SigningServices, signToken } from '../signing-keys/signed-tokens.ts';
import type { CodeOwner } from '../two-factor/code-owner.ts';
import { readAuthUser } from './read-auth-user.ts';

/** Longest life of an app's access token; every request checks that its session still exists. */
const USER_TOKEN_SECONDS = 10 * 60;

/** Stands in for the refresh token until a code is given, as clients expect one. Good for nothing. */
const NO_REFRESH = 'waits-for-a-code';

interface SigningContext extends SigningServices {
  auth: Auth;
}

type Signed = Omit<TokenSession, 'refresh_token'>;

/** How a user proved who they are, as clients of Supabase Auth read it. */
const proof = (method: 'password' | 'totp', at: Date) => ({
  method,
  timestamp: unixSeconds(at),
});

const databaseSeconds = sql<number>`floor(extract(epoch from now()))::float8`;

/** An access token for a session; null if it has ended. */
export async function signUserToken(ctx: SigningContext, session_id: string): Promise<Signed | null> {
  const [row] = await ctx.db
    .select({
      user_id: sessions.userId,
      role: sessions.role,
      twoFactor: profiles.twoFactorEnabled,
      at: databaseSeconds,
      signedInAt: sessions.createdAt,
      codeAt: refresh_tokens.second_factor_at,
    })
    .from(sessions)
    .leftJoin(refresh_tokens, eq(refresh_tokens.session_id, sessions.id))
    .innerJoin(profiles, eq(profiles.id, sessions.userId))
    .where(eq(sessions.id, session_id));
  const user = row && (await readAuthUser(ctx, row.user_id));
  if (!row || !user) return null;
  const { user_id: sub, role, at: iat, twoFactor } = row;
  const exp = iat + USER_TOKEN_SECONDS;
  // Turning two-step sign-in on ends the sessions of apps that have not passed it: db/functions/sign-in.sql.
  const aal = twoFactor ? 'aal2' : 'aal1';
  const amr = [...(row.codeAt ? [proof('totp', row.codeAt)] : []), proof('password', row.signedInAt)];
  const claims = { sub, session_id, role, email: user.email, is_anonymous: false, aal, amr, iat, exp };
  const access_token = await signToken(ctx.auth, ctx, 'session', claims);
  return { access_token, token_type: 'bearer', expires_in: USER_TOKEN_SECONDS, expires_at: exp, user };
}

/**
 * Tokens good for the code that a sign-in waits for; null if the account is gone. `ticket`: the library's name for the
 * sign-in.
 */
export async function signSecondStepToken(
  ctx: SigningContext,
  { user_id: sub, expires_at }: CodeOwner,
  ticket: string,
): Promise<TokenSession | null> {
  const user = await readAuthUser(ctx, sub, { waits: true });
  if (!user) return null;
  const [row] = await ctx.db.select({ at: databaseSeconds }).from(profiles).where(eq(profiles.id, sub));
  const iat = row?.at ?? 0;
  const exp = unixSeconds(expires_at);
  const amr = [{ method: 'password', timestamp: iat }];
  const claims = { sub, ticket, role: user.role, email: user.email, aal: 'aal1', amr, iat, exp };
  const access_token = await signToken(ctx.auth, ctx, 'second step', claims);
  const expires_in = exp - iat;
  return { access_token, token_type: 'bearer', expires_in, expires_at: exp, refresh_token: NO_REFRESH, user };
}

const sessionClaims = z.object({ sub: id, session_id: id, role: z.enum(['customer', 'staff']) });

/** The user and the session of a token, read each time; null if the session has ended or changed its role. */
export async function readUserToken(
  db: Db,
  payload: Record<string, unknown>,
): Promise<{ signedIn: NonNullable<SessionResult['signedIn']>; token: string } | null> {
  const result = sessionClaims.safeParse(payload);
  if (!result.success) return null;
  const { sub, session_id, role } = result.data;
  const [row] = await db
    .select({ token: sessions.token, role: sessions.role, profile: profiles })
    .from(sessions)
    .innerJoin(refresh_tokens, eq(refresh_tokens.session_id, sessions.id))
    .innerJoin(profiles, eq(profiles.id, sessions.userId))
    .where(and(eq(sessions.id, session_id), eq(sessions.userId, sub), gt(sessions.expiresAt, sql`now()`)));
  if (!row || row.role !== role) return null;
  const { id, email, emailVerified, first_name, last_name, phone, twoFactorEnabled } = row.profile;
  const user = { id, email, email_verified: emailVerified, first_name, last_name, phone, role };
  return { signedIn: { session_id, user: { ...user, two_factor: twoFactorEnabled } }, token: row.token };
}

const ticketClaims = z.object({ ticket: text(1000).min(1) });

/** The waiting sign-in that a second-step token names; null if it names none. */
export function readTicket(payload: Record<string, unknown>): string | null {
  const result = ticketClaims.safeParse(payload);
  return result.success ? result.data.ticket : null;
}

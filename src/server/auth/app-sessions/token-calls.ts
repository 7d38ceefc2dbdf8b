import type { z } from 'zod';
import { type AuthUser, type TokenSession, USER_AUDIENCE } from '../../../contract/auth/auth-user.ts';
import type { createTokenInput, signOutInput, tokenSignUpInput } from '../../../contract/auth/tokens.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { and, eq } from '../../db/orm.ts';
import { sessions } from '../../db/schema.ts';
import { CLIENT_IP_HEADER } from '../../platform/client-ip.ts';
import { logAuthEvent } from '../audit-log.ts';
import type { AuthContext } from '../auth-context.ts';
import type { LibraryContext } from '../library-call.ts';
import { signIn } from '../procedures.ts';
import { revokeAccess } from '../revoke-access.ts';
import { createAccount, type SignUpContext } from '../sign-up.ts';
import { type AppContext, refreshTokens, renewAppSession, startAppSession } from './app-sessions.ts';
import { type Bearer, deviceCookie, deviceLines, signedValueIn } from './bearer.ts';
import { readAuthUser } from './read-auth-user.ts';
import { signSecondStepToken } from './user-tokens.ts';

export type TokenContext = AppContext & LibraryContext;

const OK = { ok: true } as const;

/** Tokens for whatever the auth library began with these cookies; null if it began nothing. `passed`: the second step. */
async function tokensOf(
  ctx: TokenContext,
  lines: string[],
  { passed }: { passed: boolean },
): Promise<TokenSession | null> {
  const { baseURL } = ctx.auth.options;
  const token = signedValueIn(lines, baseURL, 'session_token');
  if (token) return startAppSession(ctx, { token, passed });
  const ticket = signedValueIn(lines, baseURL, 'two_factor');
  if (!ticket) return null;
  const headers = new Headers({ cookie: lines.map((line) => line.split(';')[0]).join('; ') });
  const owner = await ctx.auth.api.getCodeOwner({ headers });
  return owner && signSecondStepToken(ctx, owner, ticket);
}

/** Tokens for what the work began; null if it began nothing. Only the known device's cookie comes in and goes out. */
async function signingIn<Ctx extends TokenContext>(
  ctx: Ctx,
  work: (ctx: Ctx) => Promise<unknown>,
): Promise<TokenSession | null> {
  const { baseURL } = ctx.auth.options;
  const headers = new Headers(ctx.headers);
  const device = deviceCookie(ctx.headers, baseURL);
  if (device) headers.set('cookie', device);
  else headers.delete('cookie');
  // Given a cookie, the library requires an Origin header. This cookie signs nobody in, and the answer sets no session.
  if (device && !headers.has('origin')) headers.set('origin', new URL(baseURL).origin);
  const lines: string[] = [];
  try {
    await work({ ...ctx, headers, setCookies: (cookies) => void lines.push(...cookies) });
  } finally {
    ctx.setCookies(deviceLines(lines, baseURL));
  }
  return tokensOf(ctx, lines, { passed: false });
}

/**
 * Tokens for a password or a refresh token; if a code is required, they are good for that code alone. Throws Refusal
 * INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED, SESSION_ENDED, TOO_MANY_ATTEMPTS.
 */
export async function createToken(
  ctx: TokenContext,
  { body }: z.output<typeof createTokenInput>,
): Promise<TokenSession> {
  if ('refresh_token' in body) return refreshTokens(ctx, body.refresh_token);
  const { email, password } = body;
  const tokens = await signingIn(ctx, (ownCtx) => signIn(ownCtx, { email, password }));
  if (!tokens) throw new Refusal('SESSION_ENDED');
  return tokens;
}

/** Creates a customer; the user without tokens if the email must be confirmed first. Throws what signUp throws. */
export async function signUpForTokens(
  ctx: TokenContext & SignUpContext,
  { email, password, data, gotrue_meta_security }: z.output<typeof tokenSignUpInput>,
): Promise<TokenSession | AuthUser> {
  const captcha = gotrue_meta_security?.captcha_token ?? undefined;
  const person = { ...data, phone: data.phone ?? undefined, email, password, captcha };
  let id = '';
  const tokens = await signingIn(ctx, async (ownCtx) => {
    id = await createAccount(ownCtx, person);
  });
  return tokens ?? unconfirmedUser(id, person, ctx.now());
}

/** Made from what was sent alone: a known email must give the same answer. */
function unconfirmedUser(
  id: string,
  {
    email,
    first_name,
    last_name,
    phone,
  }: { email: string; first_name: string; last_name: string; phone?: string },
  now: Date,
): AuthUser {
  return {
    id,
    aud: USER_AUDIENCE,
    role: 'customer',
    email: email.toLowerCase(),
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { first_name, last_name, ...(phone && { phone }), email_verified: false },
    identities: [],
    factors: [],
    is_anonymous: false,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
}

/** A browser gets cookies, an app tokens: those of its own session, renewed, if no new one began. */
export async function completing(
  ctx: TokenContext & { bearer: Bearer },
  work: (ctx: TokenContext) => Promise<unknown>,
): Promise<TokenSession | typeof OK> {
  const { bearer } = ctx;
  if (bearer.kind !== 'session' && bearer.kind !== 'second step') {
    await work(ctx);
    return OK;
  }
  const lines: string[] = [];
  try {
    await work({ ...ctx, setCookies: (cookies) => void lines.push(...cookies) });
  } finally {
    ctx.setCookies(lines);
  }
  const tokens = await tokensOf(ctx, lines, { passed: true });
  if (tokens) return tokens;
  if (bearer.kind === 'session') return renewAppSession(ctx, bearer.signedIn.session_id);
  throw new Refusal('SESSION_ENDED');
}

/** The signed-in user, or the user whose sign-in waits for a code. Throws Refusal NOT_SIGNED_IN. */
export async function getUser(
  ctx: TokenContext & { authenticate(): Promise<{ user_id: string } | null> },
): Promise<AuthUser> {
  const actor = await ctx.authenticate();
  if (actor) {
    const user = await readAuthUser(ctx, actor.user_id);
    if (user) return user;
  }
  const owner = actor ? null : await ctx.auth.api.getCodeOwner({ headers: ctx.headers });
  const user = owner && (await readAuthUser(ctx, owner.user_id, { waits: true }));
  if (!user) throw new Refusal('NOT_SIGNED_IN');
  return user;
}

/** Ends sessions of the actor: this one, the others, or all. API clients, known devices and passkeys stay. */
export async function signOutByScope(
  { db, actor, log, headers }: AuthContext & { headers: Headers; actor: { session_id: string } },
  { query: { scope } }: z.output<typeof signOutInput>,
): Promise<typeof OK> {
  const { user_id, session_id } = actor;
  if (scope === 'local') {
    await db.delete(sessions).where(and(eq(sessions.userId, user_id), eq(sessions.id, session_id)));
  } else {
    const exception = scope === 'others' ? { session: session_id, device: null } : undefined;
    await revokeAccess(db, { user_id, cause: 'sessions_ended', ...(exception && { except: exception }) });
  }
  logAuthEvent(log, `sign-out, ${scope}`, { user_id, from: headers.get(CLIENT_IP_HEADER) });
  return OK;
}

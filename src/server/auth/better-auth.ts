import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { createAuthMiddleware } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins';
import type { Logger } from 'pino';
import type { CaptchaConfig } from '../config/captcha.ts';
import type { VerifyEmailMode } from '../config/env.ts';
import type { OidcProvider } from '../config/oidc-providers.ts';
import * as schema from '../db/schema.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import { jwksPlugin } from './api-clients/jwks.ts';
import { logAuthEvents } from './audit-log.ts';
import { captchaPlugin } from './captcha.ts';
import type { AuthServices } from './context.ts';
import { emailVerification } from './email-verification.ts';
import { linkedAccountHooks, linkGuard, oidcPlugin } from './linked-accounts/oidc-plugin.ts';
import { passkeyPlugin } from './passkeys/plugin.ts';
import { hashPassword, type PasswordHashCost, verifyPassword } from './password/hash.ts';
import { passwordReset } from './password/reset.ts';
import { clearSignInLimits, signInLimits } from './sign-in-limits.ts';
import { twoFactorGuard } from './two-factor/plugin.ts';
import { preventTotpReplay } from './two-factor/totp-replay.ts';

export interface AuthConfig extends Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'> {
  secret: string;
  publicUrl: string;
  log: Logger;
  captcha: CaptchaConfig | null;
  providers: OidcProvider[];
  /** STAFF_REQUIRE_TWO_FACTOR. */
  staffNeedTwoFactor: boolean;
  /** VERIFY_EMAIL. */
  verifyEmail: VerifyEmailMode;
  /** False only in tests that are not about limits. */
  limitAttempts: boolean;
  /** The production cost unless given; tests take a low one. */
  passwordHash?: PasswordHashCost;
}

/** How long a session is believed without asking the database (seconds): docs/decisions/0007-sessions.md. */
export const SESSION_CACHE_SECONDS = 60;

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A session that is not used ends after this. */
export const SESSION_IDLE_SECONDS = 14 * DAY;
/** And every session after this, used or not; kept by a trigger of the database. */
export const SESSION_ABSOLUTE_SECONDS = 90 * DAY;
const PASSWORD_MIN = 8;
const PASSWORD_MAX = 128;

/** Own addresses a browser may come from: the public one, and its loopback twin on a developer's machine. */
export function ownOrigins(publicUrl: string): string[] {
  const { origin } = new URL(publicUrl);
  return origin.includes('//localhost:') ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin];
}

/**
 * Identity: accounts, sessions, passwords. Roles are not its business: triggers of the database give every
 * new profile the role customer and stamp each new session with the role in user_roles.
 */
export function createAuth(config: AuthConfig) {
  const { db, secret, publicUrl, newId, log, captcha, venue, limitAttempts, providers } = config;
  const { welcome, admit, requireEmailVerification, ...address } = emailVerification(config);
  const { plugin: passkeys, askPassword, tellOwner } = passkeyPlugin({ ...config, admit });
  const secondFactor = twoFactorGuard(config);
  return betterAuth({
    appName: 'Cellar Door',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins: ownOrigins(publicUrl),
    telemetry: { enabled: false },
    // Only its fixed sentences: what it adds to them can be a mail address.
    logger: {
      level: 'warn',
      log: (level, message) => log[level]({ from: 'identity' }, message.split(':')[0]),
    },
    // A real failure is told by app.ts, as any other. Kept in here, it would reach the console with its values.
    onAPIError: { throw: true },
    database: drizzleAdapter(db, { provider: 'pg', schema, transaction: true }),
    user: {
      modelName: 'profiles',
      additionalFields: {
        first_name: { type: 'string', required: true },
        last_name: { type: 'string', required: true },
        phone: { type: 'string', required: false },
      },
    },
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_IDLE_SECONDS,
      updateAge: HOUR,
      // What would ask for a fresh session asks for the password instead: docs/decisions/0009-passkeys.md.
      freshAge: 0,
      cookieCache: { enabled: true, maxAge: SESSION_CACHE_SECONDS },
      additionalFields: { role: { type: 'string', required: false, input: false } },
    },
    account: {
      modelName: 'accounts',
      updateAccountOnSignIn: false,
      // Linked by a signed-in person alone: an equal mail address proves nothing, a different one neither.
      accountLinking: {
        disableImplicitLinking: true,
        allowDifferentEmails: true,
        trustedProviders: providers.map(({ id }) => id),
      },
    },
    databaseHooks: { account: linkedAccountHooks(config) },
    // Hashed, so that reading the database gives nobody a working recovery link.
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: {
        hash: (password) => hashPassword(password, config.passwordHash),
        verify: ({ hash: stored, password }) => verifyPassword(stored, password),
      },
      ...passwordReset(config),
    },
    ...address,
    hooks: {
      before: each(
        signInLimits(config),
        secondFactor.ask,
        preventTotpReplay(config),
        askPassword,
        linkGuard(config),
      ),
      after: each(
        logAuthEvents(config),
        clearSignInLimits(config),
        endReplacedSession,
        welcome,
        tellOwner,
        secondFactor.tell,
      ),
    },
    plugins: [
      askedOnReturn(twoFactor({ issuer: venue.club_name, twoFactorTable: 'two_factors' })),
      passkeys,
      oidcPlugin(providers, requireEmailVerification),
      jwksPlugin(db, publicUrl),
      ...(captcha ? [captchaPlugin(captcha)] : []),
    ],
    rateLimit: {
      enabled: limitAttempts,
      storage: 'database',
      modelName: 'rate_limits',
      window: 60,
      max: 100,
      customRules: {
        '/sign-in/email': { window: 60, max: 60 },
        '/sign-in/social': { window: 60, max: 60 },
        '/link-social': { window: 60, max: 60 },
        '/callback/*': { window: 60, max: 60 },
        '/sign-up/email': { window: 3600, max: 60 },
        '/request-password-reset': { window: 3600, max: 60 },
        '/reset-password': { window: 60, max: 60 },
        '/send-verification-email': { window: 3600, max: 60 },
        '/verify-email': { window: 60, max: 60 },
        // What one account may try is the plugin's own limit: 5 for each sign-in, 10 before it is locked.
        '/two-factor/*': { window: 60, max: 60 },
        '/passkey/*': { window: 60, max: 60 },
      },
    },
    advanced: {
      database: { generateId: newId },
      useSecureCookies: publicUrl.startsWith('https:'),
      cookiePrefix: 'cellar-door',
      ipAddress: { ipAddressHeaders: [CLIENT_IP_HEADER] },
    },
  });
}

type Hook = ReturnType<typeof createAuthMiddleware>;

/** The library takes one hook; this runs several, in order. */
const each = (...hooks: Hook[]) =>
  createAuthMiddleware(async (ctx) => {
    for (const hook of hooks) await hook(ctx);
  });

/** The library asks for the second factor after a password; this does so after a linked identity as well. */
function askedOnReturn<Plugin extends { hooks: { after: { matcher(ctx: { path?: string }): boolean }[] } }>(
  plugin: Plugin,
): Plugin {
  for (const hook of plugin.hooks.after) {
    const { matcher } = hook;
    hook.matcher = (ctx) => matcher(ctx) || ctx.path?.startsWith('/callback/') === true;
  }
  return plugin;
}

const SIGNS_IN = /^\/(sign-(in|up)\/|callback\/|passkey\/verify-authentication$)/;

/** Whoever signs in anew where they are signed in already leaves no session behind. */
const endReplacedSession = createAuthMiddleware(async (ctx) => {
  const { newSession, authCookies, internalAdapter, secret } = ctx.context;
  if (!newSession || !SIGNS_IN.test(ctx.path)) return;
  const replaced = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
  if (replaced && replaced !== newSession.session.token) await internalAdapter.deleteSession(replaced);
});

export type Auth = ReturnType<typeof createAuth>;

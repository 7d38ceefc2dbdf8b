import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins';
import type { Logger } from 'pino';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../contract/forms/credentials.ts';
import type { OidcProvider } from '../config/oidc-providers.ts';
import type { EnvSettings } from '../config/settings.ts';
import * as schema from '../db/schema.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import { countRequest } from '../platform/rate-limit.ts';
import { logAuthEvents } from './audit-log.ts';
import type { AuthServices } from './auth-context.ts';
import { authTransaction } from './auth-transaction.ts';
import { captchaPlugin } from './captcha.ts';
import { emailVerification } from './email-verification.ts';
import { alsoAfterCallback, endReplacedSession, inOrder } from './hooks.ts';
import { knownDevices } from './known-devices.ts';
import { linkedAccountHooks, oidcPlugin, rememberProvider } from './linked-accounts/oidc-plugin.ts';
import { passkeyPlugin } from './passkeys/plugin.ts';
import { DEFAULT_COST, libraryPasswords, type PasswordHashCost } from './password/hash.ts';
import { passwordReset } from './password/password-reset.ts';
import { passwordRules } from './password/password-rules.ts';
import { createPasswordTurns } from './password/password-turns.ts';
import { passwordLaterPlugin } from './password-later.ts';
import { RATE_LIMITS } from './rate-limits.ts';
import { createFindSession } from './sessions/find-session.ts';
import { noteSignIn } from './sessions/note-sign-in.ts';
import { cookiePrefix } from './sessions/session-cookie.ts';
import { SESSION_IDLE_SECONDS, SESSION_UPDATE_SECONDS } from './sessions/session-lifetime.ts';
import { clearSignInLimits, signInLimits } from './sign-in-limits.ts';
import { signUpConsentPlugin } from './sign-up-consent.ts';
import { jwksPlugins } from './signing-keys/jwks.ts';
import { preventTotpReplay } from './two-factor/code-checks.ts';
import { codeOwnerPlugin } from './two-factor/code-owner.ts';
import { clearSecondSteps, limitSecondSteps } from './two-factor/second-step-lock.ts';

export interface AuthConfig
  extends Pick<AuthServices, 'db' | 'now' | 'newId' | 'newSecret' | 'outbox' | 'venue'>,
    Pick<EnvSettings, 'publicUrl' | 'captcha' | 'providers' | 'verifyEmail' | 'limitAttempts'> {
  secret: string;
  log: Logger;
  /** The production cost unless given; tests take a low one. */
  passwordHash?: PasswordHashCost;
}

/** Origins that a browser may call from: the public one, and its loopback twin during development. */
export function ownOrigins(publicUrl: string): string[] {
  const { origin } = new URL(publicUrl);
  return origin.includes('//localhost:') ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin];
}

const user = {
  modelName: 'profiles',
  additionalFields: {
    first_name: { type: 'string', required: true },
    last_name: { type: 'string', required: true },
    phone: { type: 'string', required: false },
  },
} as const;

const session = {
  modelName: 'sessions',
  expiresIn: SESSION_IDLE_SECONDS,
  updateAge: SESSION_UPDATE_SECONDS,
  // Calls that would need a fresh session ask for the password instead: docs/decisions/passkeys-and-passwords.md.
  freshAge: 0,
  additionalFields: { role: { type: 'string', required: false, input: false } },
} as const;

/** Only signed-in users link accounts: an equal email proves nothing, and a different one disproves nothing. */
const account = (providers: OidcProvider[]) => ({
  modelName: 'accounts',
  updateAccountOnSignIn: false,
  accountLinking: {
    disableImplicitLinking: true,
    allowDifferentEmails: true,
    trustedProviders: providers.map(({ id }) => id),
  },
});

const passwords = (cost?: PasswordHashCost) => ({
  minPasswordLength: PASSWORD_MIN_LENGTH,
  maxPasswordLength: PASSWORD_MAX_LENGTH,
  password: libraryPasswords(cost),
});

/** Database triggers, not the library, give a new profile its role and stamp it on each new session. */
export function createAuth(config: AuthConfig) {
  const { db, secret, publicUrl, newId, log, captcha, venue, limitAttempts, providers } = config;
  const scope = authTransaction(db);
  const devices = knownDevices(config);
  const { sendVerification, admit, requireEmailVerification, ...verification } = emailVerification(config);
  const passwordTurns = createPasswordTurns(config.passwordHash ?? DEFAULT_COST);
  const library = betterAuth({
    appName: 'Cellar Door',
    baseURL: publicUrl,
    basePath: '/api/auth',
    secret,
    trustedOrigins: ownOrigins(publicUrl),
    telemetry: { enabled: false },
    // Logs only the library's fixed sentences: its additions can contain an email.
    logger: {
      level: 'warn',
      log: (level, message) => log[level]({ from: 'auth library' }, message.split(':')[0]),
    },
    // A failure that is thrown is logged like any other. The library would print it to the console with its values.
    onAPIError: { throw: true },
    database: drizzleAdapter(scope.db, { provider: 'pg', schema, transaction: true }),
    user,
    session,
    account: account(providers),
    databaseHooks: {
      account: linkedAccountHooks(config),
      session: { create: { after: noteSignIn(config) } },
    },
    // Stored hashed, so that reading the database yields no working link.
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification,
      ...passwords(config.passwordHash),
      ...passwordReset(config, devices.afterPasswordReset),
    },
    ...verification,
    hooks: {
      before: inOrder(
        signInLimits(config),
        passwordRules(config),
        limitSecondSteps(config),
        preventTotpReplay(config),
        rememberProvider,
      ),
      after: inOrder(
        logAuthEvents(config),
        clearSignInLimits(config),
        clearSecondSteps(config),
        endReplacedSession,
      ),
    },
    plugins: [
      alsoAfterCallback(
        twoFactor({
          ...{ issuer: venue.club_name, twoFactorTable: 'two_factors' },
          accountLockout: { enabled: false },
        }),
      ),
      codeOwnerPlugin,
      devices.plugin,
      signUpConsentPlugin(config, scope.current),
      passwordLaterPlugin,
      passkeyPlugin({ ...config, admit }),
      oidcPlugin(providers, requireEmailVerification),
      ...jwksPlugins(db, publicUrl),
      ...(captcha ? [captchaPlugin(captcha)] : []),
    ],
    rateLimit: {
      enabled: limitAttempts,
      window: 60,
      max: 100,
      customRules: RATE_LIMITS,
      // The library would delete counts after an hour, and wait for years after a wrong clock.
      customStorage: {
        async consume(key, rule) {
          const retryAfter = await countRequest(config, key, rule);
          return { allowed: retryAfter === 0, retryAfter: retryAfter || null };
        },
      },
    },
    advanced: {
      // Explicit, because the library turns the check off where NODE_ENV or TEST indicates a test.
      disableOriginCheck: false,
      database: { generateId: newId },
      // Off, as it would prefix the names with the weaker __Secure-.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(publicUrl),
      defaultCookieAttributes: { secure: publicUrl.startsWith('https:') },
      ipAddress: { ipAddressHeaders: [CLIENT_IP_HEADER] },
    },
  });
  return Object.assign(library, {
    passwordTurns,
    sessions: createFindSession(config),
    /** PINs are hashed at the same cost. */
    hashCost: config.passwordHash,
    publicUrl,
    sendVerification,
    /** False where an email counts as confirmed without a link. */
    confirmsEmails: config.verifyEmail !== 'off',
  });
}

export type Auth = ReturnType<typeof createAuth>;

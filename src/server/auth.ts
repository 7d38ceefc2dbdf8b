import { hash, verify } from '@node-rs/argon2';
import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import type { Logger } from 'pino';
import type { Db } from './db/client.ts';
import * as schema from './db/schema.ts';

export interface AuthConfig {
  db: Db;
  secret: string;
  publicUrl: string;
  newId(): string;
  log: Logger;
  /** False only in tests that are not about limits. */
  limitAttempts: boolean;
}

/** The request header that app.ts sets from the connection; the client's own copy is dropped there. */
export const CLIENT_ADDRESS_HEADER = 'x-cellar-door-client';

/** How long a session is believed without asking the database (seconds). Bounds a remote sign-out. */
export const SESSION_COPY_SECONDS = 60;

const DAY = 86_400;
export const SESSION_IDLE_SECONDS = 14 * DAY;
export const PASSWORD_MIN = 8;
const PASSWORD_MAX = 128;

// Argon2id at 46 MiB (OWASP's first choice), about 35 ms here, against 80 ms for the library's scrypt.
const ARGON2 = { memoryCost: 47_104, timeCost: 1, parallelism: 1 } as const;

export const hashPassword = (password: string) => hash(password, ARGON2);

/** Own addresses a browser may come from: the public one, and its loopback twin on a developer's machine. */
export function ownOrigins(publicUrl: string): string[] {
  const { origin } = new URL(publicUrl);
  return origin.includes('//localhost:') ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin];
}

/**
 * Identity: accounts, sessions, passwords. Roles are not its business: triggers of the database give every
 * new profile the role customer and stamp each new session with the role in user_roles.
 */
export function createAuth({ db, secret, publicUrl, newId, log, limitAttempts }: AuthConfig) {
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
      updateAge: DAY,
      cookieCache: { enabled: true, maxAge: SESSION_COPY_SECONDS },
      additionalFields: { role: { type: 'string', required: false, input: false } },
    },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: {
        hash: hashPassword,
        verify: ({ hash: stored, password }) => verify(stored, password),
      },
    },
    rateLimit: {
      enabled: limitAttempts,
      storage: 'database',
      modelName: 'rate_limits',
      window: 60,
      max: 100,
      customRules: {
        '/sign-in/email': { window: 60, max: 60 },
        '/sign-up/email': { window: 3600, max: 60 },
      },
    },
    advanced: {
      database: { generateId: newId },
      useSecureCookies: publicUrl.startsWith('https:'),
      cookiePrefix: 'cellar-door',
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;

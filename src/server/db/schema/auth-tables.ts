import type { ApiScope } from '../../../domain/staff/api-scope.ts';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../orm.ts';
import { instant } from './columns.ts';
import { ACTOR, ownRows } from './row-policies.ts';

/** Users: the auth library's user table, under the specification's name. */
export const profiles = pgTable(
  'profiles',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull().unique(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    first_name: text('first_name').notNull(),
    last_name: text('last_name').notNull(),
    phone: text('phone'),
    twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
    /** When the user deleted their account. The row stays, without personal data, because the ledger references it. */
    erased_at: instant('erased_at'),
    /** Null if never, or not since sign-ins are recorded. */
    last_sign_in_at: instant('last_sign_in_at'),
    /** When an email last said that the account will be deleted because nobody uses it; null if never. */
    retention_notice_at: instant('retention_notice_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  () => [ownRows(`id = ${ACTOR}`)],
);

/** References a user, whose profile cannot be deleted while the row exists. */
export const userId = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => profiles.id);

/** References a user; deleting the profile deletes the row. */
export const ownedBy = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => profiles.id, { onDelete: 'cascade' });

/** Separate from profiles, so that no profile update can reach it. */
export const user_roles = pgTable(
  'user_roles',
  {
    user_id: ownedBy('user_id').primaryKey(),
    role: text('role', { enum: ['customer', 'staff'] }).notNull(),
  },
  (t) => [check('user_roles_role_known', sql`${t.role} in ('customer', 'staff')`)],
);

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: ownedBy('user_id'),
    token: text('token').notNull().unique(),
    /** The role at sign-in; changing a role ends the sessions that carry the old one. */
    role: text('role', { enum: ['customer', 'staff'] }),
    expiresAt: instant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** The shared tablet where a PIN started the session; null for others. One person per tablet. */
    bar_device_id: uuid('bar_device_id').unique('sessions_one_on_a_tablet'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('sessions_user').on(t.userId), ownRows(`user_id = ${ACTOR}`)],
);

/**
 * The one valid refresh token of an app's session; browsers' sessions have none. It ends with its session:
 * docs/decisions/apps-and-clients.md.
 */
export const refresh_tokens = pgTable(
  'refresh_tokens',
  {
    session_id: uuid('session_id')
      .primaryKey()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    token_hash: text('token_hash').notNull(),
    /** Number of tokens before it in the session. */
    generation: integer('generation').notNull(),
    /** When it replaced the previous token. */
    rotated_at: instant('rotated_at').notNull(),
    /** When the session proved the password, and when a code; null if never: auth/app-sessions/app-sessions.ts. */
    first_factor_at: instant('first_factor_at'),
    second_factor_at: instant('second_factor_at'),
  },
  () => [ownRows(`EXISTS (SELECT 1 FROM sessions s WHERE s.id = session_id AND s.user_id = ${ACTOR})`)],
);

export const accounts = pgTable(
  'accounts',
  {
    id: uuid('id').primaryKey(),
    userId: ownedBy('user_id'),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('accounts_user').on(t.userId),
    // A linked account belongs to one user, and a user has at most one per provider.
    uniqueIndex('accounts_identity').on(t.providerId, t.accountId),
    uniqueIndex('accounts_one_of_each').on(t.userId, t.providerId),
  ],
);

export const verifications = pgTable(
  'verifications',
  {
    id: uuid('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('verifications_identifier').on(t.identifier), ownRows(`value = ${ACTOR}::text`)],
);

/** A new email that waits for its link, or has become the profile's since and stays until it expires; one per user. */
export const email_change = pgTable(
  'email_change',
  {
    user_id: ownedBy('user_id').primaryKey(),
    new_email: text('new_email').notNull(),
    token_hash: text('token_hash').notNull().unique(),
    /** The requesting session, which stays signed in. Null if staff requested it. */
    session_id: uuid('session_id'),
    /** The requesting device, if known: known_devices. */
    device_hash: text('device_hash'),
    /** Null if the user requested it. */
    asked_by_staff_id: uuid('asked_by_staff_id').references(() => profiles.id),
    requested_at: instant('requested_at').notNull(),
    expires_at: instant('expires_at').notNull(),
  },
  (t) => [
    check('email_change_asked', sql`num_nonnulls(${t.session_id}, ${t.asked_by_staff_id}) = 1`),
    ownRows(`user_id = ${ACTOR}`),
  ],
);

/** A user's authenticator app secret and backup codes, both encrypted with AUTH_SECRET. */
export const two_factors = pgTable('two_factors', {
  id: uuid('id').primaryKey(),
  userId: ownedBy('user_id').unique(),
  secret: text('secret').notNull(),
  backupCodes: text('backup_codes').notNull(),
  /** False between scanning the code and typing the first one. */
  verified: boolean('verified').notNull().default(false),
  failedVerificationCount: integer('failed_verification_count').notNull().default(0),
  lockedUntil: instant('locked_until'),
});

/** Authenticator codes used in the last few minutes; none is accepted twice. */
export const used_totp_codes = pgTable(
  'used_totp_codes',
  {
    user_id: ownedBy('user_id'),
    code: text('code').notNull(),
    used_at: instant('used_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.code] })],
);

/** Keys that sign access tokens; the private parts are encrypted with AUTH_SECRET. */
export const jwks = pgTable('jwks', {
  id: uuid('id').primaryKey(),
  publicKey: text('public_key').notNull(),
  privateKey: text('private_key').notNull(),
  createdAt: instant('created_at').notNull(),
  /** Signs until then; verifies for SIGNING_KEY_GRACE longer. */
  expiresAt: instant('expires_at'),
  alg: text('alg'),
  crv: text('crv'),
});

/** OAuth clients, such as tills, that act for a user until the user's role changes. */
export const api_clients = pgTable(
  'api_clients',
  {
    id: uuid('id').primaryKey(),
    user_id: ownedBy('user_id'),
    name: text('name').notNull(),
    secret_hash: text('secret_hash').notNull(),
    /** Scopes of the client, within its user's rights. */
    scopes: text('scopes').array().$type<ApiScope[]>().notNull().default([]),
    created_at: instant('created_at').notNull(),
    last_used_at: instant('last_used_at'),
  },
  (t) => [index('api_clients_user').on(t.user_id), ownRows(`user_id = ${ACTOR}`)],
);

/** The auth library's passkey table: public keys only. The private keys never leave the users' devices. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: ownedBy('user_id'),
    name: text('name'),
    credentialID: text('credential_id').notNull().unique(),
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports'),
    aaguid: text('aaguid'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [index('passkeys_user').on(t.userId), ownRows(`user_id = ${ACTOR}`)],
);

/**
 * Browsers where a user has signed in before: a stranger's guesses do not lock them out there. A known device skips no
 * sign-in step. One browser may be known to several users, as at a bar.
 */
export const known_devices = pgTable(
  'known_devices',
  {
    user_id: ownedBy('user_id'),
    device_hash: text('device_hash').notNull(),
    created_at: instant('created_at').notNull(),
    /** The last sign-in; docs/rules/accounts.md says for how long the device is known. */
    last_sign_in_at: instant('last_sign_in_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.device_hash] }),
    index('known_devices_device').on(t.device_hash),
    ownRows(`user_id = ${ACTOR}`),
  ],
);

/** Request counters, in the database so that all processes share them. */
export const rate_limits = pgTable('rate_limits', {
  id: uuid('id').primaryKey(),
  key: text('key').notNull().unique(),
  count: integer('count').notNull(),
  /** Milliseconds since 1970, in the auth library's format. */
  lastRequest: bigint('last_request', { mode: 'number' }).notNull(),
});

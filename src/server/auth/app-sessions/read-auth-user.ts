import { type AuthUser, USER_AUDIENCE } from '../../../contract/auth/auth-user.ts';
import type { Db } from '../../db/client.ts';
import { asc, eq } from '../../db/orm.ts';
import { accounts, profiles, two_factors, user_roles } from '../../db/schema.ts';
import type { Auth } from '../better-auth.ts';

/** The password provider's name in `@supabase/auth-js`. */
const EMAIL = 'email';

interface Reading {
  db: Db;
  auth: Pick<Auth, 'confirmsEmails'>;
}

/** Creation time of one of our ids: its first 48 bits are milliseconds since 1970 (UUIDv7). */
const timeOfId = (id: string) =>
  new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString();

/**
 * The user as `@supabase/auth-js` expects it; null without a role. `waits`: the sign-in still waits for a code, so the
 * answer says no more than needed.
 */
export async function readAuthUser(
  { db, auth }: Reading,
  user_id: string,
  { waits }: { waits: boolean } = { waits: false },
): Promise<AuthUser | null> {
  const [row] = await db
    .select({ profile: profiles, role: user_roles.role })
    .from(profiles)
    .innerJoin(user_roles, eq(user_roles.user_id, profiles.id))
    .where(eq(profiles.id, user_id));
  if (!row) return null;
  const { profile, role } = row;
  const ways = waits ? [] : await readIdentities(db, profile);
  const providers = ways.map(({ provider }) => provider);
  const { first_name, last_name, phone, emailVerified: email_verified } = profile;
  const created_at = profile.createdAt.toISOString();
  const isConfirmed = email_verified || !auth.confirmsEmails;
  return {
    id: profile.id,
    aud: USER_AUDIENCE,
    role,
    email: profile.email,
    ...(phone && !waits && { phone }),
    ...(isConfirmed && !waits && { email_confirmed_at: created_at, confirmed_at: created_at }),
    ...(!waits && lastSignIn(profile)),
    app_metadata: { provider: providers[0] ?? EMAIL, providers },
    user_metadata: waits ? {} : { first_name, last_name, ...(phone && { phone }), email_verified },
    identities: ways,
    factors: await readFactors(db, user_id),
    is_anonymous: false,
    created_at,
    updated_at: profile.updatedAt.toISOString(),
  };
}

type Profile = typeof profiles.$inferSelect;

const lastSignIn = ({ last_sign_in_at }: Profile) =>
  last_sign_in_at ? { last_sign_in_at: last_sign_in_at.toISOString() } : {};

async function readIdentities(db: Db, profile: Profile): Promise<AuthUser['identities']> {
  const { id: user_id, email, emailVerified: email_verified } = profile;
  const { id, providerId, accountId, createdAt, updatedAt } = accounts;
  const rows = await db
    .select({ id, providerId, accountId, createdAt, updatedAt })
    .from(accounts)
    .where(eq(accounts.userId, user_id))
    .orderBy(asc(createdAt));
  return rows.map((row) => {
    const isPassword = row.providerId === 'credential';
    return {
      identity_id: row.id,
      id: row.id,
      user_id,
      provider: isPassword ? EMAIL : row.providerId,
      identity_data: { sub: row.accountId, ...(isPassword && { email, email_verified }) },
      ...lastSignIn(profile),
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    };
  });
}

async function readFactors(db: Db, user_id: string): Promise<AuthUser['factors']> {
  const { id, verified } = two_factors;
  const rows = await db.select({ id, verified }).from(two_factors).where(eq(two_factors.userId, user_id));
  return rows.map((row) => ({
    id: row.id,
    factor_type: 'totp',
    status: row.verified ? 'verified' : 'unverified',
    created_at: timeOfId(row.id),
    updated_at: timeOfId(row.id),
  }));
}

import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { id } from '../../../contract/base.ts';
import { text } from '../../../contract/text.ts';
import type { ApiScope } from '../../../domain/staff/api-scope.ts';
import { eq, sql } from '../../db/orm.ts';
import { api_clients, profiles, user_roles } from '../../db/schema.ts';
import { hashOfSecret } from '../../platform/secret-link.ts';
import type { AuthServices } from '../auth-context.ts';
import type { Auth } from '../better-auth.ts';
import { signToken } from '../signing-keys/signed-tokens.ts';

/** Longest life of an access token; every request checks that its client and role still exist. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

export type TokenServices = Pick<AuthServices, 'db' | 'now' | 'newId' | 'log'>;

export interface AuthenticatedClient {
  id: string;
  user_id: string;
  role: 'customer' | 'staff';
  scopes: ApiScope[];
  /** Seconds since 1970, by the database's clock. */
  at: number;
}

/** The client with this id and secret; null if there is none. */
export async function authenticateClient(
  { db, now }: TokenServices,
  { client_id, client_secret }: { client_id: string; client_secret: string },
): Promise<AuthenticatedClient | null> {
  const [row] = await db
    .select({
      id: api_clients.id,
      user_id: api_clients.user_id,
      secret_hash: api_clients.secret_hash,
      scopes: api_clients.scopes,
      role: user_roles.role,
      at: sql<number>`floor(extract(epoch from now()))::float8`,
    })
    .from(api_clients)
    .innerJoin(user_roles, eq(user_roles.user_id, api_clients.user_id))
    .where(eq(api_clients.id, client_id));
  const secretHash = Buffer.from(hashOfSecret(client_secret));
  if (!row || !timingSafeEqual(secretHash, Buffer.from(row.secret_hash))) return null;
  await db.update(api_clients).set({ last_used_at: now() }).where(eq(api_clients.id, row.id));
  return row;
}

/** A signed JWT for the client's user, limited to their current role and these scopes. */
export function signAccessToken(
  auth: Auth,
  services: TokenServices,
  { id: client_id, user_id: sub, role, at: iat }: AuthenticatedClient,
  scopes: readonly ApiScope[],
): Promise<string> {
  return signToken(auth, services, 'api client', {
    sub,
    client_id,
    role,
    scope: scopes.join(' '),
    iat,
    exp: iat + ACCESS_TOKEN_SECONDS,
  });
}

const claims = z.object({
  sub: id,
  client_id: id,
  role: z.enum(['customer', 'staff']),
  scope: text(2000),
});

/** The token's user, read each time: null once its client or role is no longer what it was. */
export async function readAccessToken({ db }: Pick<AuthServices, 'db'>, payload: Record<string, unknown>) {
  const result = claims.safeParse(payload);
  if (!result.success) return null;
  const { sub, client_id, role, scope } = result.data;
  const [row] = await db
    .select({
      user_id: api_clients.user_id,
      scopes: api_clients.scopes,
      role: user_roles.role,
      two_factor: profiles.twoFactorEnabled,
    })
    .from(api_clients)
    .innerJoin(user_roles, eq(user_roles.user_id, api_clients.user_id))
    .innerJoin(profiles, eq(profiles.id, api_clients.user_id))
    .where(eq(api_clients.id, client_id));
  if (row?.user_id !== sub || row.role !== role) return null;
  const scopeNames = scope.split(' ');
  const scopes = row.scopes.filter((it) => scopeNames.includes(it));
  return { ...row, scopes, session_id: client_id, api_client: true, app: false };
}

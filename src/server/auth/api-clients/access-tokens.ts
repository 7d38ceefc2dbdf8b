import { timingSafeEqual } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { api_clients, jwks, profiles, user_roles } from '../../db/schema.ts';
import type { AuthServices } from '../auth-context.ts';
import type { Auth } from '../better-auth.ts';
import { hashSecret } from './api-clients.ts';

export type TokenServices = Pick<AuthServices, 'db' | 'now' | 'newId' | 'log'>;

export interface ClientCredentials {
  client_id: string;
  client_secret: string;
}

/** An API client whose secret was right. */
export interface AuthenticatedClient {
  id: string;
  user_id: string;
  role: 'customer' | 'staff';
  /** Seconds since 1970, by the database's clock. */
  at: number;
}

/** Notes the use of an API client whose secret is right; null for every other. */
export async function authenticateClient(
  { db, now }: TokenServices,
  { client_id, client_secret }: ClientCredentials,
): Promise<AuthenticatedClient | null> {
  const [row] = await db
    .select({
      id: api_clients.id,
      user_id: api_clients.user_id,
      secret_hash: api_clients.secret_hash,
      role: user_roles.role,
      at: sql<number>`floor(extract(epoch from now()))::float8`,
    })
    .from(api_clients)
    .innerJoin(user_roles, eq(user_roles.user_id, api_clients.user_id))
    .where(eq(api_clients.id, client_id));
  const given = Buffer.from(hashSecret(client_secret));
  if (!row || !timingSafeEqual(given, Buffer.from(row.secret_hash))) return null;
  await db.update(api_clients).set({ last_used_at: now() }).where(eq(api_clients.id, row.id));
  return row;
}

/** A signed JWT that speaks for the client's user, in the role they have now. */
export async function signAccessToken(
  auth: Auth,
  { db, newId, log }: TokenServices,
  { id: client_id, user_id: sub, role, at: iat }: AuthenticatedClient,
): Promise<string> {
  const body = { payload: { sub, client_id, role, iat, jti: newId() } };
  try {
    return (await auth.api.signJWT({ body })).token;
  } catch {
    // Encrypted with an earlier AUTH_SECRET; changing the secret ends what was signed under it.
    log.warn('the signing key cannot be decrypted: a new one is made');
    await db.delete(jwks);
    return (await auth.api.signJWT({ body })).token;
  }
}

const claims = z.object({ sub: z.uuid(), client_id: z.uuid(), role: z.enum(['customer', 'staff']) });

/** The access token of a request that brings one, however wrong; null when it brings none. */
export function bearerToken(headers: Headers): string | null {
  const header = headers.get('authorization') ?? '';
  return /^Bearer(?= |$)/i.test(header) ? header.slice('Bearer '.length).trim() : null;
}

/**
 * Whom the token speaks for: signed by us for this API, not expired, and its client and role are still what they
 * were, which the database is asked each time. Null otherwise.
 */
export async function readAccessToken(auth: Auth, { db }: Pick<AuthServices, 'db'>, token: string) {
  if (token.length > 2000) return null;
  const { payload } = await auth.api.verifyJWT({ body: { token } });
  const parsed = claims.safeParse(payload);
  if (!parsed.success) return null;
  const { sub, client_id, role } = parsed.data;
  const [row] = await db
    .select({
      user_id: api_clients.user_id,
      role: user_roles.role,
      two_factor: profiles.twoFactorEnabled,
    })
    .from(api_clients)
    .innerJoin(user_roles, eq(user_roles.user_id, api_clients.user_id))
    .innerJoin(profiles, eq(profiles.id, api_clients.user_id))
    .where(eq(api_clients.id, client_id));
  if (row?.user_id !== sub || row.role !== role) return null;
  return { ...row, session_id: client_id, api_client: true };
}

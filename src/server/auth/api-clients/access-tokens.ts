import { timingSafeEqual } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { z } from 'zod';
import { Refusal } from '../../../domain/refusal.ts';
import { api_clients, jwks, profiles, user_roles } from '../../db/schema.ts';
import { CLIENT_IP_HEADER } from '../../platform/client-ip.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import type { Auth } from '../better-auth.ts';
import type { AuthServices } from '../context.ts';
import { hashSecret } from './api-clients.ts';
import { ACCESS_TOKEN_SECONDS } from './jwks.ts';

/** From one address, and of one machine whose secret is right: a machine needs one in 15 minutes. */
const ADDRESS_LIMIT = { max: 120, window: 60 };
const MACHINE_LIMIT = { max: 30, window: 60 };

const request = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.uuid(),
  client_secret: z.string().min(20).max(200),
});

const refuse = (c: Context, status: 400 | 401 | 415 | 429, error: string, message: string) =>
  // 'error' is what OAuth clients read (RFC 6749), the rest the shape of every other error here.
  c.json({ error, error_description: message, code: error.toUpperCase(), message }, status);

type TokenServices = Pick<AuthServices, 'db' | 'now' | 'newId' | 'log'>;

/** POST /api/auth/token: a machine's id and secret for a short access token (OAuth's client credentials). */
export function tokenHandler(auth: Auth, services: TokenServices) {
  return async (c: Context): Promise<Response> => {
    try {
      const address = c.req.raw.headers.get(CLIENT_IP_HEADER) ?? '';
      await consumeRateLimit(services, `token|${address}`, ADDRESS_LIMIT);
      if (!c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')) {
        return refuse(c, 415, 'invalid_request', 'Send application/x-www-form-urlencoded.');
      }
      const form = new URLSearchParams(await c.req.text());
      const { client_id, client_secret } = basic(c) ?? Object.fromEntries(form);
      const asked = request.safeParse({ grant_type: form.get('grant_type'), client_id, client_secret });
      if (form.get('grant_type') !== 'client_credentials') {
        return refuse(c, 400, 'unsupported_grant_type', 'The grant_type is client_credentials.');
      }
      const machine = asked.success ? await known(services, asked.data) : null;
      if (!machine) {
        c.header('WWW-Authenticate', 'Basic realm="token"');
        return refuse(c, 401, 'invalid_client', 'This machine has no access, or its secret is another.');
      }
      await consumeRateLimit(services, `token|${machine.id}`, MACHINE_LIMIT);
      const access_token = await sign(auth, services, machine);
      return c.json({ access_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_SECONDS });
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'TOO_MANY_ATTEMPTS')) throw error;
      const { retry_after_seconds } = error.data as { retry_after_seconds: number };
      c.header('Retry-After', String(retry_after_seconds));
      return refuse(c, 429, 'too_many_attempts', 'Too many attempts. Please wait a moment and try again.');
    }
  };
}

/** The id and secret of an Authorization header, as OAuth clients prefer to send them. */
function basic(c: Context): { client_id?: string; client_secret?: string } | null {
  const [, encoded] = /^Basic ([\w+/=]{1,600})$/i.exec(c.req.header('authorization') ?? '') ?? [];
  if (!encoded) return null;
  const [client_id, client_secret] = Buffer.from(encoded, 'base64').toString().split(':');
  return { client_id, client_secret };
}

interface KnownMachine {
  id: string;
  user_id: string;
  role: 'customer' | 'staff';
  /** Seconds since 1970, by the database's clock. */
  at: number;
}

/** Notes the use of a machine whose secret is right; null for every other. */
async function known(
  { db, now }: TokenServices,
  { client_id, client_secret }: z.infer<typeof request>,
): Promise<KnownMachine | null> {
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

async function sign(auth: Auth, { db, newId, log }: TokenServices, machine: KnownMachine): Promise<string> {
  const { id: client_id, user_id: sub, role, at: iat } = machine;
  const body = { payload: { sub, client_id, role, iat, jti: newId() } };
  try {
    return (await auth.api.signJWT({ body })).token;
  } catch {
    // Locked with an AUTH_SECRET of before, whose change ends what was signed under it.
    log.warn('the signing key cannot be opened: a new one is made');
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
 * Who the token speaks for: signed by us for this API, not expired, and its machine and role are still what
 * they were, which the database is asked each time. Null when anything of it is not so.
 */
export async function readAccessToken(auth: Auth, { db }: Pick<AuthServices, 'db'>, token: string) {
  if (token.length > 2000) return null;
  const { payload } = await auth.api.verifyJWT({ body: { token } });
  const told = claims.safeParse(payload);
  if (!told.success) return null;
  const { sub, client_id, role } = told.data;
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
  return { ...row, session_id: client_id, machine: true };
}

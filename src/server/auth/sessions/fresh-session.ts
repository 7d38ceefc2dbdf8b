import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import DataLoader from 'dataloader';
import { sql } from 'drizzle-orm';
import type { Db } from '../../db/client.ts';
import { noteShared } from '../../db/pool.ts';
import { preparedRowsOf } from '../../db/statements/prepared-statements.ts';
import { cookiePrefix } from './session-cookie.ts';
import { SESSION_IDLE_SECONDS, SESSION_UPDATE_SECONDS } from './session-lifetime.ts';
import type { SessionResult, SessionUser } from './session-result.ts';

/** The copy of a session in a cookie is renewed when less than this is left of its minute (milliseconds). */
const RENEW_COPY_MS = 30_000;

interface Config {
  db: Db;
  secret: string;
  publicUrl: string;
}

/** Null where the auth library has something to do: no valid session, one to prolong, or a cookie to renew. */
export type ReadFresh = (cookieHeader: string) => Promise<SessionResult | null>;

interface Row extends SessionUser {
  token: string;
  session_id: string;
  /** Milliseconds since 1970, by the database's clock. */
  now: number;
}

/**
 * Reads sessions from the database as the auth library does, but without its detours: the signature is checked at once
 * instead of in a thread of its own, and session, role and second factor are one prepared statement. It only reads:
 * anything that would write a row or a cookie is left to the library.
 */
export function createReadFresh({ db, secret, publicUrl }: Config): ReadFresh {
  const prefix = cookiePrefix(publicUrl);
  const key = createSecretKey(Buffer.from(secret));
  // Requests that arrive together are one statement, read after the last of them arrived. Nothing is kept.
  const rows = new DataLoader((tokens: readonly string[]) => readRows(db, tokens), {
    cache: false,
    batchScheduleFn: setImmediate,
  });
  return async (cookieHeader) => {
    const token = verifiedToken(cookieOf(cookieHeader, `${prefix}.session_token`), key);
    if (token === null) return null;
    const row = await rows.load(token).catch((error: unknown) => {
      throw noteShared(error);
    });
    if (!row) return null;
    const { session_id, now, token: _, ...rest } = row;
    const user = userOf(rest);
    const copy = readCopy(cookieOf(cookieHeader, `${prefix}.session_data`));
    const isYoung = copy !== null && copy.expires_at - now > RENEW_COPY_MS;
    const isSame = copy?.token === token && JSON.stringify(copy.user) === JSON.stringify(user);
    return isYoung && isSame ? { signedIn: { session_id, user }, cookies: [] } : null;
  };
}

/** The row of each token, in their order; null where there is none. A token has no comma. */
async function readRows(db: Db, tokens: readonly string[]): Promise<(Row | null)[]> {
  const rows = await preparedRowsOf<Row>(
    db,
    sql`select s.token, s.id as session_id, s.role, u.id, u.email, u.email_verified, u.first_name, u.last_name, u.phone,
               u.two_factor_enabled as two_factor, extract(epoch from now())::float8 * 1000 as now
          from sessions s join profiles u on u.id = s.user_id
         where s.token = any (string_to_array(${tokens.join(',')}, ','))
           and s.expires_at > now() + make_interval(secs => ${SESSION_IDLE_SECONDS - SESSION_UPDATE_SECONDS})`,
  );
  const found = new Map(rows.map((row) => [row.token, row]));
  return tokens.map((token) => found.get(token) ?? null);
}

/** The fields in one order, so that two users can be compared. */
const userOf = (from: SessionUser): SessionUser => ({
  id: from.id,
  email: from.email,
  email_verified: from.email_verified,
  first_name: from.first_name,
  last_name: from.last_name,
  phone: from.phone,
  role: from.role,
  two_factor: from.two_factor,
});

/** The value of a cookie; null if there is none, or more than one: the library decides which of them counts. */
function cookieOf(header: string, name: string): string | null {
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  const [pair] = values;
  return values.length === 1 && pair !== undefined ? pair.slice(name.length + 1) : null;
}

/** What a cookie `value.signature` holds, with an HMAC-SHA256 in base64; null unless we signed it. */
function verifiedToken(cookie: string | null, key: KeyObject): string | null {
  const [, token, signature] = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9+/]{43}=)$/.exec(decoded(cookie ?? '')) ?? [];
  if (token === undefined || signature === undefined) return null;
  const expected = createHmac('sha256', key).update(token).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'base64')) ? token : null;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

interface Copy {
  token: string;
  user: SessionUser;
  /** Milliseconds since 1970. */
  expires_at: number;
}

/**
 * What the signed copy says. Its signature is not checked, because nothing of it is believed: it only tells whether the
 * copy should be renewed, and whoever forges one keeps a copy that is refused elsewhere.
 */
function readCopy(cookie: string | null): Copy | null {
  if (cookie === null) return null;
  try {
    const { session: copy, expiresAt } = JSON.parse(Buffer.from(cookie, 'base64url').toString());
    const { session, user } = copy;
    return {
      token: session.token,
      expires_at: expiresAt,
      user: userOf({
        ...user,
        email_verified: user.emailVerified,
        phone: user.phone ?? null,
        role: session.role,
        two_factor: user.twoFactorEnabled,
      }),
    };
  } catch {
    return null;
  }
}

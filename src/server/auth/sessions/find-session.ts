import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import DataLoader from 'dataloader';
import type { Db } from '../../db/client.ts';
import { sql } from '../../db/orm.ts';
import { noteShared } from '../../db/pool.ts';
import { preparedStatement } from '../../db/statements/prepared-statements.ts';
import { cookieName, cookieValue } from './session-cookie.ts';
import { SESSION_UPDATE_SECONDS } from './session-lifetime.ts';
import { createSessionMemory } from './session-memory.ts';
import type { SessionResult, SessionUser } from './session-result.ts';

interface Config {
  db: Db;
  secret: string;
  publicUrl: string;
}

interface Row extends SessionUser {
  token: string;
  session_id: string;
}

/**
 * Reads sessions from the database as the auth library does, but faster: the signature is checked at once instead of in its
 * own thread, and session, role and second factor are one prepared statement. Only reads: anything that would write a row
 * or a cookie is left to the library. docs/decisions/sessions.md
 */
export function createFindSession({ db, secret, publicUrl }: Config) {
  const name = cookieName(publicUrl, 'session_token');
  const key = createSecretKey(Buffer.from(secret));
  // Requests that arrive together share one statement, run after the last of them arrived. Nothing is cached.
  const rows = new DataLoader((tokens: readonly string[]) => readRows(db, tokens), {
    cache: false,
    batchScheduleFn: setImmediate,
  });
  const memory = createSessionMemory();
  return {
    /** Null if the auth library must write: no valid session, or use to be recorded. */
    async find(cookieHeader: string): Promise<SessionResult | null> {
      const cookie = cookieValue(cookieHeader, name);
      const token = verifiedToken(cookie, key);
      if (cookie === null || token === null) return null;
      const row = await rows.load(token).catch((error: unknown) => {
        throw noteShared(error);
      });
      memory.forget(cookie);
      if (!row) return null;
      const { session_id, token: _, ...user } = row;
      const { id: user_id, role, two_factor } = user;
      const use = { recorded_within: SESSION_UPDATE_SECONDS };
      if (role === 'staff') memory.keep(cookie, { id: session_id, user_id, role, two_factor, ...use });
      return { signedIn: { session_id, user }, cookies: [] };
    },
    /** The last result for a staff session; null for all others, which no call needs. */
    recall(cookieHeader: string) {
      const cookie = cookieValue(cookieHeader, name);
      return cookie === null ? null : memory.recall(cookie);
    },
  };
}

const readSessions = preparedStatement<Row, { tokens: string }>(
  sql`select s.token, s.id as session_id, s.role, u.id, u.email, u.email_verified, u.first_name, u.last_name, u.phone,
             u.two_factor_enabled as two_factor
        from sessions s join profiles u on u.id = s.user_id
       where s.token = any (string_to_array(${sql.placeholder('tokens')}, ','))
         and s.expires_at > now() and s.updated_at > now() - make_interval(secs => ${SESSION_UPDATE_SECONDS})`,
);

/** The row for each token, in order; null if there is none. A token has no comma. */
async function readRows(db: Db, tokens: readonly string[]): Promise<(Row | null)[]> {
  const rows = await readSessions(db, { tokens: tokens.join(',') });
  const rowOf = new Map(rows.map((row) => [row.token, row]));
  return tokens.map((token) => rowOf.get(token) ?? null);
}

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

import type { Db } from '../../db/client.ts';
import { sql } from '../../db/orm.ts';
import { preparedStatement } from '../../db/statements/prepared-statements.ts';
import type { BarDeviceFacts, SessionUser } from '../sessions/session-result.ts';
import { readDeviceCookie } from './device-cookie.ts';

/** A shared tablet, and the person working on it now. */
export interface BarSession {
  device: BarDeviceFacts;
  /** Null while nobody is signed in on it. */
  person: { session_id: string; user: SessionUser } | null;
}

/** Seconds after which use extends a session again: at most three writes a minute, not one for each request. */
const PROLONG_SECONDS = 20;

interface Row extends SessionUser {
  device_id: string;
  device_name: string;
  idle_minutes: number;
  session_id: string | null;
  left: number;
}

const readTablet = preparedStatement<Row, { hash: string }>(
  sql`select d.id as device_id, d.name as device_name, d.idle_minutes, s.id as session_id, s.role,
             extract(epoch from s.expires_at - now())::float8 as left,
             u.id, u.email, u.email_verified, u.first_name, u.last_name, u.phone, u.two_factor_enabled as two_factor
        from bar_device d
        left join sessions s on s.bar_device_id = d.id and s.expires_at > now() and s.role = 'staff'
        left join profiles u on u.id = s.user_id
       where d.token_hash = ${sql.placeholder('hash')} and d.ended_at is null`,
);

/**
 * The shared tablet that a request comes from; null for any other browser. `isUse`: a person caused the request, which
 * extends their session; a page's own requests do not.
 */
export async function readBarSession(
  { db, publicUrl }: { db: Db; publicUrl: string },
  cookieHeader: string | null,
  isUse: boolean,
): Promise<BarSession | null> {
  const hash = readDeviceCookie(publicUrl, cookieHeader);
  if (!hash) return null;
  const [row] = await readTablet(db, { hash });
  if (!row) return null;
  const { device_id, device_name, idle_minutes, session_id, left, ...user } = row;
  const device = { id: device_id, name: device_name, idle_minutes };
  if (!session_id) return { device, person: null };
  if (isUse && idle_minutes * 60 - left > PROLONG_SECONDS) {
    await db.execute(
      sql`update sessions set expires_at = now() + make_interval(mins => ${idle_minutes}), updated_at = now()
           where id = ${session_id} and expires_at > now()`,
    );
  }
  return { device, person: { session_id, user } };
}

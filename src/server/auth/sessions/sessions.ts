import type { Session } from '../../../contract/auth/sessions.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { and, desc, eq, gt, ne, sql } from '../../db/orm.ts';
import { bar_device, refresh_tokens, sessions } from '../../db/schema.ts';
import type { AuthContext } from '../auth-context.ts';
import type { LibraryContext } from '../library-call.ts';
import { revokeAccess } from '../revoke-access.ts';

type SessionContext = Pick<AuthContext, 'db'> & { actor: AuthContext['actor'] & { session_id: string } };

/** The actor's sessions that have not expired, last used first. */
export async function listSessions({ db, actor }: SessionContext): Promise<Session[]> {
  const { id, userAgent, createdAt, updatedAt } = sessions;
  const rows = await db
    .select({ id, userAgent, createdAt, updatedAt, app: refresh_tokens.session_id, tablet: bar_device.name })
    .from(sessions)
    .leftJoin(refresh_tokens, eq(refresh_tokens.session_id, id))
    .leftJoin(bar_device, eq(bar_device.id, sessions.bar_device_id))
    .where(and(eq(sessions.userId, actor.user_id), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.updatedAt));
  return rows.map((row) => ({
    id: row.id,
    user_agent: row.userAgent || null,
    app: row.app !== null,
    tablet: row.tablet,
    signed_in_at: row.createdAt.toISOString(),
    last_used_at: row.updatedAt.toISOString(),
    current: row.id === actor.session_id,
  }));
}

/** Ends one of the actor's other sessions. Throws Refusal NOT_FOUND if there is none. */
export async function deleteSession(
  { db, actor }: SessionContext,
  { id }: { id: string },
): Promise<{ ended: number }> {
  const filter = and(
    eq(sessions.userId, actor.user_id),
    eq(sessions.id, id),
    ne(sessions.id, actor.session_id),
  );
  const rows = await db.delete(sessions).where(filter).returning({ id: sessions.id });
  if (rows.length === 0) throw new Refusal('NOT_FOUND', { what: 'session' });
  return { ended: rows.length };
}

/** Ends the actor's other sessions, and what else REVOKED names for it, except this session and device. */
export async function deleteOtherSessions({ db, actor, auth, headers }: SessionContext & LibraryContext) {
  const device = await auth.api.getDevice({ headers });
  return db.transaction(async (tx) => {
    const { sessions: count } = await revokeAccess(tx, {
      user_id: actor.user_id,
      cause: 'signed_out_everywhere',
      except: { session: actor.session_id, device },
    });
    return { ended: count };
  });
}

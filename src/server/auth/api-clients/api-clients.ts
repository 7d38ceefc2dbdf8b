import { createHash } from 'node:crypto';
import { and, count, desc, eq } from 'drizzle-orm';
import type { ApiClient } from '../../../contract/api-clients.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { api_clients, profiles } from '../../db/schema.ts';
import type { AuthContext } from '../context.ts';
import { apiClientAddedEmail } from '../emails.ts';
import { reauthenticate } from '../password/reauthenticate.ts';

const MOST = 10;

/** A random secret needs no slow hash: nobody can guess 32 bytes. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('base64url');

/** The actor's machines, newest first. */
export async function listApiClients({ db, actor }: AuthContext): Promise<ApiClient[]> {
  const { id, name, created_at, last_used_at } = api_clients;
  const rows = await db
    .select({ id, name, created_at, last_used_at })
    .from(api_clients)
    .where(eq(api_clients.user_id, actor.user_id))
    .orderBy(desc(created_at));
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }));
}

/**
 * Lets a machine in, in the actor's name, and tells the actor by mail. Throws what confirmPassword throws, and
 * Refusal TOO_MANY_MACHINES.
 */
export async function createApiClient(
  ctx: AuthContext,
  { name, password }: { name: string; password: string },
): Promise<{ client_id: string; client_secret: string }> {
  const { db, actor, now, newId, newSecret, outbox, venue } = ctx;
  await reauthenticate(ctx, actor.user_id, password);
  const client_secret = newSecret();
  return db.transaction(async (tx) => {
    // Of two at the same time, the second counts the first.
    const [person] = await tx.select().from(profiles).where(eq(profiles.id, actor.user_id)).for('update');
    if (!person) throw new Refusal('NOT_SIGNED_IN');
    const own = eq(api_clients.user_id, actor.user_id);
    const [there] = await tx.select({ number: count() }).from(api_clients).where(own);
    if ((there?.number ?? 0) >= MOST) throw new Refusal('TOO_MANY_MACHINES');
    const id = newId();
    await tx.insert(api_clients).values({
      id,
      user_id: actor.user_id,
      name,
      secret_hash: hashSecret(client_secret),
      created_at: now(),
    });
    const to = { user_id: person.id, email: person.email };
    await outbox.post(tx, `machine-added:${id}`, to, apiClientAddedEmail(venue, person.first_name, name));
    return { client_id: id, client_secret };
  });
}

/** Takes a machine's access away at once. Throws Refusal NOT_FOUND when the actor has no such. */
export async function deleteApiClient({ db, actor }: AuthContext, id: string): Promise<{ ended: string }> {
  const [ended] = await db
    .delete(api_clients)
    .where(and(eq(api_clients.user_id, actor.user_id), eq(api_clients.id, id)))
    .returning({ id: api_clients.id });
  if (!ended) throw new Refusal('NOT_FOUND', { what: 'machine' });
  return { ended: ended.id };
}

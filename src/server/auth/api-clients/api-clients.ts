import type { ApiClient } from '../../../contract/auth/api-clients.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { API_SCOPES, type ApiScope } from '../../../domain/staff/api-scope.ts';
import { and, count, desc, eq } from '../../db/orm.ts';
import { api_clients, profiles } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import { hashOfSecret } from '../../platform/secret-link.ts';
import type { AuthContext } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import { reauthenticate } from '../password/reauthenticate.ts';

const MAX_API_CLIENTS = 10;

/** The actor's API clients, newest first. */
export async function listApiClients({ db, actor }: AuthContext): Promise<ApiClient[]> {
  const { id, name, scopes, created_at, last_used_at } = api_clients;
  const rows = await db
    .select({ id, name, scopes, created_at, last_used_at })
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
 * Creates an OAuth client that acts in the actor's name, and emails the actor. Throws what reauthenticate throws, and
 * Refusal TOO_MANY_API_CLIENTS.
 */
export async function createApiClient(
  ctx: AuthContext,
  { name, password, scopes }: { name: string; password: string; scopes: ApiScope[] },
): Promise<{ client_id: string; client_secret: string }> {
  const { db, actor, now, newId, newSecret } = ctx;
  await reauthenticate(ctx, actor.user_id, password);
  const client_secret = newSecret();
  return db.transaction(async (tx) => {
    // The lock makes the second of two simultaneous calls count the first.
    const self = eq(profiles.id, actor.user_id);
    const [user] = await tx.select({ id: profiles.id }).from(profiles).where(self).for('update');
    if (!user) throw new Refusal('NOT_SIGNED_IN');
    const filter = eq(api_clients.user_id, actor.user_id);
    const [total] = await tx.select({ number: count() }).from(api_clients).where(filter);
    if ((total?.number ?? 0) >= MAX_API_CLIENTS) throw new Refusal('TOO_MANY_API_CLIENTS');
    const id = newId();
    await tx.insert(api_clients).values({
      id,
      user_id: actor.user_id,
      name,
      secret_hash: hashOfSecret(client_secret),
      scopes: API_SCOPES.filter((it) => scopes.includes(it)),
      created_at: now(),
    });
    await sendEmail(ctx, tx, {
      user_id: actor.user_id,
      cause: `api-client-added:${id}`,
      email: authEmails.api_client_added.about({ name }),
    });
    return { client_id: id, client_secret };
  });
}

/** Ends an API client's access at once. Throws Refusal NOT_FOUND when the actor has no such client. */
export async function deleteApiClient(
  { db, actor }: AuthContext,
  { id }: { id: string },
): Promise<{ ended: string }> {
  const [row] = await db
    .delete(api_clients)
    .where(and(eq(api_clients.user_id, actor.user_id), eq(api_clients.id, id)))
    .returning({ id: api_clients.id });
  if (!row) throw new Refusal('NOT_FOUND', { what: 'api_client' });
  return { ended: row.id };
}

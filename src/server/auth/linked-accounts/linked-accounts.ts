import { and, eq, ne } from 'drizzle-orm';
import type { LinkedAccount } from '../../../contract/linked-accounts.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { accounts, passkeys, profiles } from '../../db/schema.ts';
import type { AuthContext } from '../context.ts';
import { accountUnlinkedEmail } from '../emails.ts';

/** What the venue offers and what the actor has linked. */
export async function listLinkedAccounts({ db, actor, providers }: AuthContext): Promise<LinkedAccount[]> {
  const rows = await db
    .select({ provider: accounts.providerId, linked_at: accounts.createdAt })
    .from(accounts)
    .where(and(eq(accounts.userId, actor.user_id), ne(accounts.providerId, 'credential')));
  const linked = new Map(rows.map((row) => [row.provider, row.linked_at.toISOString()]));
  const offered = providers.map(({ id, label }) => ({ provider: id, label }));
  const left = [...linked.keys()].filter((id) => !providers.some((it) => it.id === id));
  return [...offered, ...left.map((id) => ({ provider: id, label: id }))].map((it) => ({
    ...it,
    linked_at: linked.get(it.provider) ?? null,
  }));
}

/**
 * Takes an identity away from the actor, and tells them by mail. Throws Refusal NOT_FOUND when it is not
 * linked, LAST_WAY_IN when no password, passkey or other identity
 * that the venue offers would be left.
 */
export async function unlinkAccount(
  { db, actor, providers, outbox, venue, newId }: AuthContext,
  provider: string,
): Promise<{ unlinked: string }> {
  return db.transaction(async (tx) => {
    // Of two that are unlinked at the same time, the second sees what the first has left.
    const [person] = await tx.select().from(profiles).where(eq(profiles.id, actor.user_id)).for('update');
    const ways = await tx.select().from(accounts).where(eq(accounts.userId, actor.user_id));
    const leaving = ways.find((it) => it.providerId === provider && provider !== 'credential');
    if (!person || !leaving) throw new Refusal('NOT_FOUND', { what: 'identity' });
    const left = ways.filter(
      (it) => it !== leaving && (it.password || providers.some(({ id }) => id === it.providerId)),
    );
    const [passkey] = await tx
      .select({ id: passkeys.id })
      .from(passkeys)
      .where(eq(passkeys.userId, actor.user_id))
      .limit(1);
    if (left.length === 0 && !passkey) throw new Refusal('LAST_WAY_IN');
    await tx.delete(accounts).where(eq(accounts.id, leaving.id));
    const label = providers.find(({ id }) => id === provider)?.label ?? provider;
    const to = { user_id: person.id, email: person.email };
    await outbox.post(
      tx,
      `identity-unlinked:${newId()}`,
      to,
      accountUnlinkedEmail(venue, person.first_name, label),
    );
    return { unlinked: provider };
  });
}

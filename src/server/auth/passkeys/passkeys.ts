import { and, asc, eq } from 'drizzle-orm';
import type { Passkey } from '../../../contract/passkeys.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { passkeys, profiles } from '../../db/schema.ts';
import type { AuthContext } from '../context.ts';
import { passkeyRemovedEmail } from '../emails.ts';
import { reauthenticate } from '../password/reauthenticate.ts';

/** What a passkey is called that came without a name. */
export const DEFAULT_PASSKEY_NAME = 'Passkey';

const shown = ({ id, name, createdAt, lastUsedAt }: typeof passkeys.$inferSelect): Passkey => ({
  id,
  name: name || DEFAULT_PASSKEY_NAME,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});

const own = ({ actor }: AuthContext, id: string) =>
  and(eq(passkeys.userId, actor.user_id), eq(passkeys.id, id));

/** The actor's passkeys, oldest first. */
export async function listPasskeys({ db, actor }: AuthContext): Promise<Passkey[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, actor.user_id))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
  return rows.map(shown);
}

/** Throws Refusal NOT_FOUND when the actor has no such passkey. */
export async function renamePasskey(ctx: AuthContext, id: string, name: string): Promise<Passkey> {
  const [renamed] = await ctx.db.update(passkeys).set({ name }).where(own(ctx, id)).returning();
  if (!renamed) throw new Refusal('NOT_FOUND', { what: 'passkey' });
  return shown(renamed);
}

/**
 * Removes one of the actor's passkeys and tells them by mail. That the password was right is also why it is never
 * the last way in. Throws Refusal NOT_FOUND, and what confirmPassword throws.
 */
export async function deletePasskey(
  ctx: AuthContext,
  id: string,
  password: string,
): Promise<{ removed: true }> {
  const { db, newId, actor, outbox, venue } = ctx;
  const [there] = await db.select({ id: passkeys.id }).from(passkeys).where(own(ctx, id));
  if (!there) throw new Refusal('NOT_FOUND', { what: 'passkey' });
  await reauthenticate(ctx, actor.user_id, password);
  await db.transaction(async (tx) => {
    const [removed] = await tx.delete(passkeys).where(own(ctx, id)).returning({ name: passkeys.name });
    if (!removed) throw new Refusal('NOT_FOUND', { what: 'passkey' });
    const [person] = await tx
      .select({ email: profiles.email, first_name: profiles.first_name })
      .from(profiles)
      .where(eq(profiles.id, actor.user_id));
    if (!person) return;
    const words = passkeyRemovedEmail(venue, person.first_name, removed.name || DEFAULT_PASSKEY_NAME);
    await outbox.post(
      tx,
      `passkey-removed:${newId()}`,
      { user_id: actor.user_id, email: person.email },
      words,
    );
  });
  return { removed: true };
}

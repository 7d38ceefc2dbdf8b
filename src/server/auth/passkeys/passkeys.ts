import type { Passkey } from '../../../contract/auth/auth.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { and, asc, eq } from '../../db/orm.ts';
import { passkeys } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import type { AuthContext } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import { reauthenticate } from '../password/reauthenticate.ts';

const DEFAULT_PASSKEY_NAME = 'Passkey';

const publicFields = ({ id, name, createdAt, lastUsedAt }: typeof passkeys.$inferSelect): Passkey => ({
  id,
  name: name || DEFAULT_PASSKEY_NAME,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});

const ownPasskey = ({ actor }: AuthContext, id: string) =>
  and(eq(passkeys.userId, actor.user_id), eq(passkeys.id, id));

export async function listPasskeys({ db, actor }: AuthContext): Promise<Passkey[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, actor.user_id))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
  return rows.map(publicFields);
}

/** Throws Refusal NOT_FOUND when the actor has no such passkey. */
export async function renamePasskey(
  ctx: AuthContext,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const [row] = await ctx.db.update(passkeys).set({ name }).where(ownPasskey(ctx, id)).returning();
  if (!row) throw new Refusal('NOT_FOUND', { what: 'passkey' });
  return publicFields(row);
}

/**
 * Removes one of the actor's passkeys and emails them. Requires the password, so a passkey is never the last way to sign
 * in. Throws Refusal NOT_FOUND, and what reauthenticate throws.
 */
export async function deletePasskey(
  ctx: AuthContext,
  { id, password }: { id: string; password: string },
): Promise<{ removed: true }> {
  const { db, newId, actor } = ctx;
  const [passkey] = await db.select({ id: passkeys.id }).from(passkeys).where(ownPasskey(ctx, id));
  if (!passkey) throw new Refusal('NOT_FOUND', { what: 'passkey' });
  await reauthenticate(ctx, actor.user_id, password);
  await db.transaction(async (tx) => {
    const [row] = await tx.delete(passkeys).where(ownPasskey(ctx, id)).returning({ name: passkeys.name });
    if (!row) throw new Refusal('NOT_FOUND', { what: 'passkey' });
    await sendEmail(ctx, tx, {
      user_id: actor.user_id,
      cause: `passkey-removed:${newId()}`,
      email: authEmails.passkey_removed.about({ name: row.name || DEFAULT_PASSKEY_NAME }),
    });
  });
  return { removed: true };
}

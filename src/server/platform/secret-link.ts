import { createHash } from 'node:crypto';
import { Refusal } from '../../contract/refusals.ts';
import type { Db, Tx } from '../db/client.ts';
import { type AnyPgColumn, eq, lte, type PgTable, type SQL } from '../db/orm.ts';

/** A table whose rows each have a secret link: staff and household invitations, email changes, and the like. */
type LinkTable = PgTable & { token_hash: AnyPgColumn; expires_at: AnyPgColumn };

/** What a row stores of a secret with 32 random bytes: SHA-256, base64url. Such a secret needs no slow hash. */
export const hashOfSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

/** A new secret for a link, which is not stored, and what its row stores instead. */
export function newLink(
  { newSecret, now }: { newSecret(): string; now(): Date },
  { minutes }: { minutes: number },
) {
  const [token, created_at] = [newSecret(), now()];
  const expires_at = new Date(created_at.getTime() + minutes * 60_000);
  return { token, link: { token_hash: hashOfSecret(token), created_at, expires_at } };
}

export const hasToken = ({ token_hash }: LinkTable, token: string): SQL =>
  eq(token_hash, hashOfSecret(token));

/** The row of a link, expired or not. Throws Refusal LINK_INVALID. */
export async function readLink<Table extends LinkTable>(
  db: Db | Tx,
  table: Table,
  token: string,
): Promise<Table['$inferSelect']> {
  const [row] = await db
    .select()
    .from(table as PgTable)
    .where(hasToken(table, token));
  if (!row) throw new Refusal('LINK_INVALID');
  return row;
}

/** Throws Refusal LINK_EXPIRED. */
export function assertNotExpired({ expires_at }: { expires_at: Date }, now: Date): void {
  if (expires_at <= now) throw new Refusal('LINK_EXPIRED');
}

/** Deletes the row of a link, so that it works once; of two at once, one gets it. Throws Refusal LINK_INVALID. */
export async function consumeLink<Table extends LinkTable>(
  tx: Tx,
  table: Table,
  token: string,
): Promise<Table['$inferSelect']> {
  const [row] = await tx.delete(table).where(hasToken(table, token)).returning();
  if (!row) throw new Refusal('LINK_INVALID');
  return row as Table['$inferSelect'];
}

export async function deleteExpiredLinks(db: Db, table: LinkTable, before: Date): Promise<void> {
  await db.delete(table).where(lte(table.expires_at, before));
}

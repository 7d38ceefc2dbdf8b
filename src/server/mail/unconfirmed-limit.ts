import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/client.ts';
import { countRequest } from '../platform/rate-limit.ts';

/** Emails to an unconfirmed email, for whatever reason: docs/rules.md, "Confirming emails". Seconds. */
const UNCONFIRMED_LIMIT = { max: 3, window: 86_400 };

/**
 * Counts an email to an unconfirmed email; false if that has had enough for a day. Counted by the email itself, outside
 * of the account, so that deleting the account and signing up again gives no more; rolled back with the email.
 */
export async function mayEmailUnconfirmed(
  ctx: { now(): Date; newId(): string },
  db: Db | Tx,
  email: string,
): Promise<boolean> {
  const hash = createHash('sha256').update(email.toLowerCase()).digest('base64url');
  return (await countRequest({ ...ctx, db }, `unconfirmed-email:${hash}`, UNCONFIRMED_LIMIT)) === 0;
}

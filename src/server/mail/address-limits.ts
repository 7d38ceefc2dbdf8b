import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/client.ts';
import { countRequest } from '../platform/rate-limit.ts';

/** Emails to an unconfirmed email, for whatever reason: docs/rules/accounts.md, "Confirming emails". Seconds. */
const UNCONFIRMED_LIMIT = { max: 3, window: 86_400 };

/**
 * Emails to a confirmed email because someone else entered it: at a sign-up, as their own new email, or to share a
 * membership. Seconds.
 */
const ENTERED_LIMIT = { max: 3, window: 86_400 };

interface LimitContext {
  now(): Date;
  newId(): string;
}

/**
 * Counts an email to an unconfirmed email; false if that has had enough for a day. Counted by the email itself, outside
 * of the account, so that deleting the account and signing up again gives no more; rolled back with the email.
 */
export async function mayEmailUnconfirmed(ctx: LimitContext, db: Db | Tx, email: string): Promise<boolean> {
  return (await countRequest({ ...ctx, db }, `unconfirmed-email:${hashOf(email)}`, UNCONFIRMED_LIMIT)) === 0;
}

/** The same for a confirmed email that someone else entered. */
export async function mayEmailOwner(ctx: LimitContext, db: Db | Tx, email: string): Promise<boolean> {
  return (await countRequest({ ...ctx, db }, `entered-email:${hashOf(email)}`, ENTERED_LIMIT)) === 0;
}

const hashOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url');

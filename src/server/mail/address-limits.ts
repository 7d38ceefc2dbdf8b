import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/client.ts';
import { countRequest } from '../platform/rate-limit.ts';

/** Per unconfirmed address, for emails of any kind: docs/rules/accounts.md, "Confirming emails". Seconds. */
const UNCONFIRMED_LIMIT = { max: 3, window: 86_400 };

/** Emails to a confirmed address that someone else enters: at a sign-up, as a new email, or to share. Seconds. */
const ENTERED_LIMIT = { max: 3, window: 86_400 };

interface LimitContext {
  now(): Date;
  newId(): string;
}

/**
 * Counts an email to an unconfirmed address; false if the daily limit is reached. Counted per address, so that deleting the
 * account and signing up again does not reset it; rolled back with the email.
 */
export async function mayEmailUnconfirmed(ctx: LimitContext, db: Db | Tx, email: string): Promise<boolean> {
  return (await countRequest({ ...ctx, db }, `unconfirmed-email:${hashOf(email)}`, UNCONFIRMED_LIMIT)) === 0;
}

/** Whether a confirmed address that someone else entered may get another email. */
export async function mayEmailOwner(ctx: LimitContext, db: Db | Tx, email: string): Promise<boolean> {
  return (await countRequest({ ...ctx, db }, `entered-email:${hashOf(email)}`, ENTERED_LIMIT)) === 0;
}

const hashOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url');

import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/client.ts';
import { countRequest } from '../platform/rate-limit.ts';

/**
 * Emails to an unconfirmed address that are not about money: docs/rules/accounts.md, "Confirming emails". The window is in
 * seconds.
 */
const UNCONFIRMED_LIMIT = { max: 3, window: 86_400 };

/**
 * The same for all addresses of one inbox, of which anyone can make as many as they like: tom+a@, tom+b@. The window is in
 * seconds.
 */
const INBOX_LIMIT = { max: 12, window: 86_400 };

/**
 * Emails to a confirmed address that someone else enters: at a sign-up, as a new email, or to share. The window is in
 * seconds.
 */
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
  const within = async (key: string, limit: typeof INBOX_LIMIT) =>
    (await countRequest({ ...ctx, db }, key, limit)) === 0;
  return (
    (await within(`unconfirmed-email:${hashOf(email)}`, UNCONFIRMED_LIMIT)) &&
    (await within(`unconfirmed-inbox:${hashOf(inboxOf(email))}`, INBOX_LIMIT))
  );
}

/** The address without its tag (RFC 5233), and at Gmail without dots, which it ignores. */
function inboxOf(email: string): string {
  const [mailbox = '', domain = ''] = email.toLowerCase().split('@');
  const tag = mailbox.indexOf('+');
  const name = tag > 0 ? mailbox.slice(0, tag) : mailbox;
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

/** Counts an email to a confirmed address that someone else entered; false if the daily limit is reached. */
export async function mayEmailOwner(ctx: LimitContext, db: Db | Tx, email: string): Promise<boolean> {
  return (await countRequest({ ...ctx, db }, `entered-email:${hashOf(email)}`, ENTERED_LIMIT)) === 0;
}

const hashOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url');

import type { Db, Tx } from '../db/client.ts';
import { and, eq, isNull } from '../db/orm.ts';
import { profiles } from '../db/schema.ts';
import { composeEmail, type Venue } from './email.ts';
import type { EmailMessage } from './email-text.ts';
import type { Outbox } from './outbox.ts';

export interface MailContext {
  outbox: Outbox;
  venue: Venue;
}

export interface EmailRequest {
  user_id: string;
  /** The event and its object: the same cause is sent once. */
  cause: string;
  /** About the user's money or membership: always sent. Other emails are limited until the email is confirmed. */
  aboutMoney?: boolean;
  /** How long it can be withdrawn. */
  delayMs?: number;
  email: EmailMessage;
  /** A tier's display name; a default otherwise. */
  label?: (tier: string) => string;
  /** The secret of the reader's link to turn personal emails off. */
  unsubscribeToken?: string;
}

/**
 * Writes an email to a user and enqueues it in the caller's transaction. Does nothing if the user does not exist, deleted
 * their account, or has an unconfirmed email over the daily limit.
 */
export async function sendEmail(
  { outbox, venue }: MailContext,
  tx: Db | Tx,
  { user_id, cause, aboutMoney = false, delayMs, email, label, unsubscribeToken }: EmailRequest,
): Promise<void> {
  const [user] = await tx
    .select({ email: profiles.email, first_name: profiles.first_name, confirmed: profiles.emailVerified })
    .from(profiles)
    .where(and(eq(profiles.id, user_id), isNull(profiles.erased_at)));
  if (!user) return;
  const isLimited = !user.confirmed && !aboutMoney;
  const to = { user_id, email: user.email, limited: isLimited, delayMs };
  await outbox.enqueue(tx, cause, to, composeEmail(venue, email, user.first_name, label, unsubscribeToken));
}

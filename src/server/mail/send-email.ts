import { and, eq, isNull } from 'drizzle-orm';
import type { Db, Tx } from '../db/client.ts';
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
  /** What happened, and to what: the same cause is sent once. */
  cause: string;
  /** About the user's money or membership: sent however many they get. Others are limited until they confirm the email. */
  aboutMoney?: boolean;
  /** How long it can still be withdrawn. */
  delayMs?: number;
  email: EmailMessage;
  /** A tier's display name; the product's own by default. */
  label?: (tier: string) => string;
}

/**
 * Writes an email to a user and enqueues it inside the caller's transaction. Does nothing when there is no such
 * user, they deleted their account, or never confirmed their email and had enough for a day.
 */
export async function sendEmail(
  { outbox, venue }: MailContext,
  tx: Db | Tx,
  { user_id, cause, aboutMoney = false, delayMs, email, label }: EmailRequest,
): Promise<void> {
  const [user] = await tx
    .select({ email: profiles.email, first_name: profiles.first_name, confirmed: profiles.emailVerified })
    .from(profiles)
    .where(and(eq(profiles.id, user_id), isNull(profiles.erased_at)));
  if (!user) return;
  const limited = !user.confirmed && !aboutMoney;
  const to = { user_id, email: user.email, limited, delayMs };
  await outbox.enqueue(tx, cause, to, composeEmail(venue, email, user.first_name, label));
}

import { and, eq, isNull } from 'drizzle-orm';
import type { Db, Tx } from '../db/client.ts';
import { profiles } from '../db/schema.ts';
import type { Email, Venue } from './email.ts';
import type { Outbox } from './outbox.ts';

export interface MailContext {
  outbox: Outbox;
  venue: Venue;
}

export interface EmailRequest {
  user_id: string;
  /** What happened, and to what: the same cause is sent once. */
  cause: string;
  compose(venue: Venue, firstName: string): Email;
}

/**
 * Writes an email to a user and enqueues it inside the caller's transaction. Does nothing when there is no such
 * user, or they deleted their account.
 */
export async function sendEmail(
  { outbox, venue }: MailContext,
  tx: Db | Tx,
  { user_id, cause, compose }: EmailRequest,
): Promise<void> {
  const [user] = await tx
    .select({ email: profiles.email, first_name: profiles.first_name })
    .from(profiles)
    .where(and(eq(profiles.id, user_id), isNull(profiles.erased_at)));
  if (user) await outbox.enqueue(tx, cause, { user_id, email: user.email }, compose(venue, user.first_name));
}

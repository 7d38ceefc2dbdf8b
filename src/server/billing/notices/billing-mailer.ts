import { eq } from 'drizzle-orm';
import type { Tx } from '../../db/client.ts';
import { profiles } from '../../db/schema.ts';
import type { Venue } from '../../mail/email.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { BillingNotice } from '../billing-context.ts';
import { billingEmail } from './billing-emails.ts';

/** Enqueues the email about a billing notice in the transaction of its cause, so that both are committed or neither. */
export function billingMailer({ outbox, venue }: { outbox: Outbox; venue: Venue }) {
  return async (tx: Tx, notice: BillingNotice): Promise<void> => {
    const [profile] = await tx
      .select({ email: profiles.email, first_name: profiles.first_name })
      .from(profiles)
      .where(eq(profiles.id, notice.user_id));
    if (!profile) return;
    const email = billingEmail(notice, profile.first_name, venue);
    await outbox.enqueue(tx, notice.cause, { user_id: notice.user_id, email: profile.email }, email);
  };
}

import { paymentFailedMessage } from '../../../domain/push/push-message.ts';
import type { Tx } from '../../db/client.ts';
import type { Venue } from '../../mail/email.ts';
import type { PushOutbox } from '../../push/push-outbox.ts';
import type { BillingNotice } from '../billing-context.ts';

/** A push notification beside the email about a failed payment: no other notice needs action by a day. */
export function billingPusher({ push, venue }: { push: PushOutbox; venue: Venue }) {
  return async (tx: Tx, notice: BillingNotice): Promise<void> => {
    if (notice.type !== 'payment_failed') return;
    const { user_id, cause, grace_until } = notice;
    const message = paymentFailedMessage(venue.club_name);
    await push.enqueue(tx, { user_id, cause, message, expires_at: grace_until });
  };
}

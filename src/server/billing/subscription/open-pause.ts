import { and, eq, inArray } from 'drizzle-orm';
import { OPEN_PAUSES } from '../../../domain/membership/pause.ts';
import type { Db, Tx } from '../../db/client.ts';
import { membership_pause } from '../../db/schema.ts';
import type { StoredSubscription } from '../sync/local-state.ts';

/** The pause that was asked for here and is to come, or has begun. */
export async function openPause(
  db: Db | Tx,
  { user_id, stripe_subscription_id }: Pick<StoredSubscription, 'user_id' | 'stripe_subscription_id'>,
) {
  const [pause] = await db
    .select()
    .from(membership_pause)
    .where(
      and(
        eq(membership_pause.user_id, user_id),
        eq(membership_pause.stripe_subscription_id, stripe_subscription_id),
        inArray(membership_pause.status, OPEN_PAUSES),
      ),
    );
  return pause ?? null;
}

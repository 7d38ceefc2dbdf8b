import { CLOCK_SKEW_MS } from '../../../domain/calendar.ts';
import {
  and,
  asc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from '../../db/orm.ts';
import {
  billing_act,
  billing_customer,
  billing_refund,
  billing_reversal,
  billing_subscription,
  checkout_attempt,
  gift_membership,
  membership_applications,
  profiles,
  stripe_event,
} from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';
import { isOpenMove } from '../state/acts.ts';

const BATCH = 200;
const MINUTE = 60_000;

/** Leaves webhooks time to do the work first. */
const OVERDUE_AFTER_MS = 5 * MINUTE;

type TriedAt =
  | typeof billing_customer.tried_at
  | typeof checkout_attempt.tried_at
  | typeof stripe_event.tried_at;

/** Least recently tried first, so that permanent failures never block the rest. */
const leastRecentlyTried = (tried_at: TriedAt): SQL => sql`${tried_at} asc nulls first`;

const ago = ({ now }: BillingContext, ms: number) => new Date(now().getTime() - ms);

/** Whether an instant is long enough ago, or in the future: then the clock was wrong, and waiting would take too long. */
const isOverdue = (
  instant:
    | typeof checkout_attempt.created_at
    | typeof stripe_event.received_at
    | typeof billing_subscription.synced_at
    | typeof gift_membership.created_at
    | typeof billing_customer.synced_at,
  ctx: BillingContext,
  ms: number,
) => or(lt(instant, ago(ctx, ms)), gt(instant, ago(ctx, -CLOCK_SKEW_MS)));

/** Checkout attempts that no webhook settled. `isPending`: the application, if there is one, still waits for its payment. */
export async function attemptsToSettle(ctx: BillingContext) {
  const rows = await ctx.db
    .select({ attempt: checkout_attempt, status: membership_applications.status })
    .from(checkout_attempt)
    .leftJoin(membership_applications, eq(membership_applications.id, checkout_attempt.application_id))
    .where(
      and(
        inArray(checkout_attempt.status, ['creating', 'open']),
        isOverdue(checkout_attempt.created_at, ctx, OVERDUE_AFTER_MS),
      ),
    )
    .orderBy(leastRecentlyTried(checkout_attempt.tried_at), asc(checkout_attempt.created_at))
    .limit(BATCH);
  return rows.map(({ attempt, status }) => ({ attempt, isPending: status === null || status === 'pending' }));
}

/** Stored events that are not processed yet. */
export function eventsToRetry(ctx: BillingContext) {
  return ctx.db
    .select()
    .from(stripe_event)
    .where(and(isNull(stripe_event.processed_at), isOverdue(stripe_event.received_at, ctx, OVERDUE_AFTER_MS)))
    .orderBy(leastRecentlyTried(stripe_event.tried_at), asc(stripe_event.received_at))
    .limit(BATCH);
}

/** A move announced since the last check, for a subscription whose charge differs from its price. */
function unpreviewedMove({ db }: BillingContext) {
  const s = billing_subscription;
  return db
    .select({ id: billing_act.id })
    .from(billing_act)
    .where(
      and(
        eq(billing_act.stripe_subscription_id, s.stripe_subscription_id),
        isOpenMove,
        gte(billing_act.created_at, s.synced_at),
        isNotNull(s.preview),
      ),
    );
}

/** Gifts with a due refund, or whose page was not checked for a while. */
function unsettledGift(ctx: BillingContext) {
  const { buyer_id, status, stripe_session_id, created_at } = gift_membership;
  const { user_id, synced_at } = billing_customer;
  return ctx.db
    .select({ id: gift_membership.id })
    .from(gift_membership)
    .where(
      and(
        eq(buyer_id, user_id),
        or(
          eq(status, 'refunding'),
          and(
            eq(status, 'ordered'),
            isNotNull(stripe_session_id),
            isOverdue(created_at, ctx, OVERDUE_AFTER_MS),
            or(isNull(synced_at), isOverdue(synced_at, ctx, OVERDUE_AFTER_MS)),
          ),
        ),
      ),
    );
}

/** Deletes orders of gifts whose payment page was never stored, so it was never shown and cannot be paid. */
export async function deleteLostOrders(ctx: BillingContext): Promise<void> {
  const { status, stripe_session_id, created_at } = gift_membership;
  const isLost = and(eq(status, 'ordered'), isNull(stripe_session_id));
  await ctx.db.delete(gift_membership).where(and(isLost, isOverdue(created_at, ctx, OVERDUE_AFTER_MS)));
}

/**
 * Users with a due act, an open reversal or refund, an unsettled gift, or a subscription to look at: at the time set by its
 * last reconciliation, or because a move was announced since without a preview.
 */
export async function usersToReconcile(ctx: BillingContext): Promise<string[]> {
  const { db, now } = ctx;
  const s = billing_subscription;
  // The clock was ahead when it was looked at last.
  const isAhead = gt(s.synced_at, ago(ctx, -CLOCK_SKEW_MS));
  const isDue = and(
    eq(s.user_id, billing_customer.user_id),
    isNotNull(s.look_again_at),
    or(lte(s.look_again_at, now()), isAhead, exists(unpreviewedMove(ctx))),
  );
  const isOpen = and(
    eq(billing_reversal.user_id, billing_customer.user_id),
    isNull(billing_reversal.done_at),
  );
  const isAsked = and(
    eq(billing_refund.user_id, billing_customer.user_id),
    eq(billing_refund.status, 'asked'),
  );
  const isActDue = and(eq(billing_act.user_id, billing_customer.user_id), lte(billing_act.due, now()));
  const rows = await db
    .select({ user_id: billing_customer.user_id })
    .from(billing_customer)
    .where(
      or(
        exists(db.select({ id: billing_act.user_id }).from(billing_act).where(isActDue)),
        exists(db.select({ id: billing_refund.user_id }).from(billing_refund).where(isAsked)),
        exists(db.select({ id: billing_reversal.user_id }).from(billing_reversal).where(isOpen)),
        exists(db.select({ id: s.user_id }).from(s).where(isDue)),
        exists(unsettledGift(ctx)),
      ),
    )
    .orderBy(leastRecentlyTried(billing_customer.tried_at))
    .limit(BATCH);
  return rows.map(({ user_id }) => user_id);
}

/** Users whose name or email may have changed since it was last sent to Stripe. */
export async function profilesToSend({ db }: BillingContext): Promise<string[]> {
  // Our clock counts milliseconds, the database's microseconds.
  const changed = sql`${billing_customer.profile_sent_at}
    is distinct from date_trunc('milliseconds', ${profiles.updatedAt})`;
  const rows = await db
    .select({ user_id: billing_customer.user_id })
    .from(billing_customer)
    .innerJoin(profiles, eq(profiles.id, billing_customer.user_id))
    .where(and(isNull(profiles.erased_at), changed))
    .orderBy(leastRecentlyTried(billing_customer.tried_at))
    .limit(BATCH);
  return rows.map(({ user_id }) => user_id);
}

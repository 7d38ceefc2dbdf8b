import type { PauseOffer } from '../../../contract/billing.ts';
import type { Subscription } from '../../../contract/functions.ts';
import { Refusal } from '../../../contract/refusals.ts';
import {
  isTooLateToPause,
  PAUSE_MONTHS,
  type PauseMonths,
  type PauseObstacle,
  pauseAgainAt,
  pauseMonthsLeft,
  pauseObstacle,
  pauseSpan,
  skippedMonths,
} from '../../../domain/membership/pause.ts';
import { returnCents } from '../../../domain/membership/upcoming-charges.ts';
import { isEnded, standingOf } from '../../../domain/standing.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, inArray, lte } from '../../db/orm.ts';
import { refusing } from '../../db/results.ts';
import { billing_act, billing_subscription, tier_change } from '../../db/schema.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { openPause, type PauseAct } from '../state/acts.ts';
import { isPeriodPaid } from '../state/card-periods.ts';
import { currentSubscription, lockSubscription } from '../state/current-subscription.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { orUnavailable } from '../stripe-errors.ts';
import { getSubscriptionDetails, pauseShown, readSubscription } from '../subscription/subscription.ts';

export interface PauseRequest {
  months: PauseMonths;
  /** Staff are not bound by the venue's longest pause or by the months a member may pause in a year. */
  asked_by: 'member' | 'staff';
  /** Records the act of staff, in its transaction. */
  audit?: (tx: Tx) => Promise<void>;
}

/** Throws Refusal PAUSE_REFUSED. */
export function refusePause(reason: PauseObstacle): never {
  throw new Refusal('PAUSE_REFUSED', { reason });
}

const seconds = (instant: Date) => Math.floor(instant.getTime() / 1000);

/** Whether the member can pause now and for how long, from our own copy. Times in epoch seconds, amounts in cents. */
export async function getPauseOffer({
  billing: ctx,
  actor: { user_id: userId },
}: BillingCall): Promise<PauseOffer> {
  const row = await currentSubscription(ctx, userId);
  const { pause_months, pause_months_a_year: months_a_year } = ctx.rules();
  if (!row || isEnded(row.status))
    return { obstacle: 'not_offered', again_at: null, months_a_year, choices: [], pause: null };
  const skipped = await monthsSkipped(ctx.db, userId, ctx.now());
  const months_left = pauseMonthsLeft(skipped, row.current_period_end, months_a_year);
  const obstacle =
    pause_months === 0
      ? 'not_offered'
      : pauseObstacle({ ...row, ...(await factsOf(ctx.db, row, ctx.now())), months_left }, ctx.now());
  return {
    obstacle,
    again_at: obstacle === 'too_soon' ? seconds(pauseAgainAt(skipped, row, months_a_year)) : null,
    months_a_year,
    choices: obstacle
      ? []
      : PAUSE_MONTHS.filter((months) => months <= Math.min(pause_months, months_left)).map((months) => {
          const { from, until } = pauseSpan(row, months);
          return { months, from: seconds(from), until: seconds(until) };
        }),
    pause: await pauseOf(ctx, row),
  };
}

async function pauseOf(ctx: BillingContext, row: StoredSubscription): Promise<PauseOffer['pause']> {
  const { currency, tax_behavior } = row;
  const shown = pauseShown(row, ctx.now());
  if (!shown) return null;
  return {
    ...shown,
    // A pause made at Stripe is ended there.
    can_end: (await openPause(ctx.db, row)) !== null,
    amount: returnCents(row),
    currency,
    tax_behavior,
  };
}

/** Pauses the member's own membership. Throws what pauseMembership throws. */
export async function pauseOwn(
  call: BillingCall,
  { months }: { months: PauseMonths },
): Promise<{ subscription: Subscription | null }> {
  await pauseMembership(call.billing, call.actor.user_id, { months, asked_by: 'member' });
  return getSubscriptionDetails(call);
}

/** Pauses a member's membership for staff. Throws Refusal NOT_FOUND, and what pauseMembership throws. */
export async function pauseForMember(
  { billing, actor }: BillingCall,
  { customer_id, months }: { customer_id: string; months: PauseMonths },
): Promise<{ pause: Subscription['pause'] }> {
  const subject_id = await userOfMember(billing.db, customer_id);
  const audit = (tx: Tx) =>
    recordAudit(tx, { ...billing, actor }, { act: 'membership_paused', subject_id, facts: { months } });
  await pauseMembership(billing, subject_id, { months, asked_by: 'staff', audit });
  return readPause(billing, subject_id);
}

export async function readPause(
  billing: BillingContext,
  user_id: string,
): Promise<{ pause: Subscription['pause'] }> {
  return { pause: (await readSubscription(billing, user_id))?.pause ?? null };
}

/**
 * Pauses the membership from the end of the paid period for `months` months (docs/rules/membership.md, "Pausing"). The
 * pause is committed before the request to Stripe; if Stripe does not answer, the sweeper completes it. Repeating the
 * call while a pause of as many months is open changes nothing. Throws Refusal NO_SUBSCRIPTION, PAUSE_REFUSED or
 * PAYMENTS_UNAVAILABLE.
 */
export async function pauseMembership(
  ctx: BillingContext,
  userId: string,
  request: PauseRequest,
): Promise<void> {
  if (request.asked_by === 'member' && request.months > ctx.rules().pause_months) refusePause('not_offered');
  await ctx.runInUserQueue(userId, () =>
    orUnavailable(ctx.log, 'pause', async () => {
      await ctx.reconcile(userId);
      const row = await currentSubscription(ctx, userId);
      if (!row || isEnded(row.status)) throw new Refusal('NO_SUBSCRIPTION');
      const open = await openPause(ctx.db, row);
      const isSame = open && open.terms.months === request.months && open.state !== 'withdrawing';
      const pause = isSame ? open : await storePause(ctx, row, request);
      if (pause.state !== 'set') await ctx.reconcile(userId);
      const [{ state } = pause] = await ctx.db.select().from(billing_act).where(eq(billing_act.id, pause.id));
      if (state === 'refused' && isTooLateToPause(pause, ctx.now())) refusePause('renewing');
      if (state !== 'set') throw new Refusal('PAYMENTS_UNAVAILABLE');
    }),
  );
}

/** Commits the pause, under the lock that reconcile and a tier change take. */
async function storePause(
  { db, now, newId, rules }: BillingContext,
  { user_id, stripe_subscription_id }: StoredSubscription,
  { months, asked_by, audit }: PauseRequest,
) {
  const paused = new Refusal('PAUSE_REFUSED', { reason: 'paused' });
  return refusing({ billing_act_one_open: paused }, () =>
    db.transaction(async (tx) => {
      const row = await lockSubscription(tx, { user_id, stripe_subscription_id });
      if (!row) throw new Refusal('NO_SUBSCRIPTION');
      const months_left =
        asked_by === 'staff'
          ? months
          : pauseMonthsLeft(
              await monthsSkipped(tx, user_id, now()),
              row.current_period_end,
              rules().pause_months_a_year,
            );
      const facts = { ...row, ...(await factsOf(tx, row, now())), months_left };
      const obstacle = pauseObstacle(facts, now(), months);
      if (obstacle) refusePause(obstacle);
      const { from, until } = pauseSpan(row, months);
      const [pause] = await tx
        .insert(billing_act)
        .values({
          id: newId(),
          kind: 'pause',
          user_id,
          cause: `pause:${user_id}`,
          state: 'asked',
          due: now(),
          stripe_subscription_id,
          starts_at: from,
          ends_at: until,
          terms: { months, declined_returns: 0 },
          asked_by,
          created_at: now(),
        })
        .returning();
      if (!pause) throw new Error('An insert returned no row');
      await audit?.(tx);
      return pause as PauseAct;
    }),
  );
}

/** State outside the subscription's row: whether the period is paid, and whether a change of tier is under way. */
async function factsOf(db: Db | Tx, row: StoredSubscription, now: Date) {
  const [asked] = await db
    .select({ to_tier: tier_change.to_tier })
    .from(tier_change)
    .where(and(eq(tier_change.user_id, row.user_id), eq(tier_change.status, 'asked')));
  return {
    standing: standingOf(row, now),
    paid: (await isPeriodPaid(db, row)) === true,
    pending_tier: row.pending_tier ?? asked?.to_tier ?? null,
  };
}

/** The starts of the months that the member's pauses skipped. */
async function monthsSkipped(db: Db | Tx, userId: string, now: Date): Promise<Date[]> {
  const s = billing_subscription;
  const rows = await db
    .select({ act: billing_act, status: s.status, period_end: s.current_period_end })
    .from(billing_act)
    .leftJoin(s, eq(s.stripe_subscription_id, billing_act.stripe_subscription_id))
    .where(
      and(
        and(eq(billing_act.user_id, userId), eq(billing_act.kind, 'pause')),
        inArray(billing_act.state, ['set', 'done']),
        lte(billing_act.starts_at, now),
      ),
    );
  return skippedMonths(
    rows.map(({ act, status, period_end }) => {
      const { starts_at, terms, settled_at } = act as PauseAct;
      // A subscription that has ended skips nothing after its last period.
      const ended = status && isEnded(status) ? period_end : null;
      const over_at = ended && settled_at && ended < settled_at ? ended : settled_at;
      return { starts_at, months: terms.months, over_at };
    }),
  );
}

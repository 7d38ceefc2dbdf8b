import type { PauseOffer } from '../../../contract/billing.ts';
import type { Subscription } from '../../../contract/functions.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { unixSeconds } from '../../../domain/calendar.ts';
import {
  isTooLateToPause,
  PAUSE_MONTHS,
  type PauseMonths,
  pauseAgainAt,
  pauseMonthsLeft,
  pauseObstacle,
  pauseSpan,
} from '../../../domain/membership/pause.ts';
import { returnCents } from '../../../domain/membership/upcoming-charges.ts';
import { isEnded } from '../../../domain/standing.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { refusing } from '../../db/results.ts';
import { billing_act } from '../../db/schema.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { assertPaymentsOn } from '../payments-off.ts';
import { openPause, type PauseAct } from '../state/acts.ts';
import { currentSubscription, lockSubscription } from '../state/current-subscription.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { monthsSkipped, pauseExtension, pauseFacts, pausePossibility } from '../state/pause-possibility.ts';
import { orUnavailable } from '../stripe-errors.ts';
import { getSubscriptionDetails, pauseShown, readSubscription } from '../subscription/subscription.ts';
import { refusePause } from './refuse-pause.ts';
import { pauseAtVenue, readVenuePause, venuePauseOffer } from './venue-pause.ts';

export interface PauseRequest {
  months: PauseMonths;
  /** Staff are not bound by the venue's longest pause or by the months a member may pause in a year. */
  asked_by: 'member' | 'staff';
  /** Records the act of staff, in its transaction, with the months of the whole pause. */
  audit?: (tx: Tx, months: number) => Promise<void>;
}

/** Whether the member can pause now and for how long, from our own copy. Times in epoch seconds, amounts in cents. */
export async function getPauseOffer({
  billing: ctx,
  actor: { user_id: userId },
}: BillingCall): Promise<PauseOffer> {
  const atVenue = await venuePauseOffer(ctx, userId);
  if (atVenue) return atVenue;
  const row = await currentSubscription(ctx, userId);
  const { pause_months_a_year: months_a_year } = ctx.rules();
  if (!row || isEnded(row.status))
    return { obstacle: 'not_offered', again_at: null, months_a_year, choices: [], pause: null };
  const { obstacle, longest, skipped } = await pausePossibility(ctx, row);
  return {
    obstacle,
    again_at: obstacle === 'too_soon' ? unixSeconds(pauseAgainAt(skipped, row, months_a_year)) : null,
    months_a_year,
    choices: obstacle
      ? []
      : PAUSE_MONTHS.filter((months) => months <= longest).map((months) => {
          const { from, until } = pauseSpan(row, months);
          return { months, from: unixSeconds(from), until: unixSeconds(until) };
        }),
    pause: await pauseOf(ctx, row),
  };
}

async function pauseOf(ctx: BillingContext, row: StoredSubscription): Promise<PauseOffer['pause']> {
  const open = await openPause(ctx.db, row);
  const extension = open && (await pauseExtension(ctx, row, open, 'member'));
  const { currency, tax_behavior } = row;
  const shown = pauseShown(row, ctx.now());
  if (!shown) return null;
  return {
    ...shown,
    // A pause made at Stripe is ended there.
    can_end: open !== null,
    extended_until: extension && 'until' in extension ? unixSeconds(extension.until) : null,
    amount: returnCents(row),
    currency,
    tax_behavior,
  };
}

/** Pauses the member's own membership. Throws what pauseMembership throws, and Refusal PAYMENTS_OFF. */
export async function pauseOwn(
  call: BillingCall,
  { months }: { months: PauseMonths },
): Promise<{ subscription: Subscription | null }> {
  const { billing, actor } = call;
  const { user_id } = actor;
  if (!(await pauseAtVenue(billing, { user_id, staff: null, months }))) {
    assertPaymentsOn(billing);
    await pauseMembership(billing, user_id, { months, asked_by: 'member' });
  }
  return getSubscriptionDetails(call);
}

/** Pauses a member's membership for staff. Throws Refusal NOT_FOUND, PAYMENTS_OFF, and what pauseMembership throws. */
export async function pauseForMember(
  { billing, actor }: BillingCall,
  { customer_id, months }: { customer_id: string; months: PauseMonths },
): Promise<{ pause: Subscription['pause'] }> {
  const subject_id = await userOfMember(billing.db, customer_id);
  if (await pauseAtVenue(billing, { user_id: subject_id, staff: actor, months })) {
    return readPause(billing, subject_id);
  }
  assertPaymentsOn(billing);
  const audit = (tx: Tx) =>
    recordAudit(tx, { ...billing, actor }, { act: 'membership_paused', subject_id, facts: { months } });
  await pauseMembership(billing, subject_id, { months, asked_by: 'staff', audit });
  return readPause(billing, subject_id);
}

/** A member's coming or running pause, by card or at the venue. */
export async function readPause(
  billing: BillingContext,
  user_id: string,
): Promise<{ pause: Subscription['pause'] }> {
  const pause = await readVenuePause(billing, user_id);
  if (pause) return { pause: { from: pause.from, until: pause.until, begun: pause.begun } };
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
      const facts = { ...row, ...(await pauseFacts(tx, row, now())), months_left };
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
      await audit?.(tx, months);
      return pause as PauseAct;
    }),
  );
}

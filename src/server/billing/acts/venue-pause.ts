import type { PauseOffer } from '../../../contract/billing.ts';
import { type LocalDate, localDate, unixSeconds } from '../../../domain/calendar.ts';
import { nextMonthCents } from '../../../domain/membership/dues.ts';
import {
  LONGEST_PAUSE,
  PAUSE_MONTHS,
  type PauseMonths,
  pauseMonthsLeft,
} from '../../../domain/membership/pause.ts';
import {
  dayInUtc,
  monthsOfPause,
  type VenuePause,
  venueExtendedUntil,
  venueExtensionObstacle,
  venuePauseAgainOn,
  venuePauseObstacle,
  venuePauseSpan,
  venueReturn,
} from '../../../domain/membership/venue-pause.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import type { memberships } from '../../db/schema.ts';
import { isCountable, moveByPause } from '../../membership/dues/dues.ts';
import type { Actor } from '../../platform/actor.ts';
import type { BillingContext } from '../billing-context.ts';
import { lockMember } from '../state/current-subscription.ts';
import { activeMembership } from '../state/local-state.ts';
import { monthsSkipped } from '../state/pause-possibility.ts';
import { venueDay, venueToday } from '../venue-days.ts';
import { refusePause } from './refuse-pause.ts';

// Pauses of memberships that are billed at the venue: docs/rules/dues.md, "Pausing".

type Membership = typeof memberships.$inferSelect;

/** Null for the member's own request. */
type ByStaff = Actor | null;

/** The active membership of a user that is billed at the venue; null without one. */
export async function venueMembership(db: Db | Tx, user_id: string): Promise<Membership | null> {
  const membership = await activeMembership(db, user_id);
  return membership && isCountable(membership) ? membership : null;
}

function openPause({ now, venue }: BillingContext, membership: Membership): VenuePause | null {
  const { paused_from, paused_until } = membership;
  if (!paused_from || !paused_until || paused_until <= now()) return null;
  return {
    from: localDate(paused_from, venue.time_zone),
    until: localDate(paused_until, venue.time_zone),
  };
}

const factsOf = (ctx: BillingContext, membership: Membership) => ({
  ...membership,
  pause: openPause(ctx, membership),
});

/** As getPauseOffer, for a membership at the venue; null if the user has none. */
export async function venuePauseOffer(ctx: BillingContext, user_id: string): Promise<PauseOffer | null> {
  const membership = await venueMembership(ctx.db, user_id);
  if (!membership) return null;
  const { pause_months, pause_months_a_year: months_a_year } = ctx.rules();
  const today = venueToday(ctx);
  const { start_date } = membership;
  const facts = factsOf(ctx, membership);
  const skipped = await monthsSkipped(ctx.db, user_id, ctx.now());
  const next = venuePauseSpan(start_date, today, 1).from;
  const months_left = pauseMonthsLeft(skipped, dayInUtc(next), months_a_year);
  const obstacle = pause_months === 0 ? 'not_offered' : venuePauseObstacle(facts, today, months_left);
  const at = (day: LocalDate) => unixSeconds(venueDay(ctx, day));
  return {
    obstacle,
    again_at:
      obstacle === 'too_soon' ? at(venuePauseAgainOn(skipped, start_date, today, months_a_year)) : null,
    months_a_year,
    choices: obstacle
      ? []
      : PAUSE_MONTHS.filter((months) => months <= Math.min(pause_months, months_left)).map((months) => {
          const { from, until } = venuePauseSpan(start_date, today, months);
          return { months, from: at(from), until: at(until) };
        }),
    pause: facts.pause && (await pauseShown(ctx, user_id, membership, facts.pause)),
  };
}

async function pauseShown(
  ctx: BillingContext,
  user_id: string,
  membership: Membership,
  pause: VenuePause,
): Promise<PauseOffer['pause']> {
  const { start_date, paid_until } = membership;
  const at = (day: LocalDate) => unixSeconds(venueDay(ctx, day));
  const obstacle = await extensionObstacle(ctx, ctx.db, user_id, membership, pause, null);
  return {
    from: at(pause.from),
    until: at(pause.until),
    begun: pause.from <= venueToday(ctx),
    can_end: true,
    extended_until: obstacle ? null : at(venueExtendedUntil(start_date, pause)),
    // What has to be paid for the first month after it, if that is not paid ahead.
    amount: paid_until !== null && paid_until > pause.until ? 0 : nextMonthCents(membership),
    currency: ctx.currency,
    tax_behavior: 'unspecified',
  };
}

async function extensionObstacle(
  ctx: BillingContext,
  db: Db | Tx,
  user_id: string,
  membership: Membership,
  pause: VenuePause,
  staff: ByStaff,
) {
  const { pause_months, pause_months_a_year } = ctx.rules();
  const skipped = await monthsSkipped(db, user_id, ctx.now(), { from: pause.from });
  const limits = staff
    ? { longest: LONGEST_PAUSE, months_left: LONGEST_PAUSE }
    : {
        longest: pause_months,
        months_left: pauseMonthsLeft(skipped, dayInUtc(pause.from), pause_months_a_year),
      };
  return venueExtensionObstacle(factsOf(ctx, membership), pause, limits);
}

interface Change {
  pause: VenuePause;
  /** Months that the pause gets, or loses if below 0. */
  months: number;
  notice: PauseNotice;
}

/** What the member hears; until when it is paid then is added. */
type PauseNotice =
  | { type: 'pause_scheduled'; from: Date; until: Date; begun: boolean }
  | { type: 'pause_withdrawn' | 'pause_ended' };

/** Changes the pause of a user's membership at the venue as `decide` says; false without such a membership. */
async function changePause(
  ctx: BillingContext,
  { user_id, staff }: { user_id: string; staff: ByStaff },
  decide: (tx: Tx, membership: Membership) => Promise<Change | null>,
): Promise<boolean> {
  // A member by card is not locked here.
  if (!(await venueMembership(ctx.db, user_id))) return false;
  return ctx.db.transaction(async (tx) => {
    await lockMember(tx, user_id);
    const membership = await venueMembership(tx, user_id);
    if (!membership) return false;
    const change = await decide(tx, membership);
    if (!change) return true;
    const { pause, months, notice } = change;
    const club = { current: ctx.rules };
    const moved = await moveByPause({ ...ctx, club }, tx, membership, { pause, months, actor: staff });
    const { id, tier, start_date, paid_until } = moved;
    // As by card: a member who comes back pays first.
    if (paid_until === null || paid_until <= venueToday(ctx)) return refusePause('payment_open');
    await ctx.post(tx, {
      ...{ user_id, cause: `${notice.type}:${id}:${ctx.now().getTime()}`, tier, price_change: null },
      ...{ next_billing: venueDay(ctx, paid_until), paid_until: venueDay(ctx, paid_until), ...notice },
    });
    if (staff) {
      const by = { ...ctx, actor: staff };
      const facts = { months: monthsOfPause(start_date, pause) };
      await (notice.type === 'pause_scheduled'
        ? recordAudit(tx, by, { act: 'membership_paused', subject_id: user_id, facts })
        : recordAudit(tx, by, { act: 'pause_withdrawn', subject_id: user_id, facts: {} }));
    }
    return true;
  });
}

const scheduled = (ctx: BillingContext, { from, until }: VenuePause): PauseNotice => ({
  ...{ type: 'pause_scheduled', from: venueDay(ctx, from), until: venueDay(ctx, until) },
  begun: from <= venueToday(ctx),
});

/**
 * Pauses a user's membership at the venue from its next month on; false without one. Asking again for as many months changes
 * nothing. Throws Refusal PAUSE_REFUSED.
 */
export function pauseAtVenue(
  ctx: BillingContext,
  { months, ...by }: { user_id: string; staff: ByStaff; months: PauseMonths },
): Promise<boolean> {
  return changePause(ctx, by, async (tx, membership) => {
    const { start_date } = membership;
    const facts = factsOf(ctx, membership);
    const today = venueToday(ctx);
    const pause = venuePauseSpan(start_date, today, months);
    if (facts.pause && today < facts.pause.from && monthsOfPause(start_date, facts.pause) === months) {
      return null;
    }
    const { pause_months, pause_months_a_year } = ctx.rules();
    if (!by.staff && months > pause_months) refusePause('not_offered');
    const months_left = by.staff
      ? months
      : pauseMonthsLeft(
          await monthsSkipped(tx, by.user_id, ctx.now()),
          dayInUtc(pause.from),
          pause_months_a_year,
        );
    const obstacle = venuePauseObstacle(facts, today, months_left, months);
    if (obstacle) refusePause(obstacle);
    return { pause, months, notice: scheduled(ctx, pause) };
  });
}

/**
 * Extends a pause at the venue by a month; false without such a membership. `until` is its end as it was shown, in epoch
 * seconds: with a later one, nothing changes. Throws Refusal PAUSE_REFUSED.
 */
export function extendAtVenue(
  ctx: BillingContext,
  { until, ...by }: { user_id: string; staff: ByStaff; until: number },
): Promise<boolean> {
  return changePause(ctx, by, async (tx, membership) => {
    const pause = openPause(ctx, membership);
    if (!pause) return refusePause('not_offered');
    if (unixSeconds(venueDay(ctx, pause.until)) > until) return null;
    const obstacle = await extensionObstacle(ctx, tx, by.user_id, membership, pause, by.staff);
    if (obstacle) refusePause(obstacle);
    const extended = { ...pause, until: venueExtendedUntil(membership.start_date, pause) };
    return { pause: extended, months: 1, notice: scheduled(ctx, extended) };
  });
}

/**
 * Ends a pause at the venue: one that has not begun does not happen, from any other the member is back with the whole running
 * month. False without such a membership. Throws Refusal PAUSE_REFUSED (payment_open: that month is not paid).
 */
export function endPauseAtVenue(
  ctx: BillingContext,
  by: { user_id: string; staff: ByStaff },
): Promise<boolean> {
  return changePause(ctx, by, async (_, membership) => {
    const pause = openPause(ctx, membership);
    if (!pause) return null;
    const { start_date } = membership;
    const until = venueReturn(start_date, pause, venueToday(ctx));
    const shorterPause = { ...pause, until };
    const months = monthsOfPause(start_date, shorterPause) - monthsOfPause(start_date, pause);
    const type = venueToday(ctx) < pause.from ? 'pause_withdrawn' : 'pause_ended';
    return { pause: shorterPause, months, notice: { type } };
  });
}

/** The pause of a user's membership at the venue, as the calls of staff answer it; null without one. */
export async function readVenuePause(ctx: BillingContext, user_id: string): Promise<PauseOffer['pause']> {
  return (await venuePauseOffer(ctx, user_id))?.pause ?? null;
}

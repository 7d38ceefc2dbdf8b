import type { LocalDate } from '../../../domain/calendar.ts';
import {
  extendedUntil,
  extensionObstacle,
  LONGEST_PAUSE,
  type PastPause,
  type PauseObstacle,
  pauseMonthsLeft,
  pauseObstacle,
  skippedMonths,
} from '../../../domain/membership/pause.ts';
import { dayInUtc } from '../../../domain/membership/venue-pause.ts';
import { isEnded, standingOf } from '../../../domain/standing.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, inArray, lte, ne, sql } from '../../db/orm.ts';
import {
  billing_act,
  billing_subscription,
  customers,
  dues,
  memberships,
  tier_change,
} from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import type { PauseAct } from './acts.ts';
import { isPeriodPaid } from './card-periods.ts';
import type { StoredSubscription } from './local-state.ts';

// Rules: docs/rules/membership.md, "Pausing".

/**
 * Whether members can pause their own membership now, by the club's settings and our own copy: the obstacle, null if there is
 * none, the longest pause in months, and the months that earlier pauses skipped.
 */
export async function pausePossibility(
  { db, now, rules }: Pick<BillingDeps, 'now' | 'rules'> & { db: Db | Tx },
  row: StoredSubscription,
): Promise<{ obstacle: PauseObstacle | null; longest: number; skipped: Date[] }> {
  const { pause_months, pause_months_a_year } = rules();
  const skipped = await monthsSkipped(db, row.user_id, now());
  const months_left = pauseMonthsLeft(skipped, row.current_period_end, pause_months_a_year);
  const facts = { ...row, ...(await pauseFacts(db, row, now())), months_left };
  const obstacle = pause_months === 0 ? 'not_offered' : pauseObstacle(facts, now());
  return { obstacle, longest: Math.min(pause_months, months_left), skipped };
}

/**
 * The months and the end of a pause once it is extended by a month, or why it cannot be. Staff are bound by the longest pause
 * alone.
 */
export async function pauseExtension(
  { db, now, rules }: Pick<BillingDeps, 'now' | 'rules'> & { db: Db | Tx },
  row: StoredSubscription,
  pause: PauseAct,
  asked_by: 'member' | 'staff',
): Promise<{ months: number; until: Date } | { obstacle: PauseObstacle }> {
  const months = pause.terms.months + 1;
  const { pause_months, pause_months_a_year } = rules();
  const limits =
    asked_by === 'staff'
      ? { longest: LONGEST_PAUSE, months_left: months }
      : {
          longest: pause_months,
          months_left: pauseMonthsLeft(
            await monthsSkipped(db, row.user_id, now(), { act: pause.id }),
            pause.starts_at,
            pause_months_a_year,
          ),
        };
  const obstacle = extensionObstacle({ ...pause, months, extended_from: null }, row, limits, now());
  return obstacle ? { obstacle } : { months, until: extendedUntil(row, pause.ends_at) };
}

/** State outside the subscription's row: whether the period is paid, and whether a change of tier is under way. */
export async function pauseFacts(db: Db | Tx, row: StoredSubscription, now: Date) {
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

/** The starts of the months that the member's pauses skipped, by card and at the venue, without those of one pause. */
export async function monthsSkipped(
  db: Db | Tx,
  userId: string,
  now: Date,
  without: { act?: string; from?: LocalDate } = {},
): Promise<Date[]> {
  const atVenue = (await venuePauses(db, userId)).filter(
    ({ from, starts_at }) => from !== without.from && starts_at <= now,
  );
  return [...skippedMonths(atVenue), ...(await cardMonthsSkipped(db, userId, now, without.act))];
}

/**
 * A member's pauses at the venue. One that the member came back from counts the months until then, and one in which the
 * membership ended those that began before its last day.
 */
async function venuePauses(db: Db | Tx, user_id: string): Promise<(PastPause & { from: LocalDate })[]> {
  const rows = await db
    .select({
      from: dues.paid_from,
      months: sql<number>`sum(${dues.months})::integer`,
      end_date: memberships.end_date,
    })
    .from(dues)
    .innerJoin(customers, eq(customers.id, dues.customer_id))
    .innerJoin(memberships, eq(memberships.id, dues.membership_id))
    .where(and(eq(customers.user_id, user_id), eq(dues.kind, 'pause')))
    .groupBy(memberships.id, dues.paid_from);
  return rows.map(({ from, months, end_date }) => ({
    from,
    months,
    starts_at: dayInUtc(from),
    over_at: end_date === null ? null : dayInUtc(end_date),
  }));
}

async function cardMonthsSkipped(
  db: Db | Tx,
  userId: string,
  now: Date,
  without: string | undefined,
): Promise<Date[]> {
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
        without === undefined ? undefined : ne(billing_act.id, without),
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

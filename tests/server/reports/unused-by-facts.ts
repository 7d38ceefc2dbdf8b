import { addMonths, localDate, startOfDay } from '../../../src/domain/calendar.ts';

interface Row {
  customer_id: string;
}

/** The rows that glasses left unused follow from; of pours, those that were not voided. Instants are text. */
export interface Facts {
  tiers: { tier_name: string; monthly_pours: number }[];
  tier_glasses: { tier_name: string; until: string; glasses: number }[];
  memberships: (Row & {
    id: string;
    tier: string;
    start_date: string;
    end_date: string | null;
    counted_from: string | null;
    stripe_subscription_id: string | null;
  })[];
  terms: { membership_id: string; since: string; tier: string }[];
  periods: (Row & {
    starts_at: string;
    ends_at: string;
    stripe_subscription_id: string | null;
    tier: string;
    paid: boolean;
    carried_pours: number;
  })[];
  changes: (Row & { period_starts_at: string; glasses: number })[];
  gifts: (Row & { created_at: string; glasses: number })[];
  rolled: (Row & { period_starts_at: string; glasses: number })[];
  pours: (Row & { pool_id: string | null; created_at: string; quantity: number })[];
}

interface Period extends Row {
  tier: string;
  starts: number;
  ends: number;
  carried: number;
  changed: number;
}

const ms = (instant: string) => Date.parse(instant);
const sum = <T>(rows: T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0);

/**
 * Glasses given and left by the billing periods that ended in each month of a range, one period after the other, as docs/rules.md,
 * "Reports", says it: to hold the report to it, which counts all of them in one statement.
 */
export function unusedByFacts(facts: Facts, range: { from: string; to: string }, zone: string) {
  const months = new Map<
    string,
    { month: string; tier: string; periods: number; given: number; unused: number }
  >();
  for (const period of [...venuePeriods(facts, range.to, zone), ...cardPeriods(facts)]) {
    const day = localDate(new Date(period.ends), zone);
    if (day < range.from || day > range.to) continue;
    const within = (instant: string) => ms(instant) >= period.starts && ms(instant) < period.ends;
    const own = <T extends Row>(rows: T[]) => rows.filter((row) => row.customer_id === period.customer_id);
    const given = Math.max(
      0,
      glassesOf(facts, period) +
        period.changed +
        sum(own(facts.gifts), (it) => (within(it.created_at) ? it.glasses : 0)) -
        period.carried,
    );
    const poured = sum(facts.pours, (it) =>
      (it.pool_id ?? it.customer_id) === period.customer_id && within(it.created_at) ? it.quantity : 0,
    );
    const rolled = sum(own(facts.rolled), (it) => (within(it.period_starts_at) ? it.glasses : 0));
    const used = Math.max(0, poured - rolled);
    const month = `${day.slice(0, 7)}-01`;
    const key = `${month} ${period.tier}`;
    const before = months.get(key) ?? { month, tier: period.tier, periods: 0, given: 0, unused: 0 };
    months.set(key, {
      ...before,
      periods: before.periods + 1,
      given: before.given + given,
      unused: before.unused + Math.max(0, given - used),
    });
  }
  return [...months.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function glassesOf({ tiers, tier_glasses }: Facts, { tier, ends }: Period): number {
  const changes = tier_glasses
    .filter((it) => it.tier_name === tier && ms(it.until) > ends)
    .sort((a, b) => ms(a.until) - ms(b.until));
  return changes[0]?.glasses ?? tiers.find((it) => it.tier_name === tier)?.monthly_pours ?? 0;
}

/** Of each membership at the venue, a period for each whole month since it began, while it went on and was counted here. */
function venuePeriods({ memberships, terms, periods }: Facts, last: string, zone: string): Period[] {
  return memberships.flatMap((it) => {
    if (it.stripe_subscription_id) return [];
    const found: Period[] = [];
    for (let n = 1; addMonths(it.start_date, n) <= last; n++) {
      const [first, day] = [addMonths(it.start_date, n - 1), addMonths(it.start_date, n)];
      if ((it.end_date && day > it.end_date) || (it.counted_from && first < it.counted_from)) continue;
      const [starts, ends] = [startOfDay(first, zone).getTime(), startOfDay(day, zone).getTime()];
      const term = terms
        .filter((one) => one.membership_id === it.id && ms(one.since) < ends)
        .sort((a, b) => ms(b.since) - ms(a.since))[0];
      const row = periods.find((one) => one.customer_id === it.customer_id && ms(one.starts_at) === starts);
      const carried = row?.carried_pours ?? 0;
      found.push({
        customer_id: it.customer_id,
        tier: term?.tier ?? it.tier,
        starts,
        ends,
        carried,
        changed: 0,
      });
    }
    return found;
  });
}

const cardPeriods = ({ periods, changes }: Facts): Period[] =>
  periods
    .filter((it) => it.stripe_subscription_id && it.paid)
    .map(({ customer_id, tier, starts_at, ends_at, carried_pours: carried }) => {
      const changed = sum(changes, (it) =>
        it.customer_id === customer_id && ms(it.period_starts_at) === ms(starts_at) ? it.glasses : 0,
      );
      return { customer_id, tier, starts: ms(starts_at), ends: ms(ends_at), carried, changed };
    });

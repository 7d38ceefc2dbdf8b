/**
 * How much a member may pour: billing periods, what is available, whether a pour is allowed. These are the rules in
 * their readable form (docs/rules.md, "Billing period", "Available pours", "Recording a pour"). In production the SQL
 * functions member_allowance and record_pour apply them (src/server/db/functions), so that a pour is decided in one
 * round trip. tests/server/pours/allowance-agreement.test.ts holds the two together with random situations.
 */

import type { LocalDate } from './calendar.ts';
import { addMonths, localDate, monthsSince, startOfDay } from './calendar.ts';

/** Half open: start is in, end is not. */
export interface BillingPeriod {
  start: Date;
  end: Date;
}

export interface Availability {
  available_pours: number;
  pours_used: number;
  tier_max: number;
}

export interface LedgerEntry {
  quantity: number;
  created_at: Date;
  voided: boolean;
}

/**
 * The period of a member billed at the venue: monthly, always counted from member_since, with days that begin at
 * midnight in the venue's time zone.
 */
export function venuePeriod(memberSince: LocalDate, now: Date, timeZone: string): BillingPeriod {
  const elapsed = monthsSince(memberSince, localDate(now, timeZone));
  return {
    start: startOfDay(addMonths(memberSince, elapsed), timeZone),
    end: startOfDay(addMonths(memberSince, elapsed + 1), timeZone),
  };
}

/**
 * The period of a card subscription, from our last snapshot. If that period is over and we have not seen the renewal
 * yet, the next one starts where it ended.
 */
export function cardPeriod(stored: BillingPeriod, now: Date): BillingPeriod {
  if (now < stored.end) return stored;
  const [day = '', time = ''] = stored.end.toISOString().split('T');
  return { start: stored.end, end: new Date(`${addMonths(day, 1)}T${time}`) };
}

/**
 * The period's pours that were not voided, and what is left: never below 0, even after a change to a smaller tier.
 * For a member with access; without it nothing is available.
 */
export function availability(tierMax: number, ledger: LedgerEntry[], period: BillingPeriod): Availability {
  let used = 0;
  for (const entry of ledger) {
    if (!entry.voided && entry.created_at >= period.start && entry.created_at < period.end) {
      used += entry.quantity;
    }
  }
  return { available_pours: Math.max(0, tierMax - used), pours_used: used, tier_max: tierMax };
}

export type PourDecision =
  | { outcome: 'recorded'; available_pours: number }
  | { outcome: 'not_active' }
  | { outcome: 'exceeded'; available_pours: number };

/** Whether this many glasses may be poured; available_pours is what is left afterwards. */
export function decidePour(access: boolean, has: Availability, quantity: number): PourDecision {
  if (!access) return { outcome: 'not_active' };
  if (quantity > has.available_pours) return { outcome: 'exceeded', available_pours: has.available_pours };
  return { outcome: 'recorded', available_pours: has.available_pours - quantity };
}

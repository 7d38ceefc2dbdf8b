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
 * The period of a member billed at the venue: monthly from member_since, counted from that anchor
 * (design section 5), days beginning at midnight in the venue's time zone.
 */
export function venuePeriod(memberSince: LocalDate, now: Date, timeZone: string): BillingPeriod {
  const elapsed = monthsSince(memberSince, localDate(now, timeZone));
  return {
    start: startOfDay(addMonths(memberSince, elapsed), timeZone),
    end: startOfDay(addMonths(memberSince, elapsed + 1), timeZone),
  };
}

/**
 * The period of a card subscription: what Stripe last said. When that period is over and the renewal has
 * not reached us yet, the next one has begun all the same, so it starts where the last one ended.
 */
export function cardPeriod(stored: BillingPeriod, now: Date): BillingPeriod {
  if (now < stored.end) return stored;
  const [day = '', time = ''] = stored.end.toISOString().split('T');
  return { start: stored.end, end: new Date(`${addMonths(day, 1)}T${time}`) };
}

/** Pours of the period that were not voided; what is left never shows below zero (after a smaller tier). */
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

/** May this many glasses be poured? The server's SQL function is held to this rule by a property test. */
export function decidePour(access: boolean, has: Availability, quantity: number): PourDecision {
  if (!access) return { outcome: 'not_active' };
  if (quantity > has.available_pours) return { outcome: 'exceeded', available_pours: has.available_pours };
  return { outcome: 'recorded', available_pours: has.available_pours - quantity };
}

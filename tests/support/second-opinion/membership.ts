import { dayAt, midnight, monthsOn, stripeMonths } from './calendar.ts';
import type { Terms } from './club.ts';
import { newPeriod, type Payment, type Period } from './period.ts';

/** A failed charge, and the time of Stripe's next attempt. */
interface OpenCharge {
  amount: number;
  /** The part that was too small to charge before. */
  owed: number;
  period: Period;
  since: number;
  tries: number;
}

/** The card payments of a membership. */
export interface Plan {
  anchor: number;
  /** The number of months from the anchor to the current period. */
  month: number;
  cancels: 'no' | 'by member' | 'by venue';
  /** A different tier from the next period on. */
  next: { tier: string; price: number } | null;
  move: { tier: string; price: number; from: number } | null;
  pause: { from: number; until: number; months: number } | null;
  open: OpenCharge | null;
  /** The end of access after a failed charge, once the product has seen it. */
  grace: number | null;
}

export interface Membership {
  tier: string;
  price: number;
  /** Null at the venue and for a gift. */
  plan: Plan | null;
  isGift: boolean;
  /** The day at the venue from which months are counted. */
  day: { y: number; m: number; d: number };
  month: number;
  /** The end without a renewal, at the venue or for a gift. */
  endsAt: number | null;
  period: Period;
  over: boolean;
}

export const periodEnd = ({ anchor, month }: Plan): number => stripeMonths(anchor, month + 1);

/** The start of a month at the venue. */
export const venueMonth = (day: Membership['day'], count: number): number => midnight(monthsOn(day, count));

export const newPayment = (at: number, amount: number): Payment => ({
  at,
  amount,
  refunded: 0,
  disputed: 'no',
});

/** A card membership whose first month is paid at an instant. */
export function byCard(at: number, tier: string, terms: Terms, payment: Payment): Membership {
  const plan: Plan = {
    anchor: at,
    month: 0,
    cancels: 'no',
    next: null,
    move: null,
    pause: null,
    open: null,
    grace: null,
  };
  return {
    tier,
    price: terms.price,
    plan,
    isGift: false,
    day: dayAt(at),
    month: 0,
    endsAt: null,
    period: newPeriod({ start: at, end: periodEnd(plan), tier, payment }, terms),
    over: false,
  };
}

/** A membership without a card: billed at the venue, or a gift of some months. */
export function withoutCard(at: number, tier: string, terms: Terms, months: number | null): Membership {
  const day = dayAt(at);
  return {
    tier,
    price: terms.price,
    plan: null,
    isGift: months !== null,
    day,
    month: 0,
    endsAt: months === null ? null : venueMonth(day, months),
    period: newPeriod({ start: venueMonth(day, 0), end: venueMonth(day, 1), tier }, terms, at),
    over: false,
  };
}

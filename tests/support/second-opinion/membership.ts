import { asText, dayAt, dayStart, monthsOn, stripeMonths } from './calendar.ts';
import type { Card } from './card.ts';
import type { Setting, Terms } from './club.ts';
import { type Dues, newDues } from './dues.ts';
import { type Bought, newPeriod, type Payment, type Period } from './period.ts';

/** An unpaid month. */
export interface OpenCharge {
  amount: number;
  /** The part that was too small to charge before. */
  owed: number;
  period: Period;
  since: number;
  /** The number of Stripe's attempts after the first. */
  retries: number;
  /** The cards that were tried for it. */
  tried: Set<Card>;
  /** Stripe has given up: it made the invoice, and leaves it as a draft. */
  isDraft: boolean;
}

/** A charge for a month from an instant on. */
interface Rest {
  cents: number;
  from: number;
}

/** The card payments of a membership. */
export interface Plan {
  anchor: number;
  /** The number of months from the anchor to the current period. */
  month: number;
  cancels: 'no' | 'by member' | 'by venue';
  /** Staff asked for the end here, not at Stripe. */
  isEndedByStaff: boolean;
  /** A paid year that begins once the paid month is over. */
  year: Payment | null;
  /** The end at Stripe on a day that staff chose there. */
  endsAt: number | null;
  /** The monthly price of what is sold besides the tier. */
  addOn: number;
  /** The charge for the rest of this month of what was added within it; null if Stripe made none. */
  addOnPaid: Rest | null;
  /** The rest of a month, charged or credited with the next invoice. */
  waiting: { cents: number; added: Rest | null };
  isTrial: boolean;
  /** A different tier from the next period on. */
  next: { tier: string; price: number } | null;
  move: { tier: string; price: number; from: number } | null;
  pause: { from: number; until: number; months: number; skipped: number } | null;
  open: OpenCharge | null;
  /** Unpaid months before the open one, while on hold. */
  older: OpenCharge[];
  /** Stripe has given up collecting: no access until the payment. */
  onHold: boolean;
  /** When it last did. */
  heldAt: number | null;
  /** The end of access after a failed charge, once the product has seen it. */
  grace: number | null;
}

export interface Membership {
  tier: string;
  price: number;
  /** Null at the venue and for a gift. */
  plan: Plan | null;
  isGift: boolean;
  /** Given by the club, without a payment; otherwise as a gift. */
  isOnTheHouse: boolean;
  /** The day at the venue from which months are counted; none by card. */
  day: { y: number; m: number; d: number };
  month: number;
  /** The end without a renewal, at the venue or for a gift. */
  endsAt: number | null;
  /** The member set that end at the venue, and can take it back. */
  isCanceled: boolean;
  /** What is paid at the venue; null by card and for a gift. */
  dues: Dues | null;
  period: Period;
  over: boolean;
}

/** Whether a membership is set to end. */
export const isEnding = ({ cancels, endsAt }: Plan): boolean => cancels !== 'no' || endsAt !== null;

/** The charge of a month, with what is sold besides the tier. */
export const monthly = ({ price, plan }: Pick<Membership, 'price' | 'plan'>): number =>
  price + (plan?.addOn ?? 0);

/** Puts what waits for an invoice on it, in cents. */
export function takeWaiting(plan: Plan): number {
  const { cents, added } = plan.waiting;
  plan.addOnPaid = added ?? plan.addOnPaid;
  plan.waiting = { cents: 0, added: null };
  return cents;
}

export const periodEnd = ({ anchor, month }: Plan): number => stripeMonths(anchor, month + 1);

/** Whether a membership is set to end with its period, or sooner. */
export const endsInPeriod = (plan: Plan): boolean =>
  plan.cancels !== 'no' || (plan.endsAt !== null && plan.endsAt <= periodEnd(plan));

/** The start of a month at the venue. */
export const venueMonth = (day: Membership['day'], count: number, zone: string): number =>
  dayStart(monthsOn(day, count), zone);

export const newPayment = (at: number, amount: number, bought: Bought): Payment => ({
  at,
  bought,
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
    isEndedByStaff: false,
    year: null,
    endsAt: null,
    addOn: 0,
    addOnPaid: null,
    waiting: { cents: 0, added: null },
    isTrial: false,
    next: null,
    move: null,
    pause: null,
    open: null,
    older: [],
    onHold: false,
    heldAt: null,
    grace: null,
  };
  return {
    tier,
    price: terms.price,
    plan,
    isGift: false,
    isOnTheHouse: false,
    day: { y: 0, m: 0, d: 0 },
    month: 0,
    endsAt: null,
    isCanceled: false,
    dues: null,
    period: newPeriod({ start: at, end: periodEnd(plan), tier, payment }, terms),
    over: false,
  };
}

/** A membership without a card: a gift of some months, or billed at the venue, with the first months paid. */
export function withoutCard(
  { now: at, setting }: { now: number; setting: Setting },
  tier: string,
  terms: Terms,
  { months, isGift, isOnTheHouse = false }: { months: number; isGift: boolean; isOnTheHouse?: boolean },
): Membership {
  const { zone } = setting;
  const day = dayAt(at, zone);
  const [start, end] = [venueMonth(day, 0, zone), venueMonth(day, 1, zone)];
  const period = newPeriod({ start, end, tier }, terms, at);
  return {
    tier,
    price: terms.price,
    plan: null,
    isGift,
    isOnTheHouse,
    day,
    month: 0,
    endsAt: isGift ? venueMonth(day, months, zone) : null,
    isCanceled: false,
    dues: isGift ? null : newDues(day, months, period, setting),
    period,
    over: false,
  };
}

/** The first unpaid day, as text; null if dues are not counted. */
export function paidUntil(membership: Membership | null): string | null {
  if (!membership?.dues || membership.over) return null;
  return asText(monthsOn(membership.day, membership.dues.until));
}

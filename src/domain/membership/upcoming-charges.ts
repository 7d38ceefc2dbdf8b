import { moveRenewal } from '../price-move.ts';
import {
  endsAt,
  endsWithPeriod,
  isPausedAt,
  type Standing,
  type SubscriptionState,
  standingOf,
} from '../standing.ts';

/** Stripe's preview of a month at one price; amounts without the tax that is added to the price. */
export interface PreviewedMonth {
  /** The charge of the coming renewal, after discounts and credit, with pending items. */
  due_cents: number;
  /** The prices of the month. */
  full_cents: number;
  off: PreviewedDiscount[];
}

export interface PreviewedDiscount {
  cents: number;
  /** Applies to the coming renewal only. */
  once: boolean;
  /** The end in ISO 8601; null if permanent. */
  until: string | null;
}

/** Stripe's preview of a subscription's coming charges, where they may differ from its price. */
export interface StoredPreview {
  current: PreviewedMonth;
  /** The month at a scheduled or announced price; null without one. */
  changed: PreviewedMonth | null;
  /** The charge at the end of the period, for pending items, if the subscription ends with it; absent in older previews. */
  last_cents?: number;
}

/** Our own copy of the data that decides the coming charges. Amounts are prices. */
export interface ChargedSubscription extends SubscriptionState {
  tier: string;
  current_period_start: Date;
  amount_cents: number;
  add_ons_cents: number;
  pending_tier: string | null;
  pending_from: Date | null;
  pending_amount_cents: number | null;
  /** Null if none was needed: the price is charged. */
  preview: StoredPreview | null;
}

export interface AnnouncedMove {
  to_tier: string;
  to_amount_cents: number;
  effective_at: Date;
}

export interface Charge {
  at: Date;
  tier: string;
  amount_cents: number;
  /** The amount of each later month, with continuing discounts. */
  monthly_cents: number;
}

export interface UpcomingCharges {
  /** Null if nothing more is charged, or the date is unknown. At the end of a membership, for what still waits. */
  next: Charge | null;
  /** The first charge for another tier or at another price, possibly the next one. */
  change: Charge | null;
}

const CHARGED: ReadonlySet<Standing> = new Set(['active', 'ending', 'grace', 'paused']);

interface Price {
  tier: string;
  price_cents: number;
  month: PreviewedMonth | null;
}

/**
 * The next charge of a card membership, its date and tier, and any later change. Every screen, notice and email that names
 * a coming charge uses this (docs/rules/billing.md, "Billing: what is charged next").
 */
export function upcomingCharges(
  subscription: ChargedSubscription,
  move: AnnouncedMove | null,
  now: Date,
): UpcomingCharges {
  if (!CHARGED.has(standingOf(subscription, now))) return { next: null, change: null };
  if (endsWithPeriod(subscription)) return { next: lastCharge(subscription), change: null };
  const ends = endsAt(subscription);
  const charge = (price: Price, at: Date | null): Charge | null => {
    if (!at || (ends && ends <= at)) return null;
    const { tier, price_cents, month } = price;
    const isComing = at.getTime() === subscription.current_period_end.getTime();
    const amount_cents = month ? (isComing ? month.due_cents : lessDiscounts(month, at)) : price_cents;
    return { at, tier, amount_cents, monthly_cents: lasting(price) };
  };
  const other = otherPrice(subscription, move);
  const at = nextChargeAt(subscription, now);
  const isChanged = other && at && other.from <= at;
  return {
    next: charge(isChanged ? other : currentPrice(subscription), at),
    change: other && charge(other, other.from),
  };
}

/** The charge at the end of a subscription that ends with its period; null without one, and for a credit. */
export function lastCharge(subscription: ChargedSubscription): Charge | null {
  const { tier, preview } = subscription;
  const at = endsAt(subscription);
  const amount_cents = preview?.last_cents ?? 0;
  // Stripe voids what it would charge in a pause.
  if (!at || amount_cents <= 0 || isPausedAt(subscription, at)) return null;
  return { at, tier, amount_cents, monthly_cents: monthlyCents(subscription) };
}

/** The charge that an end with the running period would leave; null without one. */
export const chargeIfCanceled = (subscription: ChargedSubscription, now: Date): Charge | null =>
  upcomingCharges({ ...subscription, cancel_at: null, cancel_at_period_end: true }, null, now).next;

/** The current cost of a month, in cents, with continuing discounts. */
export const monthlyCents = (subscription: ChargedSubscription): number =>
  lasting(currentPrice(subscription));

/** A month's revenue in cents: after every discount that applies today, except for a single invoice. */
export function recurringCents({ preview, amount_cents }: ChargedSubscription, now: Date): number {
  return preview ? lessDiscounts(preview.current, now) : amount_cents;
}

/** The charge, in cents, for ending a pause today. */
export const returnCents = ({ preview, amount_cents }: ChargedSubscription): number =>
  preview?.current.due_cents ?? amount_cents;

/** The next charge date if the membership continues; null for an open-ended pause. */
function nextChargeAt({ current_period_end, paused_from, paused_until }: ChargedSubscription, now: Date) {
  const isPaused = paused_from && paused_from <= current_period_end && !(paused_until && paused_until <= now);
  return isPaused ? (paused_until ?? null) : current_period_end;
}

const currentPrice = ({ tier, amount_cents: price_cents, preview }: ChargedSubscription): Price => ({
  tier,
  price_cents,
  month: preview?.current ?? null,
});

/** The price that follows and its first charge: a tier chosen by the member, or a price announced by the venue. */
function otherPrice(
  subscription: ChargedSubscription,
  move: AnnouncedMove | null,
): (Price & { from: Date }) | null {
  const { pending_tier, pending_from, pending_amount_cents, add_ons_cents, preview } = subscription;
  const month = preview?.changed ?? null;
  if (pending_tier && pending_from) {
    return { tier: pending_tier, price_cents: pending_amount_cents ?? 0, month, from: pending_from };
  }
  const from = move && moveRenewal(subscription, move.effective_at);
  return from && { tier: move.to_tier, price_cents: move.to_amount_cents + add_ons_cents, month, from };
}

const reduced = ({ full_cents, off }: PreviewedMonth, counts: (discount: PreviewedDiscount) => boolean) =>
  Math.max(0, full_cents - off.filter(counts).reduce((sum, { cents }) => sum + cents, 0));

/** The cost of a month that begins at `at`, after the discounts that apply then, except discounts for a single invoice. */
export const lessDiscounts = (month: PreviewedMonth, at: Date): number =>
  reduced(month, ({ once, until }) => !once && (until === null || new Date(until) > at));

const lasting = ({ month, price_cents }: Price): number =>
  month ? reduced(month, ({ once, until }) => !once && until === null) : price_cents;

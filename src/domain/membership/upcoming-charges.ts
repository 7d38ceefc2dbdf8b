import { moveRenewal } from '../price-move.ts';
import { endsAt, type Standing, type SubscriptionState, standingOf } from '../standing.ts';

/** What Stripe's preview says of a month at one price; amounts without the tax that is added to the price. */
export interface PreviewedMonth {
  /** The charge of the coming renewal: less discounts and credit, with what waits for that invoice. */
  due_cents: number;
  /** The prices of the month. */
  full_cents: number;
  /** What each discount takes off them. */
  off: PreviewedDiscount[];
}

export interface PreviewedDiscount {
  cents: number;
  /** For the coming renewal alone. */
  once: boolean;
  /** The instant it ends, ISO 8601; null if it is permanent. */
  until: string | null;
}

/** Stripe's preview for a subscription whose charge is not simply its price. */
export interface StoredPreview {
  current: PreviewedMonth;
  /** At the price that is scheduled or announced; null without one. */
  changed: PreviewedMonth | null;
}

/** What decides the coming charges, from our own copy. Amounts are prices. */
export interface ChargedSubscription extends SubscriptionState {
  tier: string;
  current_period_start: Date;
  amount_cents: number;
  add_ons_cents: number;
  pending_tier: string | null;
  pending_from: Date | null;
  pending_amount_cents: number | null;
  /** Null where nothing is taken off the price. */
  preview: StoredPreview | null;
}

/** A price move that was announced to the member. */
export interface AnnouncedMove {
  to_tier: string;
  to_amount_cents: number;
  effective_at: Date;
}

export interface Charge {
  at: Date;
  tier: string;
  amount_cents: number;
  /** Each month from then on, with the discounts that go on. */
  monthly_cents: number;
}

export interface UpcomingCharges {
  /** Null where nothing is charged again, or nobody can say when. */
  next: Charge | null;
  /** The first charge for another tier or at another price, which may be the next one. */
  change: Charge | null;
}

const CHARGED: ReadonlySet<Standing> = new Set(['active', 'ending', 'grace', 'paused']);

interface Price {
  tier: string;
  price_cents: number;
  month: PreviewedMonth | null;
}

/**
 * What a membership by card is charged next, when and for which tier, and what changes then or later. Every screen,
 * notice and email that names a coming charge takes it from here (docs/rules/billing.md, "Billing: what is charged
 * next").
 */
export function upcomingCharges(
  subscription: ChargedSubscription,
  move: AnnouncedMove | null,
  now: Date,
): UpcomingCharges {
  if (!CHARGED.has(standingOf(subscription, now))) return { next: null, change: null };
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

/** What a month costs now, with the discounts that go on. */
export const monthlyCents = (subscription: ChargedSubscription): number =>
  lasting(currentPrice(subscription));

/** What a month brings now, for the reports: with every discount that counts today but for those of one invoice. */
export function recurringCents({ preview, amount_cents }: ChargedSubscription, now: Date): number {
  return preview ? lessDiscounts(preview.current, now) : amount_cents;
}

/** The charge of a member who comes back from a pause today. */
export const returnCents = ({ preview, amount_cents }: ChargedSubscription): number =>
  preview?.current.due_cents ?? amount_cents;

/** When the card is charged next if the membership continues; null for a pause without an end. */
function nextChargeAt({ current_period_end, paused_from, paused_until }: ChargedSubscription, now: Date) {
  const isPaused = paused_from && paused_from <= current_period_end && !(paused_until && paused_until <= now);
  return isPaused ? (paused_until ?? null) : current_period_end;
}

const currentPrice = ({ tier, amount_cents: price_cents, preview }: ChargedSubscription): Price => ({
  tier,
  price_cents,
  month: preview?.current ?? null,
});

/** The price that follows, and from which charge on: the tier that the member chose, or what the venue announced. */
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

/** A month that begins at `at`, with the discounts that count then; without what is for one invoice alone. */
export const lessDiscounts = (month: PreviewedMonth, at: Date): number =>
  reduced(month, ({ once, until }) => !once && (until === null || new Date(until) > at));

const lasting = ({ month, price_cents }: Price): number =>
  month ? reduced(month, ({ once, until }) => !once && until === null) : price_cents;

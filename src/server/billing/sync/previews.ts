import type Stripe from 'stripe';
import { RETURN_REMINDER_DAYS } from '../../../domain/membership/pause.ts';
import type {
  PreviewedDiscount,
  PreviewedMonth,
  StoredPreview,
} from '../../../domain/membership/upcoming-charges.ts';
import type { TaxBehavior } from '../../../domain/money.ts';
import { isEnded } from '../../../domain/standing.ts';
import { openMove } from '../acts/acts.ts';
import type { BillingDeps } from '../billing-context.ts';
import { ensurePrice } from '../catalog.ts';
import { isForbidden, isRefused } from '../stripe-errors.ts';
import type { FetchedSubscription } from './fetched-subscription.ts';
import type { StripeSnapshot } from './stripe-snapshot.ts';

type Details = Stripe.InvoiceCreatePreviewParams.SubscriptionDetails;

/**
 * Asks Stripe what the coming renewals will charge, where discounts or credit make that differ from the price, and in the
 * days in which a reminder names it, and adds it to the snapshot. Throws Stripe's errors, but for a refusal: then what was
 * stored counts.
 */
export async function addPreviews(deps: BillingDeps, snapshot: StripeSnapshot): Promise<StripeSnapshot> {
  const subscriptions: FetchedSubscription[] = [];
  for (const it of snapshot.subscriptions) {
    const isNamed = it.is_reduced || isReminded(deps, it, snapshot.fetched_at);
    subscriptions.push({ ...it, preview: isNamed ? await previewOf(deps, it) : null });
  }
  return { ...snapshot, subscriptions };
}

const DAY_MS = 86_400_000;

/** What someone changed at Stripe within the period waits for its renewal, and shows in the preview alone. */
function isReminded({ rules }: BillingDeps, { pause, current_period_end }: FetchedSubscription, now: Date) {
  const days = Math.max(rules().renewal_reminder_days, pause ? RETURN_REMINDER_DAYS : 0);
  const left = current_period_end.getTime() - now.getTime();
  return left > 0 && left <= days * DAY_MS;
}

/** Undefined where Stripe has nothing to say: of one that ends or that it stopped, or that it refuses to preview. */
async function previewOf(deps: BillingDeps, it: FetchedSubscription): Promise<StoredPreview | undefined> {
  if (isEnded(it.status) || it.stop || it.cancel_at || it.cancel_at_period_end) return undefined;
  const at = (price: string) => previewMonth(deps, it, { items: [{ ...it.item, price }] });
  try {
    const changed = await changedPrice(deps, it);
    return { current: await at(it.stripe_price_id), changed: changed === null ? null : await at(changed) };
  } catch (error) {
    if (!isRefused(error)) throw error;
    deps.log.error({ err: error, subscription: it.id }, 'Stripe refused to preview a charge');
    return undefined;
  }
}

/** The price that is scheduled at Stripe, or that the venue announced; null without one. */
async function changedPrice(deps: BillingDeps, it: FetchedSubscription): Promise<string | null> {
  const next = it.schedule?.next?.stripe_price_id;
  if (next && next !== it.stripe_price_id) return next;
  const move = await openMove(deps.db, it.id);
  if (!move) return null;
  const { to_price_id, to_tier: tier_name, to_amount_cents: amount_cents } = move;
  return to_price_id ?? ensurePrice(deps, { tier_name, amount_cents });
}

/** What Stripe would charge for a month of a subscription with these details. Throws Stripe's errors. */
export async function previewMonth(
  { stripe }: Pick<BillingDeps, 'stripe'>,
  { id, tax_behavior }: { id: string; tax_behavior: TaxBehavior },
  details: Details,
): Promise<PreviewedMonth> {
  const preview = (expand: string[]) =>
    stripe.invoices.createPreview({
      subscription: id,
      subscription_details: { ...details, proration_behavior: 'none' },
      expand,
    });
  const invoice = await preview(['total_discount_amounts.discount.source.coupon']).catch((error: unknown) => {
    // Without the permission to read coupons, the charge is right, and each discount counts as permanent.
    if (isForbidden(error)) return preview([]);
    throw error;
  });
  const regular = invoice.lines.data.filter(
    ({ parent }) => parent?.subscription_item_details?.proration === false,
  );
  return {
    due_cents: dueOf(invoice, tax_behavior),
    full_cents: regular.reduce((sum, { amount }) => sum + amount, 0),
    off: (invoice.total_discount_amounts ?? []).map(({ amount, discount }) => ({
      cents: amount,
      ...termOf(discount),
    })),
  };
}

/** Added tax is not part of any amount that we name: 'plus tax' stands beside it. */
function dueOf(invoice: Stripe.Invoice, tax: TaxBehavior): number {
  if (tax !== 'exclusive') return invoice.amount_due;
  return Math.max(0, (invoice.total_excluding_tax ?? invoice.total) + invoice.starting_balance);
}

function termOf(
  discount: string | Stripe.Discount | Stripe.DeletedDiscount,
): Pick<PreviewedDiscount, 'once' | 'until'> {
  if (typeof discount === 'string' || discount.deleted) return { once: false, until: null };
  const { coupon } = discount.source;
  return {
    once: coupon !== null && typeof coupon !== 'string' && coupon.duration === 'once',
    until: discount.end === null ? null : new Date(discount.end * 1000).toISOString(),
  };
}

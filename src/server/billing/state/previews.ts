import type Stripe from 'stripe';
import { RETURN_REMINDER_DAYS } from '../../../domain/membership/pause.ts';
import type {
  PreviewedDiscount,
  PreviewedMonth,
  StoredPreview,
} from '../../../domain/membership/upcoming-charges.ts';
import type { TaxBehavior } from '../../../domain/money.ts';
import { endsWithPeriod, isEnded } from '../../../domain/standing.ts';
import type { BillingDeps } from '../billing-context.ts';
import { ensurePrice } from '../catalog.ts';
import { isForbidden, isRefused } from '../stripe-errors.ts';
import { openMove } from './acts.ts';
import type { FetchedSubscription } from './fetched-subscription.ts';
import type { StripeSnapshot } from './stripe-snapshot.ts';
import { completeInvoice } from './whole-lists.ts';

type Details = Stripe.InvoiceCreatePreviewParams.SubscriptionDetails;

/**
 * Adds Stripe's preview of coming renewals to the snapshot, if discounts, credit or pending items make them differ from the
 * price, and on the days when a reminder names them; of one that ends, as if it were kept. Throws Stripe's errors, except a
 * refusal: then the stored preview counts.
 */
export async function addPreviews(deps: BillingDeps, snapshot: StripeSnapshot): Promise<StripeSnapshot> {
  const subscriptions: FetchedSubscription[] = [];
  for (const it of snapshot.subscriptions) {
    // The last month of a membership that ends on a later day may cost a part.
    const renews =
      !endsWithPeriod(it) && (it.cancel_at !== null || isReminded(deps, it, snapshot.fetched_at));
    const isNamed = it.is_reduced || it.has_pending || renews;
    subscriptions.push({ ...it, preview: isNamed ? await previewOf(deps, it) : null });
  }
  return { ...snapshot, subscriptions };
}

const DAY_MS = 86_400_000;

function isReminded({ rules }: BillingDeps, { pause, current_period_end }: FetchedSubscription, now: Date) {
  const days = Math.max(rules().renewal_reminder_days, pause ? RETURN_REMINDER_DAYS : 0);
  const left = current_period_end.getTime() - now.getTime();
  return left > 0 && left <= days * DAY_MS;
}

/** Undefined if Stripe has no preview: the subscription has ended or was stopped, or Stripe refuses. */
async function previewOf(deps: BillingDeps, it: FetchedSubscription): Promise<StoredPreview | undefined> {
  if (isEnded(it.status) || it.stop) return undefined;
  const details: Details = endsWithPeriod(it) ? keptDetails(it) : {};
  const at = (price: string) => previewMonth(deps, it, { ...details, items: [{ ...it.item, price }] });
  try {
    const changed = await changedPrice(deps, it);
    return {
      current: await at(it.stripe_price_id),
      changed: changed === null ? null : await at(changed),
      last_cents: it.has_pending ? await lastCents(deps, it) : 0,
    };
  } catch (error) {
    if (!isRefused(error)) throw error;
    deps.log.error({ err: error, subscription: it.id }, 'Stripe refused to preview a charge');
    return undefined;
  }
}

const keptDetails = ({ cancel_at_period_end }: FetchedSubscription): Details =>
  cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' };

/** The charge at the end of the period if nothing follows it, for what waits by then; 0 if Stripe previews none. */
async function lastCents({ stripe }: BillingDeps, it: FetchedSubscription): Promise<number> {
  try {
    const invoice = await stripe.invoices.createPreview({
      subscription: it.id,
      subscription_details: endsWithPeriod(it) ? undefined : { cancel_at_period_end: true },
    });
    return dueOf(invoice, it.tax_behavior);
  } catch (error) {
    if (!isRefused(error)) throw error;
    return 0;
  }
}

/** The price scheduled at Stripe, or announced by the venue; null if there is none. */
async function changedPrice(deps: BillingDeps, it: FetchedSubscription): Promise<string | null> {
  const next = it.schedule?.next?.stripe_price_id;
  if (next && next !== it.stripe_price_id) return next;
  const move = await openMove(deps.db, it.id);
  if (!move) return null;
  const { to_price_id, to_tier: tier_name, to_amount_cents: amount_cents } = move;
  return to_price_id ?? ensurePrice(deps, { tier_name, amount_cents });
}

/** Stripe's charge for a month of a subscription with these details. Throws Stripe's errors. */
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
  await completeInvoice(stripe, invoice);
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

/** Amounts exclude added tax: 'plus tax' stands beside them. */
function dueOf(invoice: Stripe.Invoice, tax: TaxBehavior): number {
  if (tax !== 'exclusive' || invoice.amount_due === 0) return invoice.amount_due;
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

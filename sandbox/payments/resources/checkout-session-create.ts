import type Stripe from 'stripe';
import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import type { CheckoutSession, Price } from '../http/wire.ts';
import { charged } from '../invoices/amount-due.ts';
import { newId, timeOf, type World } from '../store/world.ts';
import { findCustomer } from './customers.ts';
import { money } from './money.ts';
import { refuseOtherCurrency, sellablePrice, sellableProduct } from './price-lookup.ts';
import { createPrice } from './prices.ts';

/** A line item as sent: a price, or an inline one. */
const itemFields = p.record({
  price: p.text,
  price_data: p.record({
    currency: p.needed(p.text),
    product: p.needed(p.text),
    tax_behavior: p.word<Stripe.Checkout.SessionCreateParams.LineItem.PriceData.TaxBehavior>(),
    unit_amount: p.needed(p.integer),
  }),
  quantity: p.integer,
});
type Item = ReturnType<typeof itemFields.read>;

interface SessionItem {
  id: string;
  price: Price;
  quantity: number;
}

/**
 * The line items of a new session. The sandbox sells subscriptions by recurring prices, and one-time payments only by
 * inline prices. Throws 400 in Stripe's words.
 */
function sessionItems(world: World, mode: 'subscription' | 'payment', items: Item[]): SessionItem[] {
  const results = items.map((item, index) => ({
    id: newId('li'),
    price: priceOf(world, mode, item, `line_items[${index}]`),
    quantity: item.quantity ?? 1,
  }));
  if (results.some((item) => item.quantity < 1))
    throw invalid(
      'This value must be greater than or equal to 1.',
      'line_items[0][quantity]',
      'parameter_invalid_integer',
    );
  if (new Set(results.map((item) => item.price.currency)).size > 1)
    throw invalid('All prices on a Checkout session must have the same currency.', 'line_items');
  return results;
}

function priceOf(world: World, mode: 'subscription' | 'payment', item: Item, path: string): Price {
  if (!item.price === !item.price_data)
    throw invalid(`You must specify either \`${path}[price]\` or \`${path}[price_data]\`.`, path);
  if (mode === 'subscription') {
    if (!item.price)
      throw invalid('You must provide at least one recurring price in `subscription` mode.', 'line_items');
    return sellablePrice(world, item.price, `${path}[price]`);
  }
  if (!item.price_data)
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      'line_items',
    );
  sellableProduct(world, item.price_data.product, `${path}[price_data][product]`);
  // Stripe makes an inline price into one that cannot be sold again.
  return createPrice(world, { ...item.price_data, active: false });
}

function refuseTooSmall(total: number, currency: string): void {
  if (charged(total, currency).due > 0) return;
  throw invalid(
    `The Checkout Session's total amount due must add up to more than ${money(total, currency)}.`,
    undefined,
    'amount_too_small',
  );
}

const HALF_HOUR = 1800;
const DAY = 86_400;
/** The payment method types of a session, unless it allows fewer. */
const DASHBOARD_METHODS = ['card', 'link'] as const;

export const sessionFields = {
  mode: p.needed(p.oneOf('subscription', 'payment')),
  line_items: p.needed(p.listOf(itemFields)),
  success_url: p.needed(p.url),
  cancel_url: p.url,
  client_reference_id: p.text,
  customer: p.text,
  customer_email: p.email,
  customer_update: p.record({
    address: p.word<Stripe.Checkout.SessionCreateParams.CustomerUpdate.Address>(),
    name: p.word<Stripe.Checkout.SessionCreateParams.CustomerUpdate.Name>(),
  }),
  expires_at: p.integer,
  allowed_payment_method_types: p.listOf(
    p.word<Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType>(),
  ),
  adaptive_pricing: p.record({ enabled: p.flag }),
  automatic_tax: p.record({ enabled: p.needed(p.flag) }),
  invoice_creation: p.record({
    enabled: p.needed(p.flag),
    invoice_data: p.record({ description: p.text, metadata: p.metadata }),
  }),
  custom_text: p.record({ submit: p.record({ message: p.needed(p.text) }) }),
  metadata: p.metadata,
  submit_type: p.oneOf('auto', 'subscribe', 'pay'),
  payment_intent_data: p.record({ metadata: p.metadata }),
  subscription_data: p.record({ metadata: p.metadata, trial_end: p.integer }),
};

const MAX_TRIAL_DAYS = 730;

/**
 * The end of a trial on the sandbox clock, as for `expiry`; null without one. Throws 400 for one out of bounds (README, "The
 * checkout").
 */
function trialEnd(world: World, trial_end: number | undefined): number | null {
  if (trial_end === undefined) return null;
  const now = timeOf(world);
  const start = [now, Math.floor(world.real() / 1000)].find((it) => trial_end >= it + 2 * DAY);
  if (start === undefined)
    throw invalid(
      'The `trial_end` date has to be at least 2 days in the future.',
      'subscription_data[trial_end]',
    );
  if (trial_end > start + MAX_TRIAL_DAYS * DAY)
    throw invalid(
      `The maximum number of trial period days is ${MAX_TRIAL_DAYS} (2 years).`,
      'subscription_data[trial_end]',
    );
  return now + trial_end - start;
}

/**
 * The expiration of a session, as shown and on the sandbox clock. A shop only knows the real clock, so `expires_at` may be
 * a real time while the sandbox clock is ahead; it then counts from the creation.
 */
function expiry(world: World, time: number | undefined): { shown: number; on: number } {
  const now = timeOf(world);
  if (time === undefined) return { shown: now + DAY, on: now + DAY };
  for (const start of [now, Math.floor(world.real() / 1000)])
    if (time >= start + HALF_HOUR && time <= start + DAY) return { shown: time, on: now + time - start };
  throw invalid(
    time > now + DAY
      ? 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.'
      : 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
    'expires_at',
  );
}

/** Creates an open session. Throws 400 for a price that cannot be sold and for an expiration out of bounds. */
export function createSession(world: World, params: p.Params<typeof sessionFields>): CheckoutSession {
  if (params.line_items.length === 0)
    throw invalid('Missing required param: line_items.', 'line_items', 'parameter_missing');
  if (params.customer && params.customer_email)
    throw invalid('You may only specify one of these parameters: customer, customer_email.', 'customer');
  if (params.customer_update && !params.customer)
    throw invalid('`customer_update` can only be used with `customer`.', 'customer_update');
  const customer = params.customer ? findCustomer(world, params.customer, 'customer') : null;
  const isOnce = params.mode === 'payment';
  if (isOnce ? params.subscription_data : params.payment_intent_data)
    throw invalid(
      isOnce
        ? 'You can not pass `subscription_data` in `payment` mode.'
        : 'You can not pass `payment_intent_data` in `subscription` mode.',
      isOnce ? 'subscription_data' : 'payment_intent_data',
    );
  if (params.invoice_creation && !isOnce)
    throw invalid(
      'You can only enable invoice creation when `mode` is set to `payment`.',
      'invoice_creation',
    );
  const items = sessionItems(world, params.mode, params.line_items);
  if (customer && !isOnce) refuseOtherCurrency(world, customer, items[0]?.price.currency);
  const isTaxed = params.automatic_tax?.enabled ?? false;
  if (isTaxed && customer && !customer.address && params.customer_update?.address !== 'auto')
    throw invalid(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      undefined,
      'customer_tax_location_invalid',
    );
  const lifetime = expiry(world, params.expires_at);
  const trial_end = trialEnd(world, params.subscription_data?.trial_end);
  const full = items.reduce((sum, item) => sum + (item.price.unit_amount ?? 0) * item.quantity, 0);
  const total = trial_end === null ? full : 0;
  if (isOnce) refuseTooSmall(total, items[0]?.price.currency ?? 'usd');
  const id = newId('cs_test', 58);
  const session: CheckoutSession = {
    ...blank('checkout.session'),
    discounts: [],
    id,
    // Stripe's default is the account's (SessionCreateParams.AdaptivePricing.enabled).
    adaptive_pricing: { enabled: params.adaptive_pricing?.enabled ?? true },
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: {
      enabled: isTaxed,
      liability: isTaxed ? { type: 'self' } : null,
      provider: isTaxed ? 'stripe' : null,
      status: isTaxed ? 'requires_location_inputs' : null,
    },
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: timeOf(world),
    currency: items[0]?.price.currency ?? 'usd',
    customer: customer?.id ?? null,
    customer_creation: customer ? null : 'always',
    customer_details:
      customer || params.customer_email
        ? {
            address: null,
            business_name: null,
            email: customer?.email ?? params.customer_email ?? null,
            individual_name: null,
            name: customer?.name ?? null,
            phone: null,
            tax_exempt: 'none',
            tax_ids: null,
          }
        : null,
    customer_email: params.customer_email ?? null,
    expires_at: lifetime.shown,
    metadata: p.mergedMetadata({}, params.metadata),
    mode: params.mode,
    payment_method_collection: isOnce ? 'if_required' : 'always',
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: DASHBOARD_METHODS.filter(
      (method) => params.allowed_payment_method_types?.includes(method) ?? true,
    ),
    payment_status: 'unpaid',
    phone_number_collection: { enabled: false },
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    status: 'open',
    submit_type: params.submit_type ?? null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${world.publicUrl}/c/pay/${id}`,
  };
  const { enabled = false, invoice_data = {} } = params.invoice_creation ?? {};
  const invoice = {
    description: invoice_data.description ?? null,
    metadata: p.mergedMetadata({}, invoice_data.metadata),
  };
  if (isOnce)
    session.invoice_creation = {
      enabled,
      invoice_data: {
        ...{
          account_tax_ids: null,
          custom_fields: null,
          footer: null,
          issuer: null,
          rendering_options: null,
        },
        ...invoice,
      },
    };
  session.custom_text.submit = params.custom_text?.submit ?? null;
  world.state.sessions[id] = session;
  world.state.carts[id] = {
    items: items.map((item) => ({ ...item, price: item.price.id })),
    trial_end,
    subscription_metadata: p.mergedMetadata({}, params.subscription_data?.metadata),
    payment_metadata: p.mergedMetadata({}, params.payment_intent_data?.metadata),
    invoice: enabled ? invoice : null,
    expires_on: lifetime.on,
    automatic_tax: isTaxed,
    challenge: null,
  };
  return session;
}

import Stripe from 'stripe';
import { describeModeConflict, storedStripeMode } from '../../db/claim-stripe-mode.ts';
import type { BillingDeps } from '../billing-context.ts';
import { isStripeError } from '../stripe-errors.ts';
import { type Finding, look, ok, wrong } from './setup-report.ts';

const ONE = { limit: 1 };

/** Permissions to read, by their names in Stripe's dashboard, each with a request that changes nothing. */
const READ: Record<string, (stripe: Stripe) => Promise<unknown>> = {
  Customers: (stripe) => stripe.customers.list(ONE),
  Products: (stripe) => stripe.products.list(ONE),
  Prices: (stripe) => stripe.prices.list(ONE),
  'Checkout Sessions': (stripe) => stripe.checkout.sessions.list(ONE),
  Subscriptions: (stripe) => stripe.subscriptions.list(ONE),
  'Subscription Schedules': (stripe) => stripe.subscriptionSchedules.list(ONE),
  Invoices: (stripe) => stripe.invoices.list(ONE),
  Charges: (stripe) => stripe.charges.list(ONE),
  Refunds: (stripe) => stripe.refunds.list(ONE),
  'Payment Methods': (stripe) => stripe.paymentMethods.list(ONE),
  Events: (stripe) => stripe.events.list(ONE),
  Coupons: (stripe) => stripe.coupons.list(ONE),
  'Customer portal': (stripe) => stripe.billingPortal.configurations.list(ONE),
  'Webhook Endpoints': (stripe) => stripe.webhookEndpoints.list(ONE),
};

const WRITTEN = [
  'Customers, Products, Prices, Checkout Sessions, Subscriptions, Subscription Schedules, Invoices, Refunds and',
  'Customer portal; to set up payments also Webhook Endpoints',
].join(' ');

const MODES = {
  live: 'a live key: real money moves',
  test: 'a test key: no money moves',
  demo: 'a key for STRIPE_API_URL, which is not Stripe itself',
};

/** The permission missing according to Stripe's error, such as 'rak_customer_read'; null for any other error. */
export function lackingPermission(error: unknown): string | null {
  if (!(error instanceof Stripe.errors.StripePermissionError)) return null;
  return /'(rak_\w+)'/.exec(error.message)?.[1] ?? 'a permission';
}

/** Whether Stripe accepts the key; null if it does. The other checks depend on it. */
export async function checkAccess({ stripe }: BillingDeps): Promise<Finding | null> {
  try {
    await stripe.prices.list(ONE);
    return null;
  } catch (error) {
    if (!isStripeError(error)) throw error;
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      return wrong('key', 'Stripe rejects STRIPE_SECRET_KEY: it is mistyped, or was rolled');
    if (error instanceof Stripe.errors.StripeConnectionError)
      return wrong('key', 'we can’t reach Stripe from here');
    return null;
  }
}

/** Mode and permissions of the key. Throws Stripe's errors, except for missing permissions. */
export async function checkKey({ db, stripe, key }: BillingDeps): Promise<Finding[]> {
  const conflict = describeModeConflict(await storedStripeMode(db), key.mode);
  const findings = [ok('key', `${key.restricted ? 'restricted, ' : ''}${MODES[key.mode]}`)];
  if (conflict) findings.push(wrong('database', `${conflict}: the server will not start`));
  const lacking: Finding[] = [];
  for (const [name, read] of Object.entries(READ)) {
    try {
      await read(stripe);
    } catch (error) {
      const permission = lackingPermission(error);
      if (!permission) throw error;
      lacking.push(
        wrong('key', `it may not read ${name} (${permission}): edit the key in Stripe's dashboard`),
      );
    }
  }
  findings.push(...lacking);
  if (lacking.length === 0) findings.push(ok('key', `it may read ${Object.keys(READ).join(', ')}`));
  if (key.restricted)
    findings.push(
      look(
        'key',
        `whether it may write can’t be checked without writing. It needs the permission Write for ${WRITTEN}`,
      ),
    );
  return findings;
}

import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { describeModeConflict, storedStripeMode } from '../../db/claim-stripe-mode.ts';
import type { BillingDeps } from '../billing-context.ts';
import { tryOutRefusal } from '../joining.ts';
import { isStripeError } from '../stripe-errors.ts';
import {
  checkAccount,
  checkPaymentMethods,
  checkSubscriptions,
  checkTax,
  lookByHand,
} from './check-account.ts';
import {
  checkPortalConfiguration,
  ensurePortalConfiguration,
  planPortalConfiguration,
} from './portal-configuration.ts';
import { checkPrices, ensurePrices, planPrices } from './setup-prices.ts';
import {
  attention,
  type CheckReport,
  type Finding,
  failing,
  type PlannedStep,
  type SetupPlan,
  type SetupReport,
  type SetupStep,
  toSetUp,
  well,
} from './setup-report.ts';
import { checkWebhookEndpoint, ensureWebhookEndpoint, planWebhookEndpoint } from './webhook-endpoint.ts';

/**
 * Creates what the server needs at Stripe: the webhook endpoint, the portal configuration, products and prices. A repeated
 * run changes only what differs. A part that fails at Stripe is reported as failed, and the others are still made.
 */
export async function setUpStripe(deps: BillingDeps): Promise<SetupReport> {
  let webhookSecret: string | null = null;
  const steps = [
    ...(await makePart('webhook endpoint', async () => {
      const { steps, secret } = await ensureWebhookEndpoint(deps);
      webhookSecret = secret;
      return steps;
    })),
    ...(await makePart('portal configuration', async () => [await ensurePortalConfiguration(deps)])),
    ...(await makePart('prices', () => ensurePrices(deps))),
  ];
  return {
    mode: deps.key.mode,
    steps,
    webhookSecret,
    secretKept: webhookSecret !== null && deps.sealing !== null,
  };
}

/** The steps that setUpStripe would take now. Changes nothing. A part that cannot be read from Stripe is 'unread'. */
export async function planStripe(deps: BillingDeps): Promise<SetupPlan> {
  const steps = [
    ...(await planPart('webhook endpoint', () => planWebhookEndpoint(deps))),
    ...(await planPart('portal configuration', async () => [await planPortalConfiguration(deps)])),
    ...(await planPart('prices', () => planPrices(deps))),
  ];
  const plan = createHash('sha256').update(JSON.stringify(steps)).digest('hex').slice(0, 32);
  return { mode: deps.key.mode, steps, plan };
}

async function planPart(what: string, work: () => Promise<PlannedStep[]>): Promise<PlannedStep[]> {
  try {
    return await work();
  } catch (error) {
    if (!isStripeError(error)) throw error;
    return [{ outcome: 'unread', text: `${what}: ${inWords(error)}` }];
  }
}

/** Stripe's message and, for a key that lacks a permission, what to do. */
function inWords(error: Error): string {
  const permission = lackingPermission(error);
  return permission
    ? `this key lacks ${permission}. Edit the key in Stripe's dashboard, then look again`
    : error.message;
}

async function makePart(what: string, work: () => Promise<SetupStep[]>): Promise<SetupStep[]> {
  try {
    return await work();
  } catch (error) {
    if (!isStripeError(error)) throw error;
    return [{ outcome: 'failed', text: `${what}: ${inWords(error)}` }];
  }
}

/**
 * Checks the key, the account and what setUpStripe makes. Changes nothing. Also sends a test event to our own webhook URL,
 * and lists the settings to check by hand because Stripe's API does not show them.
 */
export async function checkStripe(deps: BillingDeps): Promise<CheckReport> {
  const { mode } = deps.key;
  const refused = await checkAccess(deps);
  if (refused) return { mode, findings: [refused] };
  const findings = [
    ...(await checkPart('key', failing, () => checkKey(deps))),
    ...(await checkPart('account', attention, () => checkAccount(deps))),
    ...(await checkPart('webhook endpoint', failing, () => checkWebhookEndpoint(deps))),
    ...(await checkPart('portal', failing, () => checkPortalConfiguration(deps))),
    ...(await checkPart('prices', failing, () => checkPrices(deps))),
    ...(await checkPart('subscriptions', failing, () => checkSubscriptions(deps))),
    ...(await checkPart('tax', attention, () => checkTax(deps))),
    ...(await checkPart('payment methods', attention, () => checkPaymentMethods(deps))),
    ...(await checkTryOut(deps)),
    ...lookByHand(deps),
  ];
  return { mode, findings };
}

/** Reports a refusal that blocks joining. */
async function checkTryOut(deps: BillingDeps): Promise<Finding[]> {
  const refusal = await tryOutRefusal(deps);
  if (refusal === null) return [];
  return [toSetUp('joining', `closed, because Stripe refused a step of the try-out. ${refusal}`)];
}

/**
 * Runs one part of the check. `unread` makes the finding for a part that the key may not read: `failing` if the server has
 * to read it, else `attention`.
 */
async function checkPart(
  about: string,
  unread: (about: string, text: string) => Finding,
  work: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    if (!isStripeError(error)) throw error;
    const permission = lackingPermission(error);
    if (permission) return [unread(about, `this key may not read it (${permission})`)];
    return [failing(about, `Stripe answered: ${error.message}`)];
  }
}

const ONE = { limit: 1 };

/** Read permissions, by their names in Stripe's dashboard, each with a request that changes nothing. */
const READ_PERMISSIONS: Record<string, (stripe: Stripe) => Promise<unknown>> = {
  Customers: (stripe) => stripe.customers.list(ONE),
  Products: (stripe) => stripe.products.list(ONE),
  Prices: (stripe) => stripe.prices.list(ONE),
  'Checkout Sessions': (stripe) => stripe.checkout.sessions.list(ONE),
  Subscriptions: (stripe) => stripe.subscriptions.list(ONE),
  'Subscription Schedules': (stripe) => stripe.subscriptionSchedules.list(ONE),
  Invoices: (stripe) => stripe.invoices.list(ONE),
  'Credit notes': (stripe) => stripe.creditNotes.list(ONE),
  Charges: (stripe) => stripe.charges.list(ONE),
  PaymentIntents: (stripe) => stripe.paymentIntents.list(ONE),
  Refunds: (stripe) => stripe.refunds.list(ONE),
  'Payment Methods': (stripe) => stripe.paymentMethods.list(ONE),
  Events: (stripe) => stripe.events.list(ONE),
  Coupons: (stripe) => stripe.coupons.list(ONE),
  'Customer portal': (stripe) => stripe.billingPortal.configurations.list(ONE),
  'Webhook Endpoints': (stripe) => stripe.webhookEndpoints.list(ONE),
};

const WRITE_PERMISSIONS = [
  'Customers, Products, Prices, Checkout Sessions, Subscriptions, Subscription Schedules, Invoices, Refunds and',
  'Customer portal; to set up payments also Webhook Endpoints',
].join(' ');

const MODES = {
  live: 'a live key: real money moves',
  test: 'a test key: no money moves',
  demo: 'a key for STRIPE_API_URL, which is not Stripe itself',
};

/** The permission missing according to Stripe's error, such as 'rak_customer_read'; null for any other error. */
function lackingPermission(error: unknown): string | null {
  if (!(error instanceof Stripe.errors.StripePermissionError)) return null;
  return /'(rak_\w+)'/.exec(error.message)?.[1] ?? 'a permission';
}

/** Why the other checks cannot be made, such as a key that Stripe rejects; null if they can. */
async function checkAccess({ stripe }: BillingDeps): Promise<Finding | null> {
  try {
    await stripe.prices.list(ONE);
    return null;
  } catch (error) {
    if (!isStripeError(error)) throw error;
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      return failing('key', 'Stripe rejects STRIPE_SECRET_KEY: it is mistyped, or was rolled');
    if (error instanceof Stripe.errors.StripeConnectionError)
      return failing('key', 'we can’t reach Stripe from here');
    return null;
  }
}

/** Mode and permissions of the key. Throws Stripe's errors, except for missing permissions. */
async function checkKey({ db, stripe, key }: BillingDeps): Promise<Finding[]> {
  const conflict = describeModeConflict(await storedStripeMode(db), key.mode);
  const findings = [well('key', `${key.restricted ? 'restricted, ' : ''}${MODES[key.mode]}`)];
  if (conflict) findings.push(failing('database', `${conflict}: the server will not start`));
  const lacking: Finding[] = [];
  for (const [name, read] of Object.entries(READ_PERMISSIONS)) {
    try {
      await read(stripe);
    } catch (error) {
      const permission = lackingPermission(error);
      if (!permission) throw error;
      lacking.push(
        failing('key', `it may not read ${name} (${permission}): edit the key in Stripe's dashboard`),
      );
    }
  }
  findings.push(...lacking);
  if (lacking.length === 0)
    findings.push(well('key', `it may read ${Object.keys(READ_PERMISSIONS).join(', ')}`));
  if (key.restricted)
    findings.push(
      attention(
        'key',
        `whether it may write can’t be checked without writing. It needs the permission Write for ${WRITE_PERMISSIONS}`,
      ),
    );
  return findings;
}

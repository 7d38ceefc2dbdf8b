import type Stripe from 'stripe';
import type { BillingDeps } from '../billing-context.ts';
import { unlessMissing } from '../stripe-errors.ts';
import { attention, type Finding, type PlannedStep, type SetupStep, toSetUp, well } from './setup-report.ts';
import { createOnce, storedSetupId } from './setup-requests.ts';

const ABOUT = 'portal';

/** Members change the payment method there; tiers, cancellation and invoices are on our own pages. */
const FEATURES = {
  payment_method_update: { enabled: true },
  customer_update: { enabled: false },
  invoice_history: { enabled: false },
  subscription_cancel: { enabled: false },
  subscription_update: { enabled: false },
} satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features;

type Feature = keyof typeof FEATURES;

/** The portal configuration for our sessions; null before the first setup, when Stripe's default applies. */
export function portalConfigurationId(deps: Pick<BillingDeps, 'db'>): Promise<string | null> {
  return storedSetupId(deps, 'portal_configuration');
}

async function findConfiguration(deps: BillingDeps): Promise<Stripe.BillingPortal.Configuration | null> {
  const id = await portalConfigurationId(deps);
  if (!id) return null;
  return unlessMissing(deps.stripe.billingPortal.configurations.retrieve(id));
}

function differingFeatures({ features }: Stripe.BillingPortal.Configuration): Feature[] {
  return (Object.keys(FEATURES) as Feature[]).filter(
    (name) => features[name].enabled !== FEATURES[name].enabled,
  );
}

const paramsOf = ({ publicUrl }: BillingDeps): Stripe.BillingPortal.ConfigurationCreateParams => ({
  name: 'Cellar Door',
  default_return_url: `${publicUrl}/account`,
  features: FEATURES,
});

const isRight = (deps: BillingDeps, known: Stripe.BillingPortal.Configuration): boolean =>
  known.active &&
  known.default_return_url === paramsOf(deps).default_return_url &&
  differingFeatures(known).length === 0;

/** The planned step for the portal. Throws Stripe's errors. */
export async function planPortalConfiguration(deps: BillingDeps): Promise<PlannedStep> {
  const known = await findConfiguration(deps);
  if (!known)
    return { outcome: 'make', text: 'a customer portal: members change their payment method there' };
  const text = `customer portal (${known.id})`;
  if (isRight(deps, known)) return { outcome: 'unchanged', text };
  return { outcome: 'change', text: `${text}: members change their payment method there, nothing else` };
}

/** Makes the portal offer only what our pages use it for. Throws Stripe's errors. */
export async function ensurePortalConfiguration(deps: BillingDeps): Promise<SetupStep> {
  const { stripe } = deps;
  const params = paramsOf(deps);
  const known = await findConfiguration(deps);
  if (!known) {
    const made = await createOnce(deps, 'portal_configuration', params, (it, options) =>
      stripe.billingPortal.configurations.create(it, options),
    );
    return {
      outcome: 'made',
      text: `customer portal (${made.id}): members change their payment method there`,
    };
  }
  const text = `customer portal (${known.id})`;
  if (isRight(deps, known)) return { outcome: 'unchanged', text };
  // No idempotency key: a second update to the same state must count if the state changed in between.
  await stripe.billingPortal.configurations.update(known.id, { active: true, ...params });
  return { outcome: 'changed', text: `${text} offers what it should` };
}

/** Throws Stripe's errors. */
export async function checkPortalConfiguration(deps: BillingDeps): Promise<Finding[]> {
  const known = await findConfiguration(deps);
  if (!known) return [toSetUp(ABOUT, 'it has no configuration of ours')];
  const wrongFeatures = differingFeatures(known);
  const findings: Finding[] = [];
  if (!known.active) findings.push(toSetUp(ABOUT, `${known.id} is not active`));
  if (wrongFeatures.length > 0) {
    const text = wrongFeatures.map((it) => `${it} is ${FEATURES[it].enabled ? 'off' : 'on'}`).join(', ');
    findings.push(toSetUp(ABOUT, `${known.id}: ${text}`));
  }
  if (findings.length === 0)
    findings.push(well(ABOUT, `${known.id} lets members change their payment method only`));
  const { data } = await deps.stripe.billingPortal.configurations.list({ is_default: true, limit: 1 });
  if (data[0]?.login_page.enabled) {
    const text =
      'the login link of Stripe’s own portal is on: anyone who has it can do there what your dashboard allows. ' +
      'Our pages do not need it';
    findings.push(attention(ABOUT, text));
  }
  return findings;
}

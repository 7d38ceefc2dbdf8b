import type Stripe from 'stripe';
import type { BillingDeps } from '../billing-context.ts';
import { listUnknownSubscriptions } from '../customers/unknown-subscriptions.ts';
import { unknownRemedy, unknownText } from '../customers/unknown-text.ts';
import { attention, type Finding, failing, well } from './setup-report.ts';

/** Payment methods that are cards, or settle as fast as one. */
const INSTANT = ['card', 'apple_pay', 'google_pay', 'link', 'samsung_pay', 'cartes_bancaires', 'jcb'];

/**
 * Whether the account can take payments. Test mode works before the account is activated, so there it is only noted. Throws
 * Stripe's errors.
 */
export async function checkAccount({ stripe, key }: BillingDeps): Promise<Finding[]> {
  const unready = key.mode === 'test' ? attention : failing;
  const account = await stripe.accounts.retrieveCurrent();
  const findings = [
    account.charges_enabled
      ? well('account', `${account.id} can take payments`)
      : unready('account', `${account.id} can't take payments yet: Stripe's dashboard says what is missing`),
  ];
  if (account.charges_enabled && !account.payouts_enabled)
    findings.push(
      attention('account', 'it takes payments but pays nothing out: Stripe’s dashboard says what is missing'),
    );
  const shown = account.settings?.payments.statement_descriptor;
  findings.push(
    shown
      ? well('statement', `card statements say ${shown}; members should recognize the club by it`)
      : unready(
          'statement',
          'no statement descriptor is set, so members may not recognize the charge and may dispute it',
        ),
  );
  return findings;
}

/** Whether everyone who pays for one of our prices has an account here. Throws Stripe's errors. */
export async function checkSubscriptions(deps: BillingDeps): Promise<Finding[]> {
  const unknown = await listUnknownSubscriptions(deps);
  if (unknown.length === 0) return [well('subscriptions', 'all that run on our prices have an account here')];
  return unknown.map((it) =>
    failing('subscriptions', `no account here for ${unknownText(it)}; ${unknownRemedy(it, deps.publicUrl)}`),
  );
}

/** The settings of Stripe Tax. Throws Stripe's errors. */
export async function checkTax({ stripe }: BillingDeps): Promise<Finding[]> {
  const { status, status_details } = await stripe.tax.settings.retrieve();
  if (status === 'active') return [well('tax', 'Stripe Tax is set up')];
  const missing = status_details.pending?.missing_fields?.join(', ') || 'its settings';
  return [
    attention(
      'tax',
      `Stripe Tax is not set up (${missing} missing): no tax is calculated. Ask whoever does your taxes`,
    ),
  ];
}

/** The payment methods offered to members. Throws Stripe's errors. */
export async function checkPaymentMethods({ stripe }: BillingDeps): Promise<Finding[]> {
  const { data } = await stripe.paymentMethodConfigurations.list({ limit: 100 });
  const main = data.find(({ is_default, active }) => is_default && active);
  if (!main)
    return [attention('payment methods', 'the account has no default configuration of payment methods')];
  const on = offeredBy(main);
  const slow = on.filter((name) => !INSTANT.includes(name));
  const findings = [
    on.includes('card')
      ? well('payment methods', `on in the account: ${on.join(', ')}`)
      : failing('payment methods', 'cards are off in the account: nobody can join'),
  ];
  if (slow.length > 0) {
    const text = `${slow.join(', ')} may take days to settle or cannot renew; members pay by card. Turn off what you do not want`;
    findings.push(attention('payment methods', text));
  }
  return findings;
}

function offeredBy(configuration: Stripe.PaymentMethodConfiguration): string[] {
  return Object.entries(configuration)
    .filter(([, it]) => typeof it === 'object' && it !== null && 'available' in it && it.available === true)
    .map(([name]) => name);
}

/** Settings that Stripe's API does not show: a person has to check them in the dashboard. */
export function lookByHand({ publicUrl, rules }: Pick<BillingDeps, 'publicUrl' | 'rules'>): Finding[] {
  return [
    attention(
      'one subscription',
      `Checkout settings, Subscriptions: limit customers to one subscription, and send them to ${publicUrl}/account. ` +
        'The server does not rely on it: it cancels and refunds a second one',
    ),
    attention(
      'retries',
      `Billing settings, failed payments: Stripe must retry for at least ${rules().grace_days} days. Members keep access that ` +
        'long; then the server cancels the subscription and voids what is open',
    ),
    attention(
      'emails',
      'Customer email settings: turn off successful payments, finalized invoices and failed payments. The ' +
        'club sends its own, and members would get two',
    ),
  ];
}

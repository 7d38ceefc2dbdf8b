import fc from 'fast-check';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { createPayer, createTiers, type Harness, startHarness } from '../support/sandbox/harness.ts';

type Action =
  | { do: 'advance'; days: number }
  | { do: 'card'; card: string }
  | {
      do: 'change';
      tier: 'select' | 'premier';
      proration: Stripe.SubscriptionUpdateParams.ProrationBehavior;
      behaviour: Stripe.SubscriptionUpdateParams.PaymentBehavior;
    }
  | { do: 'cancelAtEnd'; on: boolean }
  | { do: 'pay' }
  | { do: 'refund'; amount: number }
  | { do: 'schedule' }
  | { do: 'cancel' };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('advance' as const), days: fc.integer({ min: 1, max: 45 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('card' as const),
      card: fc.constantFrom('pm_card_visa', 'pm_card_chargeCustomerFail', 'pm_card_authenticationRequired'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      tier: fc.constantFrom('select' as const, 'premier' as const),
      proration: fc.constantFrom('always_invoice' as const, 'create_prorations' as const, 'none' as const),
      behaviour: fc.constantFrom(
        'allow_incomplete' as const,
        'error_if_incomplete' as const,
        'pending_if_incomplete' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancelAtEnd' as const), on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ do: 'pay' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 9000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'schedule' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'cancel' as const }) },
);

async function perform(
  harness: Harness,
  customer: string,
  prices: Record<'select' | 'premier', string>,
  act: Action,
) {
  const { stripe } = harness;
  const [subscription] = (await stripe.subscriptions.list({ customer, status: 'all' })).data;
  const [open] = (await stripe.invoices.list({ customer, status: 'open' })).data;
  const item = subscription?.items.data[0];
  if (!subscription || !item) return;
  if (act.do === 'advance') await harness.advance(`${act.days} days`);
  if (act.do === 'card') {
    const method = await stripe.paymentMethods.attach(act.card, { customer });
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
  }
  if (act.do === 'change')
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price: prices[act.tier] }],
      proration_behavior: act.proration,
      payment_behavior: act.behaviour,
    });
  if (act.do === 'cancelAtEnd')
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: act.on });
  if (act.do === 'pay' && open) await stripe.invoices.pay(open.id);
  if (act.do === 'refund') {
    const charge = (await stripe.charges.list({ customer })).data.find((entry) => entry.paid);
    if (charge) await stripe.refunds.create({ charge: charge.id, amount: act.amount });
  }
  if (act.do === 'schedule')
    await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  if (act.do === 'cancel') await stripe.subscriptions.cancel(subscription.id);
}

/** Invariants after every step: money and status agree, and nothing is overdue. */
async function check(harness: Harness, customer: string) {
  const { stripe } = harness;
  const { now } = await harness.control<{ now: number }>('clock');
  const charges = (await stripe.charges.list({ customer, limit: 100 })).data;
  const invoices = await stripe.invoices.list({ customer, limit: 100, expand: ['data.payments'] });
  for (const invoice of invoices.data) {
    const intents = invoice.payments?.data.map((link) => String(link.payment.payment_intent)) ?? [];
    const taken = charges.filter((charge) => charge.paid && intents.includes(String(charge.payment_intent)));
    const sum = taken.reduce((total, charge) => total + charge.amount, 0);
    expect(sum, `${invoice.id} is ${invoice.status}`).toBe(
      invoice.status === 'paid' ? invoice.amount_due : 0,
    );
    expect(invoice.amount_paid + invoice.amount_remaining).toBe(
      invoice.status === 'void' ? 0 : invoice.amount_due,
    );
    expect(invoice.total).toBe(invoice.lines.data.reduce((total, line) => total + line.amount, 0));
    if (invoice.next_payment_attempt) expect(invoice.next_payment_attempt).toBeGreaterThan(now - 2);
  }
  for (const charge of charges) expect(charge.amount_refunded).toBeLessThanOrEqual(charge.amount);
  for (const subscription of (await stripe.subscriptions.list({ customer, status: 'all' })).data) {
    const over = ['canceled', 'incomplete_expired'].includes(subscription.status);
    expect(subscription.ended_at !== null, subscription.status).toBe(over);
    const item = subscription.items.data[0];
    if (!over && subscription.status !== 'incomplete') {
      expect(item?.current_period_start).toBeLessThanOrEqual(now + 1);
      expect(item?.current_period_end).toBeGreaterThan(now - 2);
    }
    if (over) expect(subscription.schedule).toBeNull();
    const latest = await stripe.invoices.retrieve(String(subscription.latest_invoice));
    if (subscription.status === 'past_due') expect(latest.status).not.toBe('paid');
  }
}

test('money and status agree after any sequence of actions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 14 }), async (actions) => {
      const harness = await startHarness();
      const { select, premier } = await createTiers(harness.stripe);
      const payer = await createPayer(harness.stripe);
      await harness.stripe.subscriptions.create({ customer: payer.id, items: [{ price: select.id }] });
      for (const act of actions) {
        await perform(harness, payer.id, { select: select.id, premier: premier.id }, act).catch((error) => {
          // Refusals are expected; any other error is a bug.
          if (!(error instanceof Stripe.errors.StripeError) || (error.statusCode ?? 500) >= 500) throw error;
        });
        await check(harness, payer.id);
      }
      await harness.sandbox.close();
    }),
    { numRuns: Number(process.env.LEDGER_RUNS ?? 15) },
  );
}, 120_000);

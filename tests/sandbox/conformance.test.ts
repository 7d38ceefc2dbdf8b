import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  CARD,
  createPayer,
  createTiers,
  pageOf,
  startHarness,
  submitForm,
} from '../support/sandbox/harness.ts';

interface Stamped {
  api_version: string;
  objects: Record<string, object | boolean>;
  $defs: Record<string, object | boolean>;
}

const stamped: Stamped = JSON.parse(
  gunzipSync(
    readFileSync(new URL('../../sandbox/payments/schema/stripe.schema.json.gz', import.meta.url)),
  ).toString(),
);

const ajv = new Ajv2020({ strict: false, inlineRefs: false });
ajv.addSchema({ $id: 'stripe', ...stamped });
// Compiled before any server listens, because it blocks the process for a moment.
const validators = new Map(
  Object.keys(stamped.objects).map((name) => [name, ajv.getSchema(`stripe#/objects/${name}`)]),
);

/** Checks responses against the schema made from the SDK's types, and collects violations. */
function createJudge() {
  const seen = new Set<string>();
  const faults: string[] = [];

  const judge = (value: unknown, where: string): void => {
    const answer = value as { object?: string; data?: unknown; deleted?: boolean };
    if (answer.object === 'list') {
      for (const entry of answer.data as unknown[]) judge(entry, where);
      return;
    }
    const name = answer.object ?? 'nothing';
    // Also those inside: items, lines and payments are only ever part of another object.
    JSON.stringify(value, (_, part) => {
      if (typeof part?.object === 'string') seen.add(part.object);
      return part;
    });
    if (name === 'event') {
      judge((answer.data as { object: unknown }).object, `${where} event`);
      return;
    }
    if (answer.deleted) return;
    const validate = validators.get(name);
    if (!validate) faults.push(`${where}: an object of the kind ${name}, which the schema does not know`);
    else if (!validate(value)) faults.push(`${where}: ${name} ${textOf(validate.errors)}`);
  };
  return { judge, seen, faults };
}

function textOf(errors: ErrorObject[] | null | undefined): string {
  return (errors ?? [])
    .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
    .join('; ');
}

describe('conformance', () => {
  test("the schema is that of the installed SDK's API version", () => {
    expect(stamped.api_version).toBe(Stripe.API_VERSION);
  });

  test('the check can tell a wrong response from a right one', () => {
    const { judge, faults } = createJudge();
    judge({ object: 'refund', id: 're_1' }, 'test');
    judge({ object: 'terminal.reader' }, 'test');
    expect(faults).toHaveLength(2);
  });

  test('every response and every event has the shape that the SDK declares', async () => {
    const { judge, seen, faults } = createJudge();
    const harness = await startHarness();
    const { hostname, port } = new URL(harness.sandbox.url);
    const stripe = new Stripe(harness.sandbox.stripeSecretKey, {
      host: hostname,
      port: Number(port),
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(async (...request: Parameters<typeof fetch>) => {
        const answer = await fetch(...request);
        if (answer.ok) judge(await answer.clone().json(), `${request[1]?.method} ${String(request[0])}`);
        return answer;
      }),
    });

    const { select, premier } = await createTiers(stripe);
    await stripe.products.update(String(premier.product), { description: 'Twelve glasses' });
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: select.id, quantity: 1 }],
      success_url: 'http://club.test/',
      customer_email: 'ada@example.test',
    });
    await submitForm(pageOf(harness, session), CARD);
    const expired = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: select.id, quantity: 1 }],
      success_url: 'http://club.test/',
      automatic_tax: { enabled: true },
    });
    await stripe.checkout.sessions.expire(expired.id);
    const complete = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['line_items', 'customer', 'subscription.latest_invoice.payments', 'invoice'],
    });
    const subscription = complete.subscription as Stripe.Subscription;
    const items = [{ id: subscription.items.data[0]?.id, price: premier.id }];
    await stripe.invoices.createPreview({ subscription: subscription.id });
    await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: 'always_invoice' },
    });
    await stripe.subscriptions.update(subscription.id, {
      items,
      proration_behavior: 'always_invoice',
      automatic_tax: { enabled: true },
    });
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    await stripe.subscriptionSchedules.update(schedule.id, {
      phases: [
        {
          items: [{ price: premier.id }],
          start_date: schedule.phases[0]?.start_date,
          end_date: schedule.phases[0]?.end_date,
        },
        {
          items: [{ price: select.id }],
          duration: { interval: 'month' },
          automatic_tax: { enabled: true },
        },
      ],
    });
    await harness.advance('2 months');
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    const customer = String(subscription.customer);
    const portal = await stripe.billingPortal.sessions.create({
      customer,
      flow_data: { type: 'payment_method_update' },
    });
    await submitForm(`${harness.sandbox.url}${new URL(portal.url).pathname}/card`, {
      ...CARD,
      number: '4000000000000341',
    });
    await stripe.billingPortal.configurations.list();
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
    await harness.advance('1 month');
    const [open] = (await stripe.invoices.list({ status: 'open' })).data;
    await stripe.invoices.pay(open?.id ?? '').catch(() => undefined);
    await harness.advance('20 days');

    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: 1_800_000_000 });
    const payer = await createPayer(stripe, 'pm_card_authenticationRequired', clock.id);
    const incomplete = await stripe.subscriptions.create({
      customer: payer.id,
      items: [{ price: premier.id }],
    });
    expect(incomplete.status).toBe('incomplete');
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: 1_800_100_000 });
    const trial = await stripe.subscriptions.create({
      customer: payer.id,
      items: [{ price: premier.id }],
      trial_period_days: 14,
    });
    await stripe.subscriptions.cancel(trial.id);
    const other = await createPayer(stripe);
    const coupon = await stripe.coupons.create({ percent_off: 25, duration: 'forever' });
    const short = await stripe.subscriptions.create({
      customer: other.id,
      items: [{ price: select.id }],
      discounts: [{ coupon: coupon.id }],
      expand: ['discounts', 'latest_invoice'],
    });
    for (const discount of short.discounts) judge(discount, 'subscription.discounts');
    await stripe.coupons.create({
      amount_off: 500,
      currency: 'usd',
      duration: 'repeating',
      duration_in_months: 3,
    });
    await stripe.customers.update(other.id, { balance: -500 });
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: other.id });
    await stripe.subscriptions.update(short.id, {
      default_payment_method: bad.id,
    });
    await stripe.subscriptions.update(short.id, {
      items: [{ id: short.items.data[0]?.id, price: premier.id }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
    });
    await stripe.paymentMethods.detach(bad.id);

    const intent = String((await stripe.charges.list()).data.find(({ paid }) => paid)?.payment_intent);
    await stripe.refunds.create({ payment_intent: intent, amount: 500 });
    await harness.control('disputes', { payment_intent: intent });
    await stripe.customers.del(payer.id);

    await stripe.accounts.retrieveCurrent();
    await stripe.tax.settings.retrieve();
    await stripe.paymentMethodConfigurations.list();
    const endpoint = await stripe.webhookEndpoints.create({
      url: 'https://club.test/hook',
      enabled_events: ['invoice.paid'],
      api_version: Stripe.API_VERSION,
    });
    await stripe.webhookEndpoints.update(endpoint.id, { disabled: true });
    await stripe.webhookEndpoints.del(endpoint.id);
    const configuration = await stripe.billingPortal.configurations.create({
      features: { payment_method_update: { enabled: true } },
    });
    await stripe.billingPortal.configurations.update(configuration.id, { login_page: { enabled: true } });

    await stripe.customers.createSource(other.id, { source: 'tok_visa' });
    await stripe.invoiceItems.create({ customer: other.id, amount: 100, currency: 'usd' });
    const [settled] = (await stripe.invoices.list({ status: 'paid', customer: other.id })).data;
    await stripe.creditNotes.create({ invoice: settled?.id ?? '', amount: 100, credit_amount: 100 });
    await stripe.taxRates.create({ display_name: 'VAT', percentage: 20, inclusive: false });

    await harness.advance('3 days');
    const pages = { limit: 100 };
    for await (const _ of stripe.events.list(pages));
    for await (const _ of stripe.invoices.list({ ...pages, expand: ['data.customer', 'data.payments'] }));
    for await (const _ of stripe.subscriptions.list({
      ...pages,
      status: 'all',
      expand: ['data.default_payment_method'],
    }));
    for (const list of [
      stripe.customers,
      stripe.products,
      stripe.prices,
      stripe.checkout.sessions,
      stripe.charges,
      stripe.paymentIntents,
      stripe.taxRates,
      stripe.creditNotes,
      stripe.invoiceItems,
      stripe.balanceTransactions,
      stripe.payouts,
      stripe.refunds,
      stripe.disputes,
      stripe.subscriptionSchedules,
      stripe.billingPortal.configurations,
      stripe.webhookEndpoints,
      stripe.testHelpers.testClocks,
    ])
      for await (const _ of list.list(pages));
    await stripe.paymentIntents.retrieve(intent);
    await stripe.paymentMethods.list({ customer });

    expect([...new Set(faults.map((fault) => fault.replace(/^.*?: /, '')))]).toEqual([]);
    expect(Object.keys(stamped.objects).filter((name) => !seen.has(name))).toEqual([]);
  }, 60_000);
});

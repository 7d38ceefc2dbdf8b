import type Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeAnswers } from '../../support/billing/answers.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { glassesOf } from '../../support/billing/glasses.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';
import { CARD } from '../../support/billing/venue-actions.ts';

beforeAll(openSharedDatabase);

// docs/rules/billing.md, "Billing: a new payment method".

const GOOD = '5555555555554444';
const NO_MONEY = '4000000000009995';

/** A member whose renewal failed, five days later. */
async function overdueMember(venue: Venue, days = 5): Promise<string> {
  const { user } = await venue.member();
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 30, minutes: 1 });
  if (days > 0) await venue.advance({ days });
  return user;
}

/** A member whose renewal waits for 3-D Secure, without any charge, and who saved another card before. */
async function unconfirmedMember(venue: Venue): Promise<{ user: string; saved: string }> {
  const { user } = await venue.member();
  const customer = await stripeCustomerId(venue.db, user);
  const { id: saved } = await venue.stripe.paymentMethods.attach('pm_card_mastercard', { customer });
  await venue.advance({ minutes: 5 });
  await venue.changeCard(user, 'pm_card_authenticationRequired');
  await venue.advance({ days: 30, minutes: 1 });
  return { user, saved };
}

async function chooseSaved(venue: Venue, user: string, saved: string): Promise<void> {
  const customer = await stripeCustomerId(venue.db, user);
  await venue.stripe.customers.update(customer, { invoice_settings: { default_payment_method: saved } });
  await venue.delivered();
}

async function updateCard(venue: Venue, user: string, number = GOOD): Promise<void> {
  const { url } = await venue.billing.openPaymentMethodPage(user);
  await venue.pay(`${url}/card`, { ...CARD, number });
  await venue.delivered();
}

/** The last digits of each card charged and what came of it, oldest first. */
async function charges(venue: Venue, user: string): Promise<string[]> {
  const { data } = await venue.stripe.charges.list({ customer: await stripeCustomerId(venue.db, user) });
  return data.reverse().map((it) => `${it.payment_method_details?.card?.last4} ${it.status}`);
}

describe('a new payment method pays the due invoice at once', () => {
  test('while grace runs', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await updateCard(venue, user);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      status: 'active',
      grace_until: null,
      collection: null,
      payment_method: { last4: '4444' },
    });
    expect((await charges(venue, user)).at(-1)).toBe('4444 succeeded');
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4 });
    expect(venue.noticeTypes().at(-1)).toBe('payment_received');
    await venue.advance({ days: 3 });
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' }, reversals: [] });
  });

  test('after Stripe has given up, which brings the membership back', async () => {
    const venue = await openVenue();
    await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
    const user = await overdueMember(venue, 3);
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ active: null });
    await updateCard(venue, user);
    expect(await venue.state(user)).toMatchObject({ active: { tier: 'select' }, memberships: 1 });
    expect(venue.noticeTypes()).toContain('access_restored');
  });

  test('of the current month alone, when a month on hold has passed', async () => {
    const venue = await openVenue();
    await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
    const user = await overdueMember(venue, 3);
    await venue.billing.sweep();
    await venue.advance({ days: 31 });
    await updateCard(venue, user);
    const customer = await stripeCustomerId(venue.db, user);
    const { data } = await venue.stripe.invoices.list({ customer });
    expect(data.map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
    expect(await glassesOf(venue, user)).toMatchObject({ access: true, period_pours: 4 });
  });

  test('when another saved card becomes the default, though it is older than the invoice', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    const customer = await stripeCustomerId(venue.db, user);
    const saved = await venue.stripe.paymentMethods.attach('pm_card_mastercard', { customer });
    await venue.advance({ minutes: 5 });
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await venue.advance({ days: 30, minutes: 1 });
    await venue.stripe.customers.update(customer, {
      invoice_settings: { default_payment_method: saved.id },
    });
    await venue.delivered();
    expect(await venue.state(user)).toMatchObject({ subscriptions: [{ status: 'active' }] });
  });

  test('when an older saved card becomes the default, though the bank asked to confirm the renewal', async () => {
    const venue = await openVenue();
    const { user, saved } = await unconfirmedMember(venue);
    await chooseSaved(venue, user, saved);
    expect(await venue.state(user)).toMatchObject({ subscriptions: [{ status: 'active' }] });
    expect(await charges(venue, user)).toEqual(['4242 succeeded', '4444 succeeded']);
  });

  test('when it is newer, though Stripe’s key may not read payments', async () => {
    const venue = await openVenue();
    const { user } = await unconfirmedMember(venue);
    changeAnswers(venue, {
      instead: ({ path }) =>
        path.startsWith('/v1/payment_intents/')
          ? { status: 403, json: { error: { type: 'invalid_request_error', message: 'Not permitted' } } }
          : undefined,
    });
    await venue.changeCard(user, 'pm_card_visa');
    expect(await venue.state(user)).toMatchObject({ subscriptions: [{ status: 'active' }] });
  });

  test('when the webhook was lost, with the hourly check before grace ends', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await venue.webhooks('drop');
    await updateCard(venue, user);
    await venue.advance({ minutes: 61 });
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ subscriptions: [{ status: 'active' }] });
  });
});

describe('a due invoice is not charged', () => {
  test('twice, though two processes see the new card at once', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await venue.webhooks('drop');
    await updateCard(venue, user);
    await Promise.all([venue.billing.reconcile(user), venue.anotherProcess().reconcile(user)]);
    expect((await charges(venue, user)).filter((it) => it === '4444 succeeded')).toHaveLength(1);
  });

  test('again after an answer that was lost', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await venue.webhooks('drop');
    await venue.control('fail-next', { path: '/pay', method: 'POST', kind: 'drop', when: 'after' });
    await updateCard(venue, user);
    await venue.billing.reconcile(user);
    await venue.billing.reconcile(user);
    expect((await charges(venue, user)).filter((it) => it === '4444 succeeded')).toHaveLength(1);
    expect(await venue.state(user)).toMatchObject({ subscriptions: [{ status: 'active' }] });
  });

  test('with a card that was declined for it', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue, 0);
    await venue.billing.reconcile(user);
    await venue.billing.reconcile(user);
    expect(await charges(venue, user)).toEqual(['4242 succeeded', '0341 failed']);
  });

  test('again with the card that the bank asked to confirm', async () => {
    const venue = await openVenue();
    const { user } = await unconfirmedMember(venue);
    const { calls, billing } = changeAnswers(venue, {});
    await billing.reconcile(user);
    await venue.advance({ minutes: 61 });
    await billing.sweep();
    expect(calls.filter(({ path }) => path.endsWith('/pay'))).toEqual([]);
  });

  test('again with a card whose holder failed to confirm, which leaves no charge either', async () => {
    const venue = await openVenue();
    const { user, saved } = await unconfirmedMember(venue);
    const customer = await stripeCustomerId(venue.db, user);
    const { data } = await venue.stripe.paymentMethods.list({ customer });
    const asking = data.find(({ card }) => card?.last4 === '3184');
    const { calls, billing } = changeAnswers(venue, {
      answer({ path }, json) {
        if (!path.startsWith('/v1/payment_intents/')) return;
        json.status = 'requires_payment_method';
        json.payment_method = null;
        json.last_payment_error = {
          code: 'payment_intent_authentication_failure',
          type: 'card_error',
          payment_method: asking,
        };
      },
    });
    await billing.reconcile(user);
    expect(calls.filter(({ path }) => path.endsWith('/pay'))).toEqual([]);
    await chooseSaved(venue, user, saved);
    expect((await charges(venue, user)).at(-1)).toBe('4444 succeeded');
  });

  test('while a payment of it takes days, but then, if the bank declines that', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue, 1);
    await venue.control('settings', { charges: 'pending' });
    await updateCard(venue, user);
    const { calls } = changeAnswers(venue, {});
    await venue.control('settings', { charges: 'succeeded' });
    await venue.changeCard(user, 'pm_card_visa');
    expect(calls.filter(({ path }) => path.endsWith('/pay'))).toEqual([]);
    await venue.control('charges/fail', {});
    await venue.delivered();
    expect((await charges(venue, user)).slice(-2)).toEqual(['4444 failed', '4242 succeeded']);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ status: 'active' });
  });

  test('after the member canceled', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await venue.billing.cancelSubscription(user);
    await updateCard(venue, user);
    expect((await charges(venue, user)).filter((it) => it.startsWith('4444'))).toEqual([]);
  });

  test('after grace has ended the membership', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue, 0);
    await venue.advance({ days: 8 });
    await venue.billing.sweep();
    await updateCard(venue, user);
    expect((await charges(venue, user)).filter((it) => it.startsWith('4444'))).toEqual([]);
  });

  test('while Stripe collects nothing', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    const { id } = await venue.subscription(user);
    await venue.stripe.subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } });
    await venue.delivered();
    await updateCard(venue, user);
    expect((await charges(venue, user)).filter((it) => it.startsWith('4444'))).toEqual([]);
  });
});

test('a card that was saved before pays the due invoice when it becomes the first default', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const customer = await stripeCustomerId(venue.db, user);
  const saved = await venue.stripe.paymentMethods.attach('pm_card_mastercard', { customer });
  for (const { id } of (await venue.stripe.paymentMethods.list({ customer })).data)
    if (id !== saved.id) await venue.stripe.paymentMethods.detach(id);
  await venue.advance({ days: 31 });
  expect(await venue.subscription(user)).toMatchObject({ status: 'past_due' });
  await venue.stripe.customers.update(customer, { invoice_settings: { default_payment_method: saved.id } });
  await venue.delivered();
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ status: 'active' });
  expect((await charges(venue, user)).at(-1)).toBe('4444 succeeded');
});

describe('the bank’s answer reaches the member', () => {
  test('when it declines the new card: in the details, and once by email', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await updateCard(venue, user, NO_MONEY);
    // The portal refuses a card that the bank declines at once; this one is declined when charged.
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await venue.billing.reconcile(user);
    const refused = venue.notices.filter(({ type }) => type === 'payment_refused');
    expect(refused).toMatchObject([{ why: 'declined', open_cents: 3900, method: { last4: '0341' } }]);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      status: 'past_due',
      collection: { state: 'declined', method: { brand: 'visa', last4: '0341' } },
    });
  });

  test('when it declines the new card: the email names what is left of an invoice that was paid in part', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    changeAnswers(venue, {
      answer({ method, path }, json) {
        if (method !== 'GET' || path !== '/v1/invoices') return;
        for (const invoice of json.data)
          if (invoice.status === 'open')
            Object.assign(invoice, { amount_paid: 2000, amount_remaining: 1900 });
      },
    });
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_refused', open_cents: 1900 });
  });

  test('when it asks to confirm the payment: with the invoice’s own page, where it is paid', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await venue.changeCard(user, 'pm_card_authenticationRequired');
    const { url } = await venue.billing.openInvoicePage(user);
    expect(venue.notices.at(-1)).toMatchObject({
      type: 'payment_refused',
      why: 'authentication',
      invoice_url: url,
    });
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      collection: { state: 'authentication', method: { last4: '3184' } },
    });
  });

  test('when it takes days: under way, then paid', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await venue.control('settings', { charges: 'pending' });
    await updateCard(venue, user);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      status: 'past_due',
      collection: { state: 'under_way' },
    });
    await venue.control('charges/settle', {});
    await venue.delivered();
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ status: 'active' });
  });

  test('when it takes days and is declined then', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue, 1);
    await venue.control('settings', { charges: 'pending' });
    await updateCard(venue, user);
    await venue.control('charges/fail', {});
    await venue.delivered();
    expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_refused', why: 'declined' });
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      collection: { state: 'declined' },
    });
  });
});

test('a card that the bank replaced under the same id is a new one', async () => {
  const venue = await openVenue();
  const user = await overdueMember(venue, 0);
  const { billing, calls } = changeAnswers(venue, {
    answer({ path }, json) {
      if (path !== '/v1/subscriptions') return;
      for (const { customer } of json.data) {
        const { card } = customer.invoice_settings.default_payment_method;
        card.exp_year += 4;
      }
    },
  });
  await billing.reconcile(user);
  expect(calls.filter(({ path }) => path.endsWith('/pay'))).toHaveLength(1);
});

test('a payment voids older invoices, but no newer one, and none made by hand or for another subscription', async () => {
  const venue = await openVenue();
  await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
  const user = await overdueMember(venue, 3);
  await venue.billing.sweep();
  await venue.advance({ days: 31 });
  const customer = await stripeCustomerId(venue.db, user);
  const older = (await venue.stripe.invoices.list({ customer, status: 'open' })).data.at(-1)?.id;
  const { calls } = changeAnswers(venue, {
    answer({ method, path }, json) {
      if (method !== 'GET' || path !== '/v1/invoices') return;
      const open = json.data.find(({ id, status }: Stripe.Invoice) => id === older && status === 'open');
      const paid = json.data.filter(({ status }: Stripe.Invoice) => status === 'paid');
      if (!open || paid.length < 2) return;
      const { parent } = open;
      const subscription_details = { ...parent.subscription_details, subscription: 'sub_other' };
      json.data.push(
        { ...open, id: 'in_other', parent: { ...parent, subscription_details } },
        { ...open, id: 'in_by_hand', billing_reason: 'manual' },
        { ...open, id: 'in_by_email', collection_method: 'send_invoice' },
        { ...open, id: 'in_newer', created: paid[0].created + 1 },
      );
    },
  });
  await updateCard(venue, user);
  const voids = calls.filter(({ path }) => path.endsWith('/void')).map(({ path }) => path);
  expect(voids).toEqual([`/v1/invoices/${older}/void`]);
});

test('a card that was declined for an earlier invoice is tried for the next one', async () => {
  const venue = await openVenue();
  const user = await overdueMember(venue);
  const customer = await stripeCustomerId(venue.db, user);
  const { data } = await venue.stripe.paymentMethods.list({ customer });
  const declined = data.find(({ card }) => card?.last4 === '0341')?.id ?? '';
  await updateCard(venue, user);
  await venue.advance({ minutes: 5 });
  await venue.changeCard(user, 'pm_card_authenticationRequired');
  await venue.advance({ days: 31 });
  expect((await charges(venue, user)).at(-1)).toBe('4444 succeeded');
  await chooseSaved(venue, user, declined);
  expect((await charges(venue, user)).at(-1)).toBe('0341 failed');
});

test('a card of the older kind pays the due invoice as a source, not as a payment method', async () => {
  const venue = await openVenue();
  const user = await overdueMember(venue);
  const customer = await stripeCustomerId(venue.db, user);
  await venue.webhooks('drop');
  const { id } = await venue.stripe.customers.createSource(customer, { source: 'tok_mastercard' });
  await venue.stripe.customers.update(customer, {
    default_source: id,
    invoice_settings: { default_payment_method: '' },
  });
  const { billing, calls } = changeAnswers(venue, {});
  await billing.reconcile(user);
  const [pay] = calls.filter(({ path }) => path.endsWith('/pay'));
  expect(Object.fromEntries(pay?.body ?? [])).toEqual({ source: id });
});

test('an invoice that Stripe left as a draft is finalized without further attempts, and then paid', async () => {
  const venue = await openVenue();
  await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
  const user = await overdueMember(venue, 3);
  await venue.billing.sweep();
  await venue.advance({ days: 31 });
  const { calls } = changeAnswers(venue, {});
  await updateCard(venue, user);
  const toInvoice = calls.filter(({ path }) => /\/(finalize|pay)$/.test(path));
  expect(toInvoice.map(({ path }) => path.split('/').at(-1))).toEqual(['finalize', 'pay']);
  expect(toInvoice[0]?.body.get('auto_advance')).toBe('false');
});

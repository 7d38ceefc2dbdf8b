import { describe, expect, test } from 'vitest';
import { CARD, createTiers, pageOf, startHarness, submitForm } from '../support/sandbox/harness.ts';

async function openSession(extra: object = {}) {
  const harness = await startHarness();
  const { premier } = await createTiers(harness.stripe);
  const session = await harness.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: premier.id, quantity: 1 }],
    success_url: 'http://club.test/payment-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://club.test/dashboard',
    client_reference_id: 'user-1',
    metadata: { attempt: 'a1' },
    subscription_data: { metadata: { user_id: 'user-1' } },
    ...extra,
  });
  return { ...harness, harness, session, premier };
}

describe('hosted checkout', () => {
  test('a paying card completes the session and starts the subscription', async () => {
    const { harness, stripe, session, premier } = await openSession();
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', subscription: null });
    expect(session.url).toBe(`http://localhost:${new URL(harness.sandbox.url).port}/c/pay/${session.id}`);
    const answer = await submitForm(pageOf(harness, session), CARD);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`http://club.test/payment-success?session_id=${session.id}`);

    const paid = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription.default_payment_method', 'subscription.latest_invoice', 'line_items'],
    });
    expect(paid).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      client_reference_id: 'user-1',
      metadata: { attempt: 'a1' },
      customer_details: { email: CARD.email, name: CARD.name },
      subscription: {
        status: 'active',
        metadata: { user_id: 'user-1' },
        default_payment_method: { card: { last4: '4242', brand: 'visa' } },
        latest_invoice: { status: 'paid', amount_paid: 6000, billing_reason: 'subscription_create' },
        items: { data: [{ price: { id: premier.id }, quantity: 1 }] },
      },
    });
    expect(paid.line_items?.data[0]?.description).toBe('Premier');
  });

  test.each([
    ['4000 0000 0000 0002', 'Your card was declined.'],
    ['4000 0000 0000 9995', 'Your card has insufficient funds.'],
    ['4000 0000 0000 0341', 'Your card was declined.'],
    ['4000 0000 0000 0069', 'Your card has expired.'],
  ])('%s is refused with a message and leaves the session open', async (number, message) => {
    const { harness, stripe, session } = await openSession();
    const answer = await submitForm(pageOf(harness, session), { ...CARD, number });
    expect(answer.status).toBe(402);
    expect(await answer.text()).toContain(message);
    const after = await stripe.checkout.sessions.retrieve(session.id);
    expect(after).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      customer: null,
      subscription: null,
    });
    expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);

    const second = await submitForm(pageOf(harness, session), CARD);
    expect(second.status).toBe(303);
  });

  test.each([
    [{ number: '4242 4242 4242 4241' }, 'Your card number is invalid.'],
    [{ number: '4111 1111 1111 1111' }, 'Only test cards work here.'],
    [{ expiry: '01 / 20' }, 'expiration date is in the past'],
    [{ expiry: '13 / 34' }, 'Enter the expiration date as month and year.'],
    [{ cvc: '12' }, 'security code is incomplete'],
    [{ name: ' ' }, 'Enter the name on the card.'],
    [{ email: 'ada' }, 'Enter a valid email address.'],
  ])('%o is refused beside its field', async (wrong, message) => {
    const { harness, session } = await openSession();
    const answer = await submitForm(pageOf(harness, session), { ...CARD, ...wrong });
    expect(answer.status).toBe(402);
    const page = (await answer.text()).replaceAll('&#39;', "'");
    expect(page).toContain(message);
    expect(page).toContain('aria-invalid="true"');
  });

  test('a one-time payment has an invoice if the shop asks for one: paid, taxed, and of no subscription', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const product = await stripe.products.create({ name: 'Select' });
    const page = (more: object = {}) =>
      stripe.checkout.sessions.create({
        mode: 'payment',
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: 'usd',
              product: product.id,
              unit_amount: 39_000,
              tax_behavior: 'inclusive',
            },
          },
        ],
        success_url: 'http://club.test/',
        automatic_tax: { enabled: true },
        invoice_creation: {
          enabled: true,
          invoice_data: { description: 'A year', metadata: { year: 'y1' } },
        },
        custom_text: { submit: { message: 'For a year. It does not renew.' } },
        ...more,
      });
    const session = await page();
    expect(session).toMatchObject({ invoice: null, invoice_creation: { enabled: true } });
    expect(await (await fetch(pageOf(harness, session))).text()).toContain('For a year. It does not renew.');
    await submitForm(pageOf(harness, session), CARD);
    const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice'] });
    expect(paid.invoice).toMatchObject({
      status: 'paid',
      parent: null,
      billing_reason: 'manual',
      description: 'A year',
      metadata: { year: 'y1' },
      amount_paid: 39_000,
      total_taxes: [{ amount: 6500 }],
      lines: { data: [{ amount: 39_000, description: 'Select', parent: { type: 'invoice_item_details' } }] },
    });
    const invoice = typeof paid.invoice === 'string' ? paid.invoice : (paid.invoice?.id ?? '');
    const { data } = await stripe.invoicePayments.list({ invoice });
    expect(data).toMatchObject([{ status: 'paid', payment: { payment_intent: paid.payment_intent } }]);
    const without = await page({ invoice_creation: { enabled: false } });
    await submitForm(pageOf(harness, without), CARD);
    expect((await stripe.checkout.sessions.retrieve(without.id)).invoice).toBeNull();
  });

  test('3-D Secure has its own page; completing it pays, failing it does not', async () => {
    const { harness, stripe, session } = await openSession();
    const first = await submitForm(pageOf(harness, session), { ...CARD, number: '4000002500003155' });
    expect(first.status).toBe(303);
    const bank = new URL(first.headers.get('location') ?? '', harness.sandbox.url).href;
    const token = async () =>
      /name="token" value="([^"]+)"/.exec(await (await fetch(bank)).text())?.[1] ?? '';

    const failed = await submitForm(bank, { token: await token(), answer: 'fail' });
    expect(await failed.text()).toContain('We are unable to authenticate your payment method.');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');

    await submitForm(pageOf(harness, session), { ...CARD, number: '4000002500003155' });
    const passed = await submitForm(bank, { token: await token(), answer: 'complete' });
    expect(passed.status).toBe(303);
    expect(passed.headers.get('location')).toContain(session.id);
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete');
  });

  test('submitting twice pays once', async () => {
    const { harness, stripe, session } = await openSession();
    const answers = await Promise.all([1, 2, 3].map(() => submitForm(pageOf(harness, session), CARD)));
    expect(answers.map((answer) => answer.status)).toEqual([303, 303, 303]);
    expect((await stripe.subscriptions.list()).data).toHaveLength(1);
    expect((await stripe.invoices.list()).data).toHaveLength(1);
  });

  test('an expired session says so and cannot be paid', async () => {
    const { harness, stripe, session } = await openSession();
    const expired = await stripe.checkout.sessions.expire(session.id);
    expect(expired).toMatchObject({ status: 'expired', url: null });
    expect(await (await fetch(pageOf(harness, session))).text()).toContain('This page has expired');
    expect((await submitForm(pageOf(harness, session), CARD)).status).toBe(410);
    expect((await stripe.subscriptions.list()).data).toEqual([]);
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({ statusCode: 400 });
  });

  test('sessions expire after a day, or when set', async () => {
    const { stripe, session, advance, premier } = await openSession();
    const short = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: premier.id, quantity: 1 }],
      success_url: 'http://club.test/',
      expires_at: session.created + 3600,
    });
    await advance('2 hours');
    expect((await stripe.checkout.sessions.retrieve(short.id)).status).toBe('expired');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    await advance('1 day');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
    expect((await stripe.events.list({ type: 'checkout.session.expired' })).data).toHaveLength(2);
  });

  test('expires_at has bounds, and counts from creation when the sandbox clock runs ahead', async () => {
    const { stripe, premier, advance } = await openSession();
    const now = Math.floor(Date.now() / 1000);
    const create = (expires_at: number) =>
      stripe.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price: premier.id, quantity: 1 }],
        success_url: 'http://club.test/',
        expires_at,
      });
    await expect(create(now + 60)).rejects.toMatchObject({ param: 'expires_at' });
    await expect(create(now + 90_000)).rejects.toMatchObject({ param: 'expires_at' });
    await advance('1 month');
    const session = await create(now + 3600);
    expect(session.status).toBe('open');
    await advance('50 minutes');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    await advance('11 minutes');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
  });

  test("an existing customer's email is shown and cannot be changed", async () => {
    const { stripe, premier, harness } = await openSession();
    const customer = await stripe.customers.create({ email: 'grace@example.test' });
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: premier.id, quantity: 1 }],
      success_url: 'http://club.test/',
    });
    const page = await (await fetch(pageOf(harness, session))).text();
    expect(page).toMatch(/value="grace@example.test"[^>]*readonly/s);
    await submitForm(pageOf(harness, session), CARD);
    const subscriptions = await stripe.subscriptions.list({ customer: customer.id });
    expect(subscriptions.data).toHaveLength(1);
    expect((await stripe.customers.list()).data).toHaveLength(1);
  });

  test('the page has labels for everyone and for autofill', async () => {
    const { harness, session } = await openSession();
    const page = await (await fetch(pageOf(harness, session))).text();
    for (const label of ['Email', 'Card number', 'Expiration date', 'CVC', 'Name on card'])
      expect(page).toMatch(new RegExp(`<label for="\\w+">${label}</label>`));
    expect(page).toMatch(/<button[^>]*>Subscribe<\/button>/);
    expect(page).toContain('http://club.test/dashboard');
    expect(page).toContain('Sandbox: no real money');
  });
});

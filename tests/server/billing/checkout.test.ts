import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { membership_applications, tier_definitions } from '../../../src/server/db/schema.ts';
import { breakable, openShared, openVenue, stripeCustomer } from './venue.ts';

beforeAll(openShared);

test('what is asked for is what is charged, and whom it is for is written on it', async () => {
  const venue = await openVenue();
  const person = await venue.applicant('premier');
  await venue.checkout(person, 'premier');
  const customer = await stripeCustomer(venue.db, person.user);
  const { data } = await venue.stripe.checkout.sessions.list({ customer, expand: ['data.line_items'] });
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({
    mode: 'subscription',
    success_url: 'https://club.example/payment-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://club.example/apply',
    client_reference_id: person.user,
    metadata: { user_id: person.user, application_id: person.application, tier: 'premier' },
    amount_total: 6900,
  });
  const [application] = await venue.db
    .select()
    .from(membership_applications)
    .where(eq(membership_applications.id, person.application));
  expect(application?.stripe_session_id).toBe(data[0]?.id);
});

test('two tabs get the same page, and paying it twice pays once', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const urls = await Promise.all([venue.checkout(person), venue.checkout(person), venue.checkout(person)]);
  expect(new Set(urls).size).toBe(1);
  expect(await venue.checkout(person)).toBe(urls[0]);
  await Promise.all(urls.map((url) => venue.pay(url)));
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({ memberships: 1, attempts: ['completed'] });
  const customer = await stripeCustomer(venue.db, person.user);
  expect((await venue.stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
});

test('two tabs in two processes get the same page', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const wish = { tierName: 'select', applicationId: person.application };
  const processes = [venue.another(), venue.another(), venue.another()];
  const pages = await Promise.all(processes.map((billing) => billing.createCheckout(person.user, wish)));
  expect(new Set(pages.map(({ url }) => url)).size).toBe(1);
  expect((await venue.standing(person.user)).attempts).toEqual(['open']);
});

test('another tier closes the first page', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const first = await venue.checkout(person, 'select');
  const second = await venue.checkout(person, 'elite');
  expect(second).not.toBe(first);
  expect(await venue.pay(first)).not.toBe(303);
  expect(await venue.pay(second)).toBe(303);
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({
    active: { tier: 'elite', price: 10900 },
    attempts: ['expired', 'completed'],
    memberships: 1,
    payments: [{ paid: 10900 }],
  });
});

test('another tier, when the first page was paid in the meantime, finds the member', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  await venue.pay(await venue.checkout(person, 'select'));
  await expect(venue.checkout(person, 'elite')).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
  expect(await venue.standing(person.user)).toMatchObject({
    active: { tier: 'select' },
    attempts: ['completed'],
    payments: [{ paid: 3900 }],
  });
});

test('the same tier again, when the page was paid in the meantime, finds the member', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  await venue.pay(await venue.checkout(person));
  await expect(venue.checkout(person)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
  expect(await venue.standing(person.user)).toMatchObject({ active: { tier: 'select' } });
});

test('a price changed while the page was open: the page is honoured, a new page has the new price', async () => {
  const venue = await openVenue();
  const [paying, waiting] = [await venue.applicant(), await venue.applicant()];
  const pages = [await venue.checkout(paying), await venue.checkout(waiting)];
  await venue.db
    .update(tier_definitions)
    .set({ monthly_price_cents: 4500 })
    .where(eq(tier_definitions.tier_name, 'select'));
  await venue.pay(pages[0] ?? '');
  const dearer = await venue.checkout(waiting);
  expect(dearer).not.toBe(pages[1]);
  await venue.pay(dearer);
  await venue.delivered();
  expect(await venue.standing(paying.user)).toMatchObject({ active: { tier: 'select', price: 3900 } });
  expect(await venue.standing(waiting.user)).toMatchObject({ active: { tier: 'select', price: 4500 } });
});

test('an expired page is replaced', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const first = await venue.checkout(person);
  await venue.pass({ days: 1 });
  expect((await venue.standing(person.user)).attempts).toEqual(['expired']);
  const second = await venue.checkout(person);
  expect(second).not.toBe(first);
  expect(await venue.pay(second)).toBe(303);
});

test('an expired page of which nobody told us is found by the sweeper', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  await venue.checkout(person);
  await venue.pass({ days: 1 });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 1, failures: 0 });
  expect((await venue.standing(person.user)).attempts).toEqual(['expired']);
});

test('refusals', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const refused = (wish: { tierName?: string; applicationId?: string }) =>
    venue.billing
      .createCheckout(person.user, { tierName: 'select', applicationId: person.application, ...wish })
      .then(
        () => 'accepted',
        ({ code }) => code,
      );
  expect(await refused({ tierName: 'reserve' })).toBe('TIER_NOT_AVAILABLE');
  expect(await refused({ tierName: 'nothing' })).toBe('TIER_NOT_AVAILABLE');
  expect(await refused({ applicationId: 'no-id' })).toBe('NOT_FOUND');

  const set = (values: Partial<typeof membership_applications.$inferInsert>) =>
    venue.db
      .update(membership_applications)
      .set(values)
      .where(eq(membership_applications.id, person.application));
  await set({ is_complete: false });
  expect(await refused({})).toBe('APPLICATION_NOT_READY');
  await set({ is_complete: true, status: 'rejected' });
  expect(await refused({})).toBe('APPLICATION_NOT_PENDING');
  expect((await venue.standing(person.user)).attempts).toEqual([]);
});

test('a member cannot pay again, by card or at the venue', async () => {
  const venue = await openVenue();
  const byCard = await venue.member();
  const again = { user: byCard.user, application: await venue.reapply(byCard.user) };
  await expect(venue.checkout(again)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });

  const atVenue = await venue.applicant();
  await venue.approveAtVenue(atVenue.user);
  await expect(venue.checkout(atVenue)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
});

test('dying between the answer of Stripe and our commit heals at the next try', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const broken = breakable(venue.db);
  const dying = venue.another({ db: broken.db });
  broken.failTransactions(true);
  const wish = { tierName: 'select', applicationId: person.application };
  await expect(dying.createCheckout(person.user, wish)).rejects.toThrow('the database went away');
  expect((await venue.standing(person.user)).attempts).toEqual(['creating']);

  const url = await venue.checkout(person);
  const customer = await stripeCustomer(venue.db, person.user);
  const { data } = await venue.stripe.checkout.sessions.list({ customer });
  expect(data.map((it) => it.url)).toEqual([url]);
  expect(await venue.pay(url)).toBe(303);
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({ memberships: 1, attempts: ['completed'] });
});

test('dying there and never coming back is tidied by the sweeper', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const broken = breakable(venue.db);
  broken.failTransactions(true);
  const wish = { tierName: 'select', applicationId: person.application };
  await expect(venue.another({ db: broken.db }).createCheckout(person.user, wish)).rejects.toThrow();
  await venue.pass({ minutes: 6 });
  await venue.billing.sweep();
  expect((await venue.standing(person.user)).attempts).toEqual(['open']);
  await venue.pass({ days: 1 });
  await venue.billing.sweep();
  expect((await venue.standing(person.user)).attempts).toEqual(['expired']);
});

test.each([
  ['customers', '/v1/customers'],
  ['products', '/v1/products'],
  ['prices', '/v1/prices'],
  ['sessions', '/v1/checkout/sessions'],
])('an answer about %s lost on the way leaves one page, one customer, one price', async (_name, path) => {
  const venue = await openVenue();
  const person = await venue.applicant();
  await venue.control('fail-next', { path, method: 'POST', kind: 'drop', when: 'after', times: 2 });
  await expect(venue.checkout(person)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  const url = await venue.checkout(person);
  const sessions = await venue.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions.data.map((it) => it.url)).toEqual([url]);
  expect((await venue.stripe.customers.list({ limit: 100 })).data).toHaveLength(1);
  expect((await venue.stripe.prices.list({ limit: 100 })).data).toHaveLength(1);
  expect((await venue.stripe.products.list({ limit: 100 })).data).toHaveLength(1);
});

test('when Stripe is out of order the member hears so, and the next try works', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  await venue.control('fail-next', { path: '/v1/checkout/sessions', method: 'POST', status: 500 });
  await expect(venue.checkout(person)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  expect(await venue.pay(await venue.checkout(person))).toBe(303);
});

test('a customer deleted at Stripe is made anew', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  await venue.checkout(person);
  await venue.stripe.customers.del(await stripeCustomer(venue.db, person.user));
  await venue.delivered();
  await venue.pass({ days: 1 });
  expect(await venue.pay(await venue.checkout(person))).toBe(303);
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({ active: { tier: 'select' } });
});

test('staff decide: an open page is closed', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  expect(await venue.billing.closeOpenCheckout(person.user)).toEqual({ outcome: 'none' });
  const url = await venue.checkout(person);
  expect(await venue.billing.closeOpenCheckout(person.user)).toEqual({ outcome: 'expired' });
  expect(await venue.pay(url)).not.toBe(303);
  expect(await venue.billing.closeOpenCheckout(person.user)).toEqual({ outcome: 'none' });
});

test('staff decide: a page paid in that moment makes the member instead', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  await venue.pay(await venue.checkout(person));
  expect(await venue.billing.closeOpenCheckout(person.user)).toEqual({ outcome: 'completed' });
  expect(await venue.standing(person.user)).toMatchObject({
    application: 'approved',
    active: { tier: 'select' },
  });
});

test('expiry racing completion: paid between our question and our closing', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  const url = await venue.checkout(person);
  const { stripe } = venue;
  const retrieve = stripe.checkout.sessions.retrieve.bind(stripe.checkout.sessions);
  let asked = 0;
  stripe.checkout.sessions.retrieve = (async (id: string) => {
    const seen = await retrieve(id);
    asked += 1;
    if (asked === 1) await venue.pay(url);
    return seen;
  }) as typeof retrieve;
  expect(await venue.billing.closeOpenCheckout(person.user)).toEqual({ outcome: 'completed' });
  expect(await venue.standing(person.user)).toMatchObject({
    active: { tier: 'select' },
    attempts: ['completed'],
  });
});

test('staff decide while Stripe is out of reach: the sweeper closes the page later', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const url = await venue.checkout(person);
  await venue.control('fail-next', { path: '/v1/checkout/sessions', kind: 'drop', times: 2 });
  expect(await venue.billing.closeOpenCheckout(person.user)).toEqual({ outcome: 'unreachable' });
  await venue.db
    .update(membership_applications)
    .set({ status: 'rejected' })
    .where(eq(membership_applications.id, person.application));
  await venue.pass({ minutes: 6 });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 1, failures: 0 });
  expect(await venue.pay(url)).not.toBe(303);
});

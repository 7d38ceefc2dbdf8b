import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { membership_applications } from '../../../src/server/db/schema.ts';
import { stripeCustomer } from '../../support/billing/access-snapshot.ts';
import { breakable, openShared } from '../../support/billing/databases.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openShared);

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

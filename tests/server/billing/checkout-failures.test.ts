import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { membership_applications } from '../../../src/server/db/schema.ts';
import { breakable, openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

test('a crash between Stripe’s response and our commit is repaired by the next call', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const broken = breakable(venue.db);
  const dying = venue.anotherProcess({ db: broken.db });
  // The attempt is committed, but Stripe's response is not.
  broken.failTransactions(true, 1);
  const input = { tierName: 'select', applicationId: applicant.application };
  await expect(dying.createCheckout(applicant.user, input)).rejects.toThrow('connection lost');
  expect((await venue.state(applicant.user)).attempts).toEqual(['creating']);

  const url = await venue.checkout(applicant);
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const { data } = await venue.stripe.checkout.sessions.list({ customer });
  expect(data.map((it) => it.url)).toEqual([url]);
  expect(await venue.pay(url)).toBe(303);
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject({ memberships: 1, attempts: ['completed'] });
});

test('if no call follows, the sweeper repairs it', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const broken = breakable(venue.db);
  // The attempt is committed, but Stripe's response is not.
  broken.failTransactions(true, 1);
  const input = { tierName: 'select', applicationId: applicant.application };
  await expect(
    venue.anotherProcess({ db: broken.db }).createCheckout(applicant.user, input),
  ).rejects.toThrow();
  await venue.advance({ minutes: 6 });
  await venue.billing.sweep();
  expect((await venue.state(applicant.user)).attempts).toEqual(['open']);
  await venue.advance({ days: 1 });
  await venue.billing.sweep();
  expect((await venue.state(applicant.user)).attempts).toEqual(['expired']);
});

test.each([
  ['customers', '/v1/customers'],
  ['products', '/v1/products'],
  ['prices', '/v1/prices'],
  ['sessions', '/v1/checkout/sessions'],
])('a lost response about %s leaves one page, one customer, one price', async (_name, path) => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  await venue.control('fail-next', { path, method: 'POST', kind: 'drop', when: 'after', times: 2 });
  await expect(venue.checkout(applicant)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  const url = await venue.checkout(applicant);
  const sessions = await venue.stripe.checkout.sessions.list({ limit: 100 });
  expect(sessions.data.map((it) => it.url)).toEqual([url]);
  expect((await venue.stripe.customers.list({ limit: 100 })).data).toHaveLength(1);
  expect((await venue.stripe.prices.list({ limit: 100 })).data).toHaveLength(1);
  expect((await venue.stripe.products.list({ limit: 100 })).data).toHaveLength(1);
});

test('while Stripe fails, checkout is refused; the next call works', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  await venue.control('fail-next', { path: '/v1/checkout/sessions', method: 'POST', status: 500 });
  await expect(venue.checkout(applicant)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  expect(await venue.pay(await venue.checkout(applicant))).toBe(303);
});

test('a customer that was deleted at Stripe is replaced', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  await venue.checkout(applicant);
  await venue.stripe.customers.del(await stripeCustomerId(venue.db, applicant.user));
  await venue.delivered();
  await venue.advance({ days: 1 });
  expect(await venue.pay(await venue.checkout(applicant))).toBe(303);
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject({ active: { tier: 'select' } });
});

test('staff review: an open page is closed', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  expect(await venue.billing.closeOpenCheckout(applicant.user)).toEqual({ outcome: 'none' });
  const url = await venue.checkout(applicant);
  expect(await venue.billing.closeOpenCheckout(applicant.user)).toEqual({ outcome: 'expired' });
  expect(await venue.pay(url)).not.toBe(303);
  expect(await venue.billing.closeOpenCheckout(applicant.user)).toEqual({ outcome: 'none' });
});

test('staff review: a page that was just paid makes a member instead', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  expect(await venue.billing.closeOpenCheckout(applicant.user)).toEqual({ outcome: 'completed' });
  expect(await venue.state(applicant.user)).toMatchObject({
    application: 'approved',
    active: { tier: 'select' },
  });
});

test('a page that is paid while we are closing it makes a member', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  const url = await venue.checkout(applicant);
  const { stripe } = venue;
  const retrieve = stripe.checkout.sessions.retrieve.bind(stripe.checkout.sessions);
  let requests = 0;
  stripe.checkout.sessions.retrieve = (async (id: string) => {
    const seen = await retrieve(id);
    requests += 1;
    if (requests === 1) await venue.pay(url);
    return seen;
  }) as typeof retrieve;
  expect(await venue.billing.closeOpenCheckout(applicant.user)).toEqual({ outcome: 'completed' });
  expect(await venue.state(applicant.user)).toMatchObject({
    active: { tier: 'select' },
    attempts: ['completed'],
  });
});

test('staff review while Stripe is unavailable: the sweeper closes the page later', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const url = await venue.checkout(applicant);
  await venue.control('fail-next', { path: '/v1/checkout/sessions', kind: 'drop', times: 2 });
  expect(await venue.billing.closeOpenCheckout(applicant.user)).toEqual({ outcome: 'unreachable' });
  await venue.db
    .update(membership_applications)
    .set({ status: 'rejected' })
    .where(eq(membership_applications.id, applicant.application));
  await venue.advance({ minutes: 6 });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 1, failures: 0 });
  expect(await venue.pay(url)).not.toBe(303);
});

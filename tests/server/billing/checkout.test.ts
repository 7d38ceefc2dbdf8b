import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { membership_applications, tier_definitions } from '../../../src/server/db/schema.ts';
import { stripeCustomer } from '../../support/billing/access-snapshot.ts';
import { openShared } from '../../support/billing/databases.ts';
import { openVenue } from '../../support/billing/venue.ts';

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

test('a subscription made at Stripe by hand counts before anything new is sold', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  await venue.checkout(person);
  await venue.billing.closeOpenCheckout(person.user);
  const customer = await stripeCustomer(venue.db, person.user);
  const [price] = (await venue.stripe.prices.list()).data;
  const method = await venue.stripe.paymentMethods.attach('pm_card_visa', { customer });
  await venue.stripe.subscriptions.create({
    customer,
    items: [{ price: price?.id }],
    default_payment_method: method.id,
  });
  await expect(venue.checkout(person)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
  expect(await venue.standing(person.user)).toMatchObject({
    active: { tier: 'select' },
    application: 'approved',
  });
});

test('staff reject while Stripe makes the page: nobody is sent to it, and it cannot be paid', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const { sessions } = venue.stripe.checkout;
  const create = sessions.create.bind(sessions);
  sessions.create = (async (...args: Parameters<typeof create>) => {
    const made = await create(...args);
    await venue.db
      .update(membership_applications)
      .set({ status: 'rejected' })
      .where(eq(membership_applications.id, person.application));
    return made;
  }) as typeof create;
  await expect(venue.checkout(person)).rejects.toMatchObject({ code: 'APPLICATION_NOT_PENDING' });
  expect((await sessions.list()).data.map(({ status }) => status)).toEqual(['expired']);
});

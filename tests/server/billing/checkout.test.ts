import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import {
  checkout_attempt,
  membership_applications,
  tier_definitions,
} from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

test('the page charges the chosen tier and names the user', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant('premier');
  await venue.checkout(applicant, 'premier');
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const { data } = await venue.stripe.checkout.sessions.list({ customer, expand: ['data.line_items'] });
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({
    mode: 'subscription',
    success_url: 'https://club.example/payment-success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://club.example/apply',
    client_reference_id: applicant.user,
    metadata: { user_id: applicant.user, application_id: applicant.application, tier: 'premier' },
    amount_total: 6900,
  });
  const [application] = await venue.db
    .select()
    .from(membership_applications)
    .where(eq(membership_applications.id, applicant.application));
  expect(application?.stripe_session_id).toBe(data[0]?.id);
});

test('two tabs get the same page, and paying in both pays once', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const urls = await Promise.all([
    venue.checkout(applicant),
    venue.checkout(applicant),
    venue.checkout(applicant),
  ]);
  expect(new Set(urls).size).toBe(1);
  expect(await venue.checkout(applicant)).toBe(urls[0]);
  await Promise.all(urls.map((url) => venue.pay(url)));
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject({ memberships: 1, attempts: ['completed'] });
  const customer = await stripeCustomerId(venue.db, applicant.user);
  expect((await venue.stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
});

test('two tabs in two processes get the same page', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const input = { tierName: 'select', applicationId: applicant.application };
  const processes = [venue.anotherProcess(), venue.anotherProcess(), venue.anotherProcess()];
  const pages = await Promise.all(processes.map((billing) => billing.createCheckout(applicant.user, input)));
  expect(new Set(pages.map(({ url }) => url)).size).toBe(1);
  expect((await venue.state(applicant.user)).attempts).toEqual(['open']);
});

test('choosing another tier closes the first page', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const first = await venue.checkout(applicant, 'select');
  const second = await venue.checkout(applicant, 'elite');
  expect(second).not.toBe(first);
  expect(await venue.pay(first)).not.toBe(303);
  expect(await venue.pay(second)).toBe(303);
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject({
    active: { tier: 'elite', price: 10900 },
    attempts: ['expired', 'completed'],
    memberships: 1,
    payments: [{ paid: 10900 }],
  });
});

test('another tier after the first page was paid: already a member', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant, 'select'));
  await expect(venue.checkout(applicant, 'elite')).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
  expect(await venue.state(applicant.user)).toMatchObject({
    active: { tier: 'select' },
    attempts: ['completed'],
    payments: [{ paid: 3900 }],
  });
});

test('the same tier after the page was paid: already a member', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  await expect(venue.checkout(applicant)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
  expect(await venue.state(applicant.user)).toMatchObject({ active: { tier: 'select' } });
});

test('a price change while a page is open: the page keeps its price, a new page has the new one', async () => {
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
  expect(await venue.state(paying.user)).toMatchObject({ active: { tier: 'select', price: 3900 } });
  expect(await venue.state(waiting.user)).toMatchObject({ active: { tier: 'select', price: 4500 } });
});

test('an expired page is replaced', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const first = await venue.checkout(applicant);
  await venue.advance({ days: 1 });
  await venue.billing.sweep();
  expect((await venue.state(applicant.user)).attempts).toEqual(['expired']);
  const second = await venue.checkout(applicant);
  expect(second).not.toBe(first);
  expect(await venue.pay(second)).toBe(303);
});

test('the sweeper finds an expired page that no webhook reported', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.checkout(applicant);
  await venue.advance({ days: 1 });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 1, failures: 0 });
  expect((await venue.state(applicant.user)).attempts).toEqual(['expired']);
});

test('refuses an unavailable tier and an application that is unknown, incomplete or rejected', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const refused = (input: { tierName?: string; applicationId?: string }) =>
    venue.billing
      .createCheckout(applicant.user, { tierName: 'select', applicationId: applicant.application, ...input })
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
      .where(eq(membership_applications.id, applicant.application));
  await set({ is_complete: false });
  expect(await refused({})).toBe('APPLICATION_NOT_READY');
  await set({ is_complete: true, status: 'rejected' });
  expect(await refused({})).toBe('APPLICATION_NOT_PENDING');
  expect((await venue.state(applicant.user)).attempts).toEqual([]);
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

test('a subscription created at Stripe by hand prevents a second one', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.checkout(applicant);
  await venue.billing.closeOpenCheckout(applicant.user);
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const [price] = (await venue.stripe.prices.list()).data;
  const method = await venue.stripe.paymentMethods.attach('pm_card_visa', { customer });
  await venue.stripe.subscriptions.create({
    customer,
    items: [{ price: price?.id }],
    default_payment_method: method.id,
  });
  await expect(venue.checkout(applicant)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
  expect(await venue.state(applicant.user)).toMatchObject({
    active: { tier: 'select' },
    application: 'approved',
  });
});

test('an attempt that is closed while Stripe creates its page: the page is closed, and cannot be paid', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const { sessions } = venue.stripe.checkout;
  const create = sessions.create.bind(sessions);
  let closed = 0;
  sessions.create = (async (...args: Parameters<typeof create>) => {
    const made = await create(...args);
    if (closed === 0) {
      closed += 1;
      await venue.db
        .update(checkout_attempt)
        .set({ status: 'expired' })
        .where(eq(checkout_attempt.user_id, applicant.user));
    }
    return made;
  }) as typeof create;
  const url = await venue.checkout(applicant);
  const open = (await sessions.list()).data.filter(({ status }) => status === 'open');
  expect(open.map((it) => it.url)).toEqual([url]);
  expect((await sessions.list()).data).toHaveLength(2);
});

test('staff reject while Stripe creates the page: its URL is not returned, and it cannot be paid', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const { sessions } = venue.stripe.checkout;
  const create = sessions.create.bind(sessions);
  sessions.create = (async (...args: Parameters<typeof create>) => {
    const made = await create(...args);
    await venue.db
      .update(membership_applications)
      .set({ status: 'rejected' })
      .where(eq(membership_applications.id, applicant.application));
    return made;
  }) as typeof create;
  await expect(venue.checkout(applicant)).rejects.toMatchObject({ code: 'APPLICATION_NOT_PENDING' });
  expect((await sessions.list()).data.map(({ status }) => status)).toEqual(['expired']);
});

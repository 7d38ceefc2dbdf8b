import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import type { Ctx } from '../../src/server/context.ts';
import { openPostgres } from '../../src/server/db/client.ts';
import {
  billing_payment,
  billing_refund,
  billing_reversal,
  customers,
  membership_applications,
  profiles,
} from '../../src/server/db/schema.ts';
import { approveApplication } from '../../src/server/membership/application-reviews.ts';
import type { Billing } from '../support/billing/drive-billing.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { stripeCustomerId } from '../support/billing/member-state.ts';
import { openVenue, type Venue } from '../support/billing/venue.ts';
import { createDatabase } from '../support/harness/postgres.ts';

async function openRace(): Promise<Venue> {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  return openVenue({ database: await openPostgres(url), overHttp: true });
}

/** Several processes, which share no memory. */
const processes = (venue: Venue, count: number): Billing[] =>
  Array.from({ length: count }, () => venue.anotherProcess());

async function kept(venue: Venue, user: string): Promise<number> {
  const charges = await venue.stripe.charges.list({
    customer: await stripeCustomerId(venue.db, user),
    limit: 100,
  });
  return charges.data.reduce((sum, it) => sum + it.amount - it.amount_refunded, 0);
}

test('20 reconciliations in five processes beside the webhooks make one membership, with one notice', async () => {
  const venue = await openRace();
  await venue.control('webhooks', { concurrency: 10 });
  await venue.webhooks('hold');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  const many = processes(venue, 5);
  const released = venue.control('webhooks/release').then(() => venue.delivered());
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => (many[nth % 5] as Billing).reconcile(applicant.user)),
  );
  await released;
  expect(answers.every(({ localStatus }) => localStatus === 'active')).toBe(true);
  expect(venue.responses.every((status) => status === 200)).toBe(true);
  expect(await venue.state(applicant.user)).toMatchObject({
    customer: { status: 'active' },
    memberships: 1,
    application: 'approved',
    reversals: [],
    payments: [{ paid: 3900 }],
  });
  expect(venue.notices.map(({ type }) => type).sort()).toEqual(['membership_started', 'payment_received']);
});

test('20 checkouts in four processes create one page', async () => {
  const venue = await openRace();
  const applicant = await venue.applicant();
  const many = processes(venue, 4);
  const input = { tierName: 'select', applicationId: applicant.application };
  const pages = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => (many[nth % 4] as Billing).createCheckout(applicant.user, input)),
  );
  expect(new Set(pages.map(({ url }) => url)).size).toBe(1);
  expect((await venue.stripe.checkout.sessions.list({ limit: 100 })).data).toHaveLength(1);
  expect((await venue.state(applicant.user)).attempts).toEqual(['open']);
});

test('checkouts alternating between two tiers in four processes leave at most one payable page', async () => {
  const venue = await openRace();
  const applicant = await venue.applicant();
  const many = processes(venue, 4);
  await Promise.allSettled(
    Array.from({ length: 12 }, (_, nth) =>
      (many[nth % 4] as Billing).createCheckout(applicant.user, {
        tierName: nth % 2 ? 'select' : 'elite',
        applicationId: applicant.application,
      }),
    ),
  );
  const open = await venue.stripe.checkout.sessions.list({ status: 'open', limit: 100 });
  expect(open.data.length).toBeLessThanOrEqual(1);
});

test('two payments, reconciled by eight processes at once: one stays, one is refunded once', async () => {
  const venue = await openRace();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  const first = await venue.checkout(applicant);
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const [price] = (await venue.stripe.prices.list()).data;
  const stray = await venue.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: price?.id, quantity: 1 }],
    success_url: 'https://club.example/payment-success',
  });
  await venue.pay(first);
  await venue.pay(stray.url ?? '');
  await Promise.all(processes(venue, 8).map((billing) => billing.reconcile(applicant.user)));
  expect(await kept(venue, applicant.user)).toBe(3900);
  expect(await venue.state(applicant.user)).toMatchObject({
    customer: { status: 'active' },
    memberships: 1,
    reversals: ['second_subscription'],
  });
});

test('of two refunds of a payment that staff order at once, the second is refused', async () => {
  const venue = await openRace();
  const { db, deps } = venue;
  const { user } = await venue.member();
  const [customer] = await db.select().from(customers).where(eq(customers.user_id, user));
  const [payment] = await db.select().from(billing_payment).where(eq(billing_payment.user_id, user));
  const staff = { user_id: deps.newId(), role: 'staff' } as const;
  const sam = { name: 'Sam', email: 'sam@example.test', first_name: 'Sam', last_name: 'Staff' };
  await db.insert(profiles).values({ id: staff.user_id, ...sam });
  const order = (billing: Billing) =>
    billing.giveRefund(staff, {
      ...{ request_id: deps.newId(), customer_id: customer?.id ?? '' },
      ...{ payment_id: payment?.stripe_invoice_id ?? '', shown_refunded: 0 },
      ...{ amount: 1000, reason: 'A long wait' },
    });
  const { orders } = await db.transaction(async (tx) => {
    // The first stops with its refund stored, before the commit.
    await tx.execute(sql`lock table audit_entry in exclusive mode`);
    const [one, two] = processes(venue, 2) as [Billing, Billing];
    const first = order(one);
    await untilBlocked(db);
    const orders = Promise.allSettled([first, order(two)]);
    await untilBlocked(db, 2);
    return { orders };
  });
  expect(await orders).toMatchObject([
    { status: 'fulfilled', value: { status: 'done', amount: 1000 } },
    { status: 'rejected', reason: { code: 'REFUND_REFUSED' } },
  ]);
  expect(await kept(venue, user)).toBe(2900);
});

test('staff approve while a payment arrives: one membership, and money is kept only if it was paid by card', async () => {
  const venue = await openRace();
  await venue.webhooks('drop');
  const staff = venue.deps.newId();
  await venue.db
    .insert(profiles)
    .values({ id: staff, name: 'Sam', email: 'sam@example.test', first_name: 'Sam', last_name: 'Staff' });
  const outcomes = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const applicant = await venue.applicant();
    const url = await venue.checkout(applicant);
    // The page is paid before, during or after the review, in turn.
    if (round % 3 === 0) await venue.pay(url);
    const ctx = {
      ...venue.deps,
      outbox: venue.outbox,
      paymentPages: venue.anotherProcess().paymentPages,
      club: { current: venue.deps.rules },
      actor: { user_id: staff, role: 'staff' },
    } as unknown as Ctx;
    const approval = approveApplication(ctx, {
      id: applicant.application,
      toast_reference_number: 'T-1',
    }).then(
      () => 'venue',
      (error: { code?: string }) => error.code ?? String(error),
    );
    const payment = round % 3 === 1 ? venue.pay(url) : undefined;
    const verified = Promise.all(processes(venue, 3).map((billing) => billing.reconcile(applicant.user)));
    const outcome = await approval;
    await Promise.all([payment, verified]);
    await venue.billing.reconcile(applicant.user);
    const after = await venue.state(applicant.user);
    outcomes.add(outcome);
    expect(after).toMatchObject({ customer: { status: 'active' }, memberships: 1, application: 'approved' });
    expect(await kept(venue, applicant.user)).toBe(after.active?.subscription ? 3900 : 0);
    if (outcome === 'venue') expect(after.active?.subscription).toBeNull();
    else expect(after.active?.subscription).toMatch(/^sub_/);
  }
  expect(
    [...outcomes].every((it) => ['venue', 'APPLICATION_NOT_PENDING', 'ALREADY_MEMBER'].includes(it)),
  ).toBe(true);
});

test('staff commit an approval that our transaction waits for: the payment is refunded', async () => {
  const venue = await openRace();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  let verified: Promise<unknown> | undefined;
  await venue.db.transaction(async (tx) => {
    await venue.approveAtVenue(applicant.user, tx);
    verified = venue.billing.reconcile(applicant.user);
    await untilBlocked(venue.db);
  });
  expect(await verified).toMatchObject({ localStatus: 'active' });
  expect(await kept(venue, applicant.user)).toBe(0);
  expect(await venue.state(applicant.user)).toMatchObject({
    active: { subscription: null },
    memberships: 1,
    reversals: ['venue_member'],
  });
});

test('a reversal waits for a refund by staff that is being stored, and refunds the rest after it', async () => {
  const venue = await openRace();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  const { db, deps } = venue;
  const [payment] = await db.select().from(billing_payment);
  if (!payment?.stripe_subscription_id) throw new Error('A member without a payment');
  const { stripe_invoice_id, stripe_subscription_id, created_at: refund_from } = payment;
  const paid = { user_id: user, created_at: deps.now() };
  await db.insert(billing_reversal).values({
    ...{ stripe_subscription_id, refund_from, ...paid },
    reason: 'second_subscription',
  });
  let reconciled: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    const isPayment = eq(billing_payment.stripe_invoice_id, stripe_invoice_id);
    await tx.select().from(billing_payment).where(isPayment).for('update');
    reconciled = venue.anotherProcess().reconcile(user);
    await untilBlocked(db);
    await tx.insert(billing_refund).values({
      ...{ id: deps.newId(), stripe_invoice_id, amount_cents: 1000, currency: 'usd', ...paid },
      ...{ asked_by_staff_id: user, status: 'asked' },
    });
  });
  await reconciled;
  const refunds = await db.select().from(billing_refund).orderBy(billing_refund.amount_cents);
  expect(refunds).toMatchObject([
    { status: 'done', refunded_cents: 1000, asked_by_staff_id: user },
    { status: 'done', refunded_cents: 2900, asked_by_staff_id: null },
  ]);
  expect(await kept(venue, user)).toBe(0);
});

test('a payment of a former member waits for a review before it locks the member', async () => {
  const venue = await openRace();
  await venue.webhooks('drop');
  const { db, deps } = venue;
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  await db.insert(customers).values({
    ...{ id: deps.newId(), user_id: applicant.user, tier: 'select', status: 'inactive' },
    ...{ member_since: '2020-01-01', created_at: deps.now() },
  });
  const { verified } = await db.transaction(async (tx) => {
    const own = eq(membership_applications.id, applicant.application);
    await tx.select().from(membership_applications).where(own).for('update');
    const verified = venue.billing.reconcile(applicant.user);
    await untilBlocked(db);
    await tx.select().from(customers).where(eq(customers.user_id, applicant.user)).for('update');
    return { verified };
  });
  expect(await verified).toMatchObject({ localStatus: 'active' });
});

test('an older snapshot never replaces a newer one', async () => {
  const venue = await openRace();
  const member = await venue.member();
  await venue.webhooks('drop');
  const slow = venue.anotherProcess({ stripe: Object.create(venue.stripe) as typeof venue.stripe });
  const list = venue.stripe.subscriptions.list.bind(venue.stripe.subscriptions);
  const [fetched, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let requests = 0;
  venue.stripe.subscriptions.list = (async (...args: Parameters<typeof list>) => {
    const page = await list(...args);
    requests += 1;
    if (requests === 1) {
      fetched.resolve();
      await go.promise;
    }
    return page;
  }) as unknown as typeof list;
  const late = slow.reconcile(member.user);
  await fetched.promise;
  const { data } = await list({ customer: await stripeCustomerId(venue.db, member.user) });
  await venue.stripe.subscriptions.cancel(data[0]?.id ?? '');
  expect(await venue.billing.reconcile(member.user)).toEqual({ status: 'updated', localStatus: 'inactive' });
  go.resolve();
  expect(await late).toEqual({ status: 'unchanged', localStatus: 'inactive' });
  expect(requests).toBe(3);
});

test('a tier change accepted 12 times in four processes is paid once', async () => {
  const venue = await openRace();
  const { user } = await venue.member();
  const many = processes(venue, 4);
  const { id, charged_now } = await venue.billing.previewTier(user, 'premier');
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => (many[nth % 4] as Billing).changeTier(user, id)),
  );
  expect(answers.every((it) => it?.tier === 'premier')).toBe(true);
  expect(await kept(venue, user)).toBe(3900 + charged_now);
});

test('two tier changes accepted at once in two processes: each one made costs what its preview showed', async () => {
  const venue = await openRace();
  const { user } = await venue.member();
  const [one, two] = processes(venue, 2) as [Billing, Billing];
  const agree = async (billing: Billing, tier: string) => {
    const { id, charged_now } = await billing.previewTier(user, tier);
    await billing.changeTier(user, id);
    return charged_now;
  };
  const settled = await Promise.allSettled([agree(one, 'premier'), agree(two, 'elite')]);
  const paid = settled.map((it) => (it.status === 'fulfilled' ? it.value : 0));
  expect(Math.max(...paid), 'one of them was made').toBeGreaterThan(0);
  expect(await kept(venue, user)).toBe(3900 + paid.reduce((sum, it) => sum + it, 0));
});

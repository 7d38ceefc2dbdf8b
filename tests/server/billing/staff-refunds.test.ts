import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, expect, it, test } from 'vitest';
import type { RefundDraft } from '../../../src/server/billing/refunds/give-refund.ts';
import {
  audit_entry,
  billing_payment,
  billing_refund,
  customers,
  profiles,
  staff_notice,
} from '../../../src/server/db/schema.ts';
import { changeAnswers } from '../../support/billing/answers.ts';
import { breakable, openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { stripeState } from '../../support/billing/stripe-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/billing.md, "Refunds by staff". A select member pays 39 dollars.

beforeAll(openSharedDatabase);

/** For more runs: SEQUENCES=200 npx vitest run --project server tests/server/billing/staff-refunds.test.ts */
const RUNS = Number(process.env.SEQUENCES ?? 5);

interface Cast {
  venue: Venue;
  user: string;
  staff: { user_id: string; role: 'staff' };
  /** Requests a refund of the first payment, in full by default. */
  give(draft?: Partial<RefundDraft>, billing?: Venue['billing']): ReturnType<Venue['billing']['giveRefund']>;
}

async function openCast(venue?: Venue): Promise<Cast> {
  const opened = venue ?? (await openVenue());
  const { db, deps, billing } = opened;
  const staff = { user_id: deps.newId(), role: 'staff' } as const;
  const sam = { name: 'Sam', email: `${staff.user_id}@example.test`, first_name: 'Sam', last_name: 'Staff' };
  await db.insert(profiles).values({ id: staff.user_id, ...sam });
  const { user } = await opened.member();
  const [customer] = await db.select().from(customers).where(eq(customers.user_id, user));
  const [payment] = await db.select().from(billing_payment).where(eq(billing_payment.user_id, user));
  const give: Cast['give'] = (draft, by = billing) =>
    by.giveRefund(staff, {
      request_id: deps.newId(),
      customer_id: customer?.id ?? '',
      payment_id: payment?.stripe_invoice_id ?? '',
      amount: 3900,
      shown_refunded: 0,
      reason: 'A long wait',
      ...draft,
    });
  return { venue: opened, user, staff, give };
}

const rows = ({ venue }: Cast) =>
  venue.db.select().from(billing_refund).orderBy(billing_refund.created_at, billing_refund.id);
const kept = async ({ venue, user }: Cast) => (await stripeState(venue, user)).kept;
const refusal = (reason: string) => ({ code: 'REFUND_REFUSED', data: { reason } });

it.each(['before', 'after'] as const)(
  "a refund is made once, by the next sweep, after Stripe's 500 %s it was made",
  async (when) => {
    const cast = await openCast();
    await cast.venue.control('fail-next', { path: '/v1/refunds', method: 'POST', status: 500, when });
    expect(await cast.give({ amount: 1000 })).toMatchObject({ status: 'asked' });
    await cast.venue.billing.sweep();
    expect(await rows(cast)).toMatchObject([{ status: 'done', refunded_cents: 1000 }]);
    expect(await kept(cast)).toBe(2900);
  },
);

it('a refund is done while Stripe still has it pending, and failed if the bank then sends it back', async () => {
  const cast = await openCast();
  const { venue, give } = cast;
  await venue.control('settings', { refunds: 'pending' });
  expect(await give({ amount: 1000 })).toMatchObject({ status: 'done' });
  await venue.control('refunds/settle', {});
  await venue.delivered();
  expect(await rows(cast)).toMatchObject([{ status: 'done', refunded_cents: 1000 }]);
  await venue.control('refunds/fail', {});
  await venue.delivered();
  expect(await rows(cast)).toMatchObject([{ status: 'failed', refunded_cents: null }]);
  expect(await kept(cast)).toBe(3900);
});

it.each([
  ['pending', 'done'],
  ['requires_action', 'done'],
  ['succeeded', 'done'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
])('a refund that is %s at Stripe is %s here', async (at_stripe, status) => {
  const cast = await openCast();
  const { venue, user, give } = cast;
  await give({ amount: 1000 });
  const { billing } = changeAnswers(venue, {
    answer({ method, path }, json) {
      if (method === 'GET' && path === '/v1/refunds') json.data[0].status = at_stripe;
    },
  });
  await billing.reconcile(user);
  expect(await rows(cast)).toMatchObject([{ status }]);
});

it('a part is refunded, then the rest; our copy, the audit and the notices say so', async () => {
  const cast = await openCast();
  const { venue, user, staff, give } = cast;
  expect(await give({ amount: 1000 })).toEqual({ status: 'done', amount: 1000, currency: 'usd' });
  expect(await kept(cast)).toBe(2900);
  expect((await venue.state(user)).payments).toEqual([
    { status: 'partially_refunded', paid: 3900, refunded: 1000 },
  ]);
  await give({ amount: 2900, shown_refunded: 1000 });
  expect(await kept(cast)).toBe(0);
  expect(await venue.state(user)).toMatchObject({
    payments: [{ status: 'refunded', paid: 3900, refunded: 3900 }],
    // The membership follows the subscription, not the refund.
    active: { tier: 'select' },
  });
  const notices = venue.notices.filter(({ type }) => type === 'payment_refunded');
  expect(notices).toMatchObject([
    // Leaving test mode finds the email by the invoice.
    { user_id: user, amount_cents: 1000, paid_cents: 3900, cause: expect.stringMatching(/:in_/) },
    { user_id: user, amount_cents: 2900, paid_cents: 3900 },
  ]);
  expect(await venue.db.select().from(audit_entry)).toMatchObject(
    [1000, 2900].map((amount_cents) => ({
      act: 'refund_ordered',
      actor_id: staff.user_id,
      subject_id: user,
      facts: { amount_cents },
    })),
  );
});

it('a refund of a payment that was made in two parts is taken from both', async () => {
  const cast = await openCast();
  const { venue, user, give } = cast;
  await venue.webhooks('drop');
  await venue.advance({ days: 31 });
  const { billing } = changeAnswers(venue, {
    answer({ method, path }, json) {
      if (method !== 'GET' || path !== '/v1/invoices') return;
      const [latest, first] = json.data;
      first.payments.data.push(...latest.payments.data);
      json.data = [{ ...first, amount_paid: 7800 }];
    },
  });
  await billing.reconcile(user);
  expect(await give({ amount: 5000 }, billing)).toMatchObject({ status: 'done', amount: 5000 });
  expect(await rows(cast)).toMatchObject([{ status: 'done', refunded_cents: 5000 }]);
  expect(await kept(cast)).toBe(2800);
});

it('a full refund does not end access: the period stays paid', async () => {
  const cast = await openCast();
  await cast.give();
  expect(await cast.venue.hasAccess(cast.user)).toBe(true);
});

it('Stripe is sent nothing that the rules refuse', async () => {
  const cast = await openCast();
  await expect(cast.give({ amount: 3901 })).rejects.toMatchObject(refusal('too_much'));
  await expect(cast.give({ shown_refunded: 1 })).rejects.toMatchObject(refusal('outdated'));
  await expect(cast.give({ payment_id: 'in_of_nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await rows(cast)).toEqual([]);
  expect(await kept(cast)).toBe(3900);
});

it('a refund is refused by Stripe if a dispute began a moment ago', async () => {
  const cast = await openCast();
  const { venue, user, give } = cast;
  await venue.webhooks('drop');
  await venue.control('disputes', { customer: await stripeCustomerId(venue.db, user) });
  await expect(give()).rejects.toMatchObject(refusal('disputed'));
  expect(await rows(cast)).toMatchObject([{ status: 'refused', obstacle: 'disputed' }]);
  await expect(give()).rejects.toMatchObject(refusal('disputed'));
  expect(venue.noticeTypes()).not.toContain('payment_refunded');
});

it('a refund is refused if more was refunded at Stripe a moment ago, which our copy then shows', async () => {
  const cast = await openCast();
  const { venue, user, give } = cast;
  await venue.webhooks('drop');
  const customer = await stripeCustomerId(venue.db, user);
  const [charge] = (await venue.stripe.charges.list({ customer })).data;
  await venue.stripe.refunds.create({ charge: charge?.id, amount: 3000 });
  await expect(give()).rejects.toMatchObject(refusal('too_much'));
  expect(await give({ amount: 900, shown_refunded: 3000 })).toMatchObject({ status: 'done', amount: 900 });
  expect(await kept(cast)).toBe(0);
});

it('two staff who ask at once, in two processes, refund once', async () => {
  const cast = await openCast();
  const other = cast.venue.anotherProcess();
  const both = await Promise.allSettled([cast.give({ amount: 1000 }), cast.give({ amount: 1000 }, other)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await kept(cast)).toBe(2900);
  await expect(cast.give({ amount: 1000 })).rejects.toMatchObject(refusal('outdated'));
});

it('a repeated request refunds once, and its id is refused for another amount', async () => {
  const cast = await openCast();
  const request_id = cast.venue.deps.newId();
  const asks = [1, 2, 3].map(() => cast.give({ request_id, amount: 1000 }));
  expect((await Promise.all(asks)).map(({ status }) => status)).toEqual(['done', 'done', 'done']);
  await expect(cast.give({ request_id, amount: 999 })).rejects.toMatchObject({ code: 'REQUEST_ID_REUSED' });
  expect(await kept(cast)).toBe(2900);
});

test.each(['before', 'after'] as const)(
  'if the connection breaks %s Stripe acts, a refund stays asked; the sweeper makes it once, even days later',
  async (when) => {
    const cast = await openCast();
    const { venue, give } = cast;
    await venue.webhooks('drop');
    await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', kind: 'drop', when, times: 2 });
    expect(await give({ amount: 1000 })).toEqual({ status: 'asked', amount: 1000, currency: 'usd' });
    await expect(give({ amount: 500 })).rejects.toMatchObject(refusal('under_way'));
    // Long after Stripe has dropped the idempotency key.
    venue.clock.advance({ days: 3 });
    await venue.billing.sweep();
    expect(await rows(cast)).toMatchObject([{ status: 'done', refunded_cents: 1000 }]);
    expect(await kept(cast)).toBe(2900);
    await venue.billing.sweep();
    expect(await kept(cast)).toBe(2900);
    expect(venue.notices.filter(({ type }) => type === 'payment_refunded')).toHaveLength(1);
  },
);

it('a refund is completed after a crash between Stripe’s answer and our row', async () => {
  const cast = await openCast();
  const { venue, give } = cast;
  await venue.webhooks('drop');
  const database = breakable(venue.db);
  // The request and the snapshot are written; recording the refund fails.
  database.failTransactions(true, 2);
  await expect(give({}, venue.anotherProcess({ db: database.db }))).rejects.toThrow('connection lost');
  expect(await rows(cast)).toMatchObject([{ status: 'asked' }]);
  expect(await kept(cast)).toBe(0);
  await venue.billing.sweep();
  expect(await rows(cast)).toMatchObject([{ status: 'done', refunded_cents: 3900 }]);
  expect(await kept(cast)).toBe(0);
});

it('a refund stays in our copy, whatever was fetched before it and is written after it', async () => {
  const cast = await openCast();
  const { venue, user, give } = cast;
  await venue.webhooks('drop');
  const { charges, refunds } = venue.stripe;
  const [list, create] = [charges.list.bind(charges), refunds.create.bind(refunds)];
  const [fetched, refunded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let slow: Promise<unknown> = Promise.resolve();
  refunds.create = (async (...args: Parameters<typeof create>) => {
    charges.list = (async (...of: Parameters<typeof list>) => {
      charges.list = list;
      const page = await list(...of);
      fetched.resolve();
      await refunded.promise;
      return page;
    }) as unknown as typeof list;
    slow = venue.anotherProcess().reconcile(user);
    await fetched.promise;
    const made = await create(...args);
    // The process that asked for it does not get to look again.
    await venue.control('fail-next', { path: '/v1/subscriptions', method: 'GET', status: 500, times: 50 });
    return made;
  }) as typeof create;
  expect(await give({ amount: 1000 })).toMatchObject({ status: 'done' });
  await fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
  refunded.resolve();
  await slow;
  expect(await venue.db.select().from(billing_payment)).toMatchObject([{ amount_refunded_cents: 1000 }]);
});

it('a refund waits while Stripe is away, and holds up the deletion of the account, but no cancellation', async () => {
  const cast = await openCast();
  const { venue, user, give } = cast;
  await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', status: 503, times: 50 });
  expect(await give()).toMatchObject({ status: 'asked' });
  await venue.billing.cancelSubscription(user);
  await venue.delivered();
  expect(venue.responses).not.toContain(503);
  await expect(venue.billing.cancelEverything(user)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  expect((await venue.billing.readBacklog()).open_reversals).toBe(1);
  await fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
  await venue.billing.sweep();
  expect(await rows(cast)).toMatchObject([{ status: 'done' }]);
  await venue.billing.cancelEverything(user);
});

it('a refund is finally refused if a dispute began while Stripe was away, and staff are notified', async () => {
  const cast = await openCast();
  const { venue, user, give } = cast;
  await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', status: 503 });
  await give();
  await venue.webhooks('drop');
  await venue.control('disputes', { customer: await stripeCustomerId(venue.db, user) });
  venue.clock.advance({ minutes: 2 });
  await venue.billing.sweep();
  expect(await rows(cast)).toMatchObject([{ status: 'refused', obstacle: 'disputed' }]);
  const notices = await venue.db.select().from(staff_notice);
  expect(notices.map(({ kind }) => kind).sort()).toEqual(['payment_disputed', 'reversal_impossible']);
});

it('a refund that a bank later returns counts as failed, and staff are notified once', async () => {
  const cast = await openCast();
  const { venue, user, give } = cast;
  await give();
  await venue.control('refunds/fail');
  await venue.delivered();
  expect(await rows(cast)).toMatchObject([{ status: 'failed', refunded_cents: null }]);
  await venue.billing.reconcile(user);
  expect((await venue.state(user)).payments).toMatchObject([{ refunded: 0 }]);
  expect((await venue.billing.readBacklog()).open_notices).toBe(1);
  // The payment can then be refunded in another way, or tried again.
  expect(await give()).toMatchObject({ status: 'done' });
});

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('give' as const),
      cents: fc.integer({ min: 1, max: 4200 }),
      sees: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('dashboard' as const), cents: fc.integer({ min: 1, max: 2000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('dispute' as const, 'fail' as const, 'month' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('outage' as const),
      when: fc.constantFrom('before', 'after'),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
);

test('any payments, refunds, disputes and outages refund no more than was paid, and leave rows that match Stripe', async () => {
  const venue = await openVenue();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      await venue.reset();
      const cast = await openCast(venue);
      const { user, give } = cast;
      const customer = await stripeCustomerId(venue.db, user);
      const latest = async () => {
        const [payment] = await venue.billing.listPayments(user);
        if (!payment) throw new Error('A member without a payment');
        return payment;
      };
      for (const it of steps) {
        const payment = await latest();
        if (it.do === 'give') {
          const shown_refunded = it.sees ? payment.amount_refunded : 0;
          await give({ payment_id: payment.id, amount: it.cents, shown_refunded }).catch((error: Error) => {
            if (error.name !== 'Refusal') throw error;
          });
        }
        if (it.do === 'dashboard') {
          const [charge] = (await venue.stripe.charges.list({ customer })).data;
          await venue.stripe.refunds.create({ charge: charge?.id, amount: it.cents }).catch(() => undefined);
        }
        if (it.do === 'dispute') await venue.control('disputes', { customer });
        if (it.do === 'fail') await venue.control('refunds/fail').catch(() => undefined);
        if (it.do === 'month') await venue.advance({ days: 31 });
        if (it.do === 'outage') {
          const { when, times } = it;
          await venue.control('fail-next', { path: '/v1/refunds', kind: 'drop', when, times });
        }
        if (it.do === 'sweep') await venue.billing.sweep();
      }
      await fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
      await venue.delivered();
      await venue.billing.sweep();
      await venue.billing.reconcile(user);
      await expectAgreement(cast, customer);
    }),
    {
      numRuns: RUNS,
      interruptAfterTimeLimit: process.env.SEQUENCES ? undefined : 30_000,
      seed: Number(process.env.SEED) || undefined,
    },
  );
}, 3_600_000);

/** Each row matches Stripe's refund under its id, none is open, and no payment was refunded beyond its amount. */
async function expectAgreement(cast: Cast, customer: string): Promise<void> {
  const { venue, user } = cast;
  const made = (await venue.stripe.refunds.list({ limit: 100 })).data;
  for (const row of await rows(cast)) {
    const ours = made.filter(({ metadata }) => metadata?.refund_id === row.id);
    const given = ours.filter(({ status }) => status === 'succeeded').reduce((sum, it) => sum + it.amount, 0);
    expect({ status: row.status, given }).toEqual({
      status: given > 0 ? 'done' : expect.stringMatching(/^(refused|failed)$/),
      given: row.refunded_cents ?? 0,
    });
    expect(ours.length, 'made once').toBeLessThanOrEqual(1);
  }
  const charges = (await venue.stripe.charges.list({ customer, limit: 100 })).data;
  const atStripe = charges.map(({ amount, amount_refunded }) => ({
    paid: amount,
    refunded: amount_refunded,
  }));
  const here = (await venue.state(user)).payments.map(({ paid, refunded }) => ({ paid, refunded }));
  expect(here).toEqual(atStripe.reverse());
  for (const { paid, refunded } of here) expect(refunded).toBeLessThanOrEqual(paid);
}

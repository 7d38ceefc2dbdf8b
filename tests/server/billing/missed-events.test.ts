import { asc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { staff_notice } from '../../../src/server/db/schema.ts';
import { changeAnswers } from '../../support/billing/answers.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import type { Billing } from '../../support/billing/drive-billing.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { payerAtStripe } from '../../support/billing/payer-at-stripe.ts';
import { stripeState } from '../../support/billing/stripe-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/billing.md, "Billing: webhooks that do not come".

beforeAll(openSharedDatabase);

const summaries = async ({ db }: Venue) => {
  const rows = await db
    .select()
    .from(staff_notice)
    .where(eq(staff_notice.kind, 'caught_up'))
    .orderBy(asc(staff_notice.created_at));
  return rows.map(({ facts }) => facts);
};
const kinds = async ({ db }: Venue) => (await db.select().from(staff_notice)).map(({ kind }) => kind).sort();

/** What happens to Stripe's webhooks and to our calls for a while. */
interface Trouble {
  billing: Billing;
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** What people and the club do at Stripe in nine days of trouble. Returns the members. */
async function nineDays(venue: Venue, { billing, begin, end }: Trouble): Promise<Record<string, string>> {
  const members: Record<string, string> = {};
  for (const name of ['renewed', 'canceled', 'ended', 'refunded', 'disputed', 'unpaid'])
    members[name] = (await venue.member()).user;
  const of = (name: string) => members[name] ?? '';
  const subscription = async (name: string) => (await venue.subscription(of(name))).id;
  await venue.advance({ days: 26 });
  await billing.sweep();
  await billing.fetchMissedEvents();
  await begin();
  const { stripe } = venue;
  await stripe.subscriptions.update(await subscription('canceled'), { cancel_at_period_end: true });
  await stripe.subscriptions.cancel(await subscription('ended'));
  const [charge] = (await stripe.charges.list({ customer: await stripeCustomerId(venue.db, of('refunded')) }))
    .data;
  await stripe.refunds.create({ charge: charge?.id ?? '', amount: 1000 });
  await venue.control('disputes', { customer: await stripeCustomerId(venue.db, of('disputed')) });
  await venue.changeCard(of('unpaid'), 'pm_card_chargeCustomerFail');
  for (let hours = 0; hours < 9 * 24; hours += 6) {
    await venue.advance({ minutes: 6 * 60 });
    await billing.sweep();
    // A task that fails runs again.
    await billing.fetchMissedEvents().catch(() => undefined);
  }
  await end();
  await venue.advance({ minutes: 60 });
  await billing.sweep();
  await billing.fetchMissedEvents();
  return members;
}

/** What each member has at the end, and the emails that each got, without those of a moot kind. */
async function outcome(venue: Venue, members: Record<string, string>, moot: string[] = []) {
  const found: Record<string, object> = {};
  for (const [name, user] of Object.entries(members)) {
    const { active, payments, customer, subscriptions } = await venue.state(user);
    const emails = venue.notices.filter((it) => it.user_id === user && !moot.includes(it.type));
    const causes = emails.map(({ cause }) => cause);
    found[name] = {
      status: customer?.status,
      tier: active?.tier,
      standing: subscriptions.map(({ status, cancel_at_period_end }) => [status, cancel_at_period_end]),
      payments,
      access: await venue.hasAccess(user),
      emails: emails.map(({ type }) => type).sort(),
      once: causes.length === new Set(causes).size,
      stripe: (await stripeState(venue, user)).kept,
    };
  }
  return found;
}

const usual = (venue: Venue): Trouble => ({
  billing: venue.billing,
  begin: async () => undefined,
  end: async () => undefined,
});

const lostWebhooks = (venue: Venue): Trouble => ({
  billing: venue.billing,
  begin: () => venue.webhooks('drop'),
  end: () => venue.webhooks('normal'),
});

/** Stripe refuses our calls, and sends webhooks or not. */
function refusedCalls(venue: Venue, mode: 'normal' | 'drop', status: number, error: object): Trouble {
  let refusing = false;
  const { billing } = changeAnswers(venue, {
    instead: () => (refusing ? { status, json: { error } } : undefined),
  });
  const turn = async (on: boolean) => {
    refusing = on;
    await venue.webhooks(on ? mode : 'normal');
  };
  return { billing, begin: () => turn(true), end: () => turn(false) };
}

const outage = (venue: Venue) =>
  refusedCalls(venue, 'drop', 500, { type: 'api_error', message: 'Something went wrong on our end.' });
const rotatedKey = (venue: Venue) =>
  refusedCalls(venue, 'normal', 401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });

/** The secret of the endpoint differs from ours, so no webhook is believed. */
function rotatedSecret(venue: Venue): Trouble {
  const { billing } = venue;
  const unaware = venue.anotherProcess({ webhookSecrets: ['whsec_old'] });
  return {
    billing,
    begin: async () => venue.serveWith(unaware),
    end: async () => venue.serveWith(billing),
  };
}

describe('after nine days', () => {
  it.each([
    ['of lost webhooks', lostWebhooks, []],
    ['with another secret of the webhooks', rotatedSecret, []],
    // Nobody could see the cancellation before the membership had ended.
    ['of an outage of Stripe', outage, ['cancellation_scheduled']],
    ['with a key that Stripe refuses', rotatedKey, ['cancellation_scheduled']],
  ])(
    '%s, members have what they paid for and each email once, and staff have one summary',
    async (_, trouble, moot) => {
      const before = await openVenue();
      const expected = await outcome(before, await nineDays(before, usual(before)), moot);
      expect(await kinds(before)).toEqual(['payment_disputed']);

      const venue = await openVenue();
      expect(await outcome(venue, await nineDays(venue, trouble(venue)), moot)).toEqual(expected);
      expect(await kinds(venue)).toEqual(['caught_up', 'payment_disputed']);
      expect(await summaries(venue)).toMatchObject([
        { members: 6, renewals: 3, ends: 2, refunds: 1, disputes: 1 },
      ]);
    },
  );
});

async function memberByWebhook(venue: Venue) {
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  await venue.delivered();
  return applicant;
}

describe('an event that no webhook brought', () => {
  /** A member whose card payment was refunded in Stripe's dashboard, without a webhook. */
  async function refunded(venue: Venue) {
    const { user } = await memberByWebhook(venue);
    await venue.billing.fetchMissedEvents();
    await venue.webhooks('drop');
    await venue.advance({ minutes: 60 });
    const [charge] = (await venue.stripe.charges.list()).data;
    const { id } = await venue.stripe.refunds.create({ charge: charge?.id ?? '', amount: 1000 });
    await venue.delivered();
    return { user, id };
  }
  const refundOf = async (venue: Venue, user: string) => (await venue.state(user)).payments[0]?.refunded;

  it('is processed within the hour, and is no matter for staff', async () => {
    const venue = await openVenue();
    const { user } = await refunded(venue);
    await venue.advance({ minutes: 9 });
    expect(await venue.billing.fetchMissedEvents()).toMatchObject({ missed: 0 });
    await venue.advance({ minutes: 2 });
    expect(await venue.billing.fetchMissedEvents()).toMatchObject({ customers: 1, failures: 0 });
    expect(await refundOf(venue, user)).toBe(1000);
    expect(await summaries(venue)).toEqual([]);
    await venue.advance({ minutes: 60 });
    expect(await venue.billing.fetchMissedEvents()).toMatchObject({ missed: 0, customers: 0 });
  });

  it('is a matter for staff six hours later, unless its webhook came by then', async () => {
    const venue = await openVenue();
    const late = await refunded(venue);
    const event = (await venue.stripe.events.list({ type: 'charge.refunded' })).data[0]?.id;
    await venue.webhooks('normal');
    await venue.control('webhooks/replay', { event });
    await venue.delivered();
    await venue.advance({ minutes: 7 * 60 });
    await venue.billing.fetchMissedEvents();
    expect(await summaries(venue)).toEqual([]);
    expect(await refundOf(venue, late.user)).toBe(1000);

    const lost = await openVenue();
    await refunded(lost);
    await lost.advance({ minutes: 7 * 60 });
    await lost.billing.fetchMissedEvents();
    expect(await summaries(lost)).toMatchObject([{ members: 1, refunds: 1, renewals: 0 }]);
  });

  it('after staff settled the summary, counts in a new one, and those before it no more', async () => {
    const venue = await openVenue();
    await refunded(venue);
    const [charge] = (await venue.stripe.charges.list()).data;
    const refund = () => venue.stripe.refunds.create({ charge: charge?.id ?? '', amount: 500 });
    await venue.advance({ minutes: 60 });
    await refund();
    await venue.advance({ minutes: 6 * 60 + 5 });
    await venue.billing.fetchMissedEvents();
    await venue.db
      .update(staff_notice)
      .set({ settled_at: venue.clock.now(), settled_by_staff_id: (await venue.applicant()).user });
    await venue.billing.fetchMissedEvents();
    expect(await summaries(venue)).toMatchObject([{ refunds: 2 }]);
    await refund();
    await venue.advance({ minutes: 7 * 60 });
    await venue.billing.fetchMissedEvents();
    expect(await summaries(venue)).toMatchObject([{ refunds: 2 }, { refunds: 1 }]);
  });

  it('is read by a server that was off, from the last state that it has', async () => {
    const venue = await openVenue();
    const { user } = await refunded(venue);
    await venue.advance({ days: 3 });
    expect(await venue.anotherProcess().fetchMissedEvents()).toMatchObject({ customers: 1 });
    expect(await refundOf(venue, user)).toBe(1000);
  });

  it('is tried again if Stripe fails', async () => {
    const venue = await openVenue();
    const { user } = await refunded(venue);
    await venue.advance({ minutes: 60 });
    await venue.control('fail-next', { path: '/v1/charges', method: 'GET', status: 500 });
    expect(await venue.billing.fetchMissedEvents()).toMatchObject({ failures: 1 });
    expect(await venue.billing.fetchMissedEvents()).toMatchObject({ failures: 0, customers: 1 });
    expect(await refundOf(venue, user)).toBe(1000);
  });

  it('from before its customer was ours is no matter for staff', async () => {
    const venue = await openVenue();
    await memberByWebhook(venue);
    await venue.billing.fetchMissedEvents();
    const { user } = await venue.applicant();
    await venue.advance({ minutes: 60 });
    const { customer } = await payerAtStripe(venue, { user_id: user });
    await venue.advance({ minutes: 60 });
    await venue.stripe.customers.update(customer, { name: 'Ada' });
    await venue.delivered();
    expect(await venue.hasAccess(user)).toBe(true);
    await venue.advance({ minutes: 7 * 60 });
    await venue.billing.fetchMissedEvents();
    expect(await summaries(venue)).toEqual([]);
  });

  it('counts in a new summary once webhooks have come again for two days', async () => {
    const venue = await openVenue();
    await refunded(venue);
    const refund = async () => {
      const [charge] = (await venue.stripe.charges.list()).data;
      await venue.stripe.refunds.create({ charge: charge?.id ?? '', amount: 500 });
      return venue.clock.now().toISOString();
    };
    await venue.advance({ minutes: 60 });
    const to = await refund();
    await venue.advance({ minutes: 7 * 60 });
    await venue.billing.fetchMissedEvents();
    const [first] = (await summaries(venue)) as { from: string; to: string }[];
    expect(first).toMatchObject({ refunds: 2, to });
    expect(Date.parse(to) - Date.parse(first?.from ?? '')).toBe(3_600_000);

    await venue.webhooks('normal');
    await venue.stripe.customers.update((await venue.stripe.customers.list()).data[0]?.id ?? '', {
      name: 'Ada',
    });
    await venue.delivered();
    await venue.advance({ days: 2 });
    await venue.webhooks('drop');
    const from = await refund();
    await venue.advance({ minutes: 7 * 60 });
    await venue.billing.fetchMissedEvents();
    expect(await summaries(venue)).toMatchObject([{ refunds: 2 }, { refunds: 1, from }]);
  });

  it('is processed though its member was reconciled a minute before', async () => {
    const venue = await openVenue();
    const { user } = await memberByWebhook(venue);
    await venue.billing.fetchMissedEvents();
    await venue.advance({ minutes: 60 });
    await venue.webhooks('drop');
    await venue.billing.reconcile(user);
    await venue.advance({ minutes: 1 });
    const [charge] = (await venue.stripe.charges.list()).data;
    await venue.stripe.refunds.create({ charge: charge?.id ?? '', amount: 1000 });
    await venue.advance({ minutes: 20 });
    expect(await venue.billing.fetchMissedEvents()).toMatchObject({ customers: 1 });
    expect(await refundOf(venue, user)).toBe(1000);
  });

  it('counts as a renewal for an invoice of one, not for a first payment', async () => {
    const venue = await openVenue();
    await venue.billing.fetchMissedEvents();
    await venue.webhooks('drop');
    await venue.member();
    await venue.advance({ minutes: 7 * 60 });
    await venue.billing.fetchMissedEvents();
    expect(await summaries(venue)).toMatchObject([{ members: 1, renewals: 0 }]);
  });

  it('is no matter for staff if its webhook came, while the sweeper still tries', async () => {
    const venue = await openVenue();
    await memberByWebhook(venue);
    await venue.billing.fetchMissedEvents();
    const error = { type: 'api_error', message: 'Something went wrong on our end.' };
    const { billing } = changeAnswers(venue, {
      instead: ({ path }) => (path === '/v1/subscriptions' ? { status: 500, json: { error } } : undefined),
    });
    const [charge] = (await venue.stripe.charges.list()).data;
    await venue.stripe.refunds.create({ charge: charge?.id ?? '', amount: 1000 });
    await venue.delivered();
    expect(venue.responses.at(-1)).toBe(503);
    await venue.advance({ minutes: 7 * 60 });
    expect(await billing.fetchMissedEvents()).toMatchObject({ missed: 0 });
    expect(await summaries(venue)).toEqual([]);
  });

  it('finds a subscription that no account here has', async () => {
    const venue = await openVenue();
    await venue.member();
    await payerAtStripe(venue);
    await venue.advance({ minutes: 30 });
    await venue.billing.fetchMissedEvents();
    expect(await kinds(venue)).toEqual(['unknown_subscription']);
  });
});

it('reading the events costs one request an hour while webhooks come', async () => {
  const venue = await openVenue();
  await memberByWebhook(venue);
  const { calls, billing } = changeAnswers(venue, {});
  await billing.fetchMissedEvents();
  await venue.advance({ minutes: 60 });
  await venue.stripe.customers.update((await venue.stripe.customers.list()).data[0]?.id ?? '', {
    name: 'Ada',
  });
  await venue.advance({ minutes: 60 });
  calls.length = 0;
  expect(await billing.fetchMissedEvents()).toEqual({ missed: 0, customers: 0, failures: 0 });
  expect(calls.map(({ path }) => path)).toEqual(['/v1/events']);
});

import type Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCardPeriods } from '../../../src/server/billing/state/card-periods.ts';
import { eq } from '../../../src/server/db/orm.ts';
import { billing_subscription, customers, memberships, staff_notice } from '../../../src/server/db/schema.ts';
import { changeAnswers } from '../../support/billing/answers.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

// docs/rules/billing.md, "Billing: an end closes what is open".

/** A member whose renewal failed. */
async function overdueMember(venue: Venue): Promise<{ user: string }> {
  const { user } = await venue.member();
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 30, minutes: 1 });
  return { user };
}

async function invoices(venue: Venue, user: string): Promise<Stripe.Invoice[]> {
  return (await venue.stripe.invoices.list({ customer: await stripeCustomerId(venue.db, user) })).data;
}

/** The cents that the club has from a user. */
async function kept(venue: Venue, user: string): Promise<number> {
  const { data } = await venue.stripe.charges.list({ customer: await stripeCustomerId(venue.db, user) });
  return data.filter((it) => it.paid).reduce((sum, it) => sum + it.amount - it.amount_refunded, 0);
}

const notices = (venue: Venue) => venue.db.select().from(staff_notice);

const STRIPE_ENDS: [string, (venue: Venue, user: string) => Promise<unknown>, string][] = [
  [
    'Stripe’s last retry failed',
    async (venue) => {
      await venue.advance({ days: 4 });
    },
    'payment_overdue',
  ],
  [
    'staff canceled it in Stripe',
    async (venue, user) => venue.stripe.subscriptions.cancel((await venue.subscription(user)).id),
    'ended_at_stripe',
  ],
];

describe.each(STRIPE_ENDS)('a membership that ended because %s', (_, end, reason) => {
  test('has no open invoice, and the email about it says so', async () => {
    const venue = await openVenue();
    await venue.control('settings', { dunning_days: [1, 2], dunning_end: 'canceled' });
    const { user } = await overdueMember(venue);
    await end(venue, user);
    await venue.delivered();
    expect((await invoices(venue, user)).map(({ status }) => status)).toEqual(['void', 'paid']);
    expect(await venue.state(user)).toMatchObject({ reversals: [reason] });
    expect(venue.notices.filter(({ type }) => type === 'membership_ended')).toMatchObject([{ why: reason }]);
  });

  test('is refunded what was paid in the moment before the invoice was voided', async () => {
    const venue = await openVenue();
    await venue.control('settings', { dunning_days: [1, 2], dunning_end: 'canceled' });
    const { user } = await overdueMember(venue);
    await venue.webhooks('drop');
    await end(venue, user);
    await venue.advance({ minutes: 2 });
    await venue.payInvoice(user);
    await venue.webhooks('normal');
    await venue.billing.reconcile(user);
    expect(await kept(venue, user)).toBe(3900);
    expect(venue.noticeTypes().slice(-2)).toEqual(['membership_ended', 'payment_returned']);
  });
});

test.each([0, 2])(
  'a payment that is refunded because it came %i minutes after the end pays for no period',
  async (minutes) => {
    const venue = await openVenue();
    const { user } = await overdueMember(venue);
    await venue.webhooks('drop');
    await venue.stripe.subscriptions.cancel((await venue.subscription(user)).id);
    if (minutes > 0) await venue.advance({ minutes });
    await venue.payInvoice(user);
    await venue.billing.reconcile(user);
    await venue.billing.reconcile(user);
    const [member] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
    const periods = await readCardPeriods(venue.db, member?.id ?? '');
    expect(periods.map(({ paid }) => paid)).toEqual([true, false]);
  },
);

test('the open invoice of a subscription that had ended before is voided when it is next looked at', async () => {
  const venue = await openVenue();
  const { user } = await overdueMember(venue);
  await venue.webhooks('drop');
  const { id } = await venue.stripe.subscriptions.cancel((await venue.subscription(user)).id);
  // Our copy as a version left it that did not look at the invoices of ended subscriptions.
  const ended = eq(billing_subscription.stripe_subscription_id, id);
  await venue.db.update(billing_subscription).set({ status: 'canceled' }).where(ended);
  await venue.db.update(memberships).set({ status: 'ended', end_date: '2026-07-16' });
  await venue.db.update(customers).set({ status: 'inactive' });
  await venue.billing.reconcile(user);
  expect((await invoices(venue, user)).map(({ status }) => status)).toEqual(['void', 'paid']);
  expect(await venue.state(user)).toMatchObject({ reversals: ['closed'] });
  expect(venue.noticeTypes()).not.toContain('membership_ended');
});

test('a membership that ended with nothing open brings no reversal', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.stripe.subscriptions.cancel((await venue.subscription(user)).id);
  await venue.delivered();
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' }, reversals: [] });
  expect(venue.notices.at(-1)).toMatchObject({ type: 'membership_ended', why: null });
});

test('a payment that was in time stays the club’s when the subscription ends right after it', async () => {
  const venue = await openVenue();
  const { user } = await overdueMember(venue);
  await venue.webhooks('drop');
  await venue.payInvoice(user);
  await venue.advance({ minutes: 1 });
  await venue.stripe.subscriptions.cancel((await venue.subscription(user)).id);
  await venue.billing.reconcile(user);
  expect(await kept(venue, user)).toBe(7800);
  expect(await notices(venue)).toEqual([]);
});

test('a subscription that was paid and over before we knew of it is a notice for staff', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  await venue.webhooks('drop');
  await venue.pay(await venue.checkout(applicant));
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const { data } = await venue.stripe.subscriptions.list({ customer });
  await venue.stripe.subscriptions.cancel(data[0]?.id ?? '');
  await venue.billing.reconcile(applicant.user);
  await venue.billing.reconcile(applicant.user);
  expect(await notices(venue)).toMatchObject([
    { kind: 'paid_without_membership', user_id: applicant.user, facts: { amount_cents: 3900 } },
  ]);
});

test('a payment for an earlier month, while the membership stays on hold, is a notice for staff', async () => {
  const venue = await openVenue();
  await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
  const { user } = await overdueMember(venue);
  await venue.advance({ days: 31 });
  await venue.payInvoice(user);
  await venue.billing.reconcile(user);
  expect(await venue.subscription(user)).toMatchObject({ status: 'unpaid' });
  expect(await notices(venue)).toMatchObject([
    { kind: 'paid_without_membership', user_id: user, facts: { amount_cents: 3900 } },
  ]);
});

test('a payment for a month in a pause, collected once the month is over, is a notice for staff', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } });
  await venue.advance({ days: 35 });
  await venue.stripe.subscriptions.update(id, { pause_collection: '' });
  await venue.advance({ days: 30 });
  const draft = (await invoices(venue, user)).find(({ status }) => status === 'draft');
  await venue.stripe.invoices.pay(draft?.id ?? '');
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await kept(venue, user)).toBe(11700);
  expect(await notices(venue)).toMatchObject([
    { kind: 'paid_without_membership', user_id: user, facts: { amount_cents: 3900 } },
  ]);
});

test('a payment for a month on hold, after the newest invoice was paid at Stripe, is a notice for staff', async () => {
  const venue = await openVenue();
  await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
  const { user } = await overdueMember(venue);
  await venue.advance({ days: 31 });
  const [newest, older] = await invoices(venue, user);
  await venue.payInvoice(user, newest?.id);
  expect(await notices(venue)).toEqual([]);
  await venue.payInvoice(user, older?.id);
  expect(await venue.subscription(user)).toMatchObject({ status: 'active' });
  expect(await notices(venue)).toMatchObject([
    { kind: 'paid_without_membership', user_id: user, facts: { amount_cents: 3900 } },
  ]);
});

test('the payment that brings a membership on hold back is no notice', async () => {
  const venue = await openVenue();
  await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
  const { user } = await overdueMember(venue);
  await venue.advance({ days: 2 });
  await venue.payInvoice(user);
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' } });
  expect(await notices(venue)).toEqual([]);
});

test('an invoice whose payment is under way at the end is void once the bank has declined', async () => {
  const venue = await openVenue();
  await venue.control('settings', { dunning_days: [20] });
  const { user } = await overdueMember(venue);
  await venue.control('settings', { charges: 'pending' });
  await venue.changeCard(user, 'pm_card_visa');
  await venue.advance({ days: 8 });
  const [open] = await invoices(venue, user);
  await venue.control('fail-next', { path: `/v1/invoices/${open?.id}/void`, kind: 'status', status: 400 });
  await venue.billing.sweep();
  expect(venue.notices.at(-1)).toMatchObject({ type: 'membership_ended', why: 'payment_overdue' });
  expect((await invoices(venue, user))[0]).toMatchObject({ status: 'open' });
  await venue.control('charges/fail');
  await venue.delivered();
  expect((await invoices(venue, user)).map(({ status }) => status)).toEqual(['void', 'paid']);
});

test('the deletion of an account leaves no invoice that can be paid', async () => {
  const venue = await openVenue();
  const { user } = await overdueMember(venue);
  const customer = await stripeCustomerId(venue.db, user);
  await venue.billing.cancelEverything(user);
  const { data } = await venue.stripe.invoices.list({ customer });
  expect(data.map(({ status }) => status)).toEqual(['void', 'paid']);
});

test('the open invoice of a new membership closes nothing of a former one', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.stripe.subscriptions.cancel((await venue.subscription(user)).id);
  await venue.delivered();
  const application = await venue.reapply(user);
  await venue.pay(await venue.checkout({ user, application }));
  await venue.delivered();
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 31 });
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' }, reversals: [] });
});

test('two renewals that were paid before we looked are no notice', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  await venue.advance({ days: 62 });
  await venue.billing.reconcile(user);
  expect((await venue.state(user)).payments).toHaveLength(3);
  expect(await notices(venue)).toEqual([]);
});

test.each([
  ['nothing', (venue: Venue) => venue.member(), []],
  ['an invoice', overdueMember, ['ended_at_stripe']],
])(
  'an invoice that Stripe made after an end with %s open is a notice once paid',
  async (_, member, reversals) => {
    const venue = await openVenue();
    const { user } = await member(venue);
    await venue.webhooks('drop');
    const { ended_at } = await venue.stripe.subscriptions.cancel((await venue.subscription(user)).id);
    await venue.advance({ minutes: 60 });
    const [charge] = (await venue.stripe.charges.list()).data.filter(({ paid }) => paid);
    await venue.stripe.refunds.create({ charge: charge?.id ?? '', amount: 1000 });
    const { billing } = changeAnswers(venue, {
      answer({ method, path }, json) {
        if (method !== 'GET' || path !== '/v1/invoices') return;
        const paid = json.data.find(({ status }: Stripe.Invoice) => status === 'paid');
        const at = (ended_at ?? 0) + 60;
        if (paid)
          json.data.push({ ...paid, id: 'in_last', created: at, status_transitions: { paid_at: at + 60 } });
      },
    });
    await billing.reconcile(user);
    expect(await venue.state(user)).toMatchObject({ reversals });
    expect(await kept(venue, user)).toBe(2900);
    expect(await notices(venue)).toMatchObject([
      { kind: 'paid_without_membership', user_id: user, facts: { amount_cents: 2900 } },
    ]);
  },
);

test('an open invoice that Stripe made after an end is left open, and the email about the end does not name it', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  const { ended_at } = await venue.stripe.subscriptions.cancel((await venue.subscription(user)).id);
  const { billing } = changeAnswers(venue, {
    answer({ method, path }, json) {
      if (method !== 'GET' || path !== '/v1/invoices') return;
      const [paid] = json.data as Stripe.Invoice[];
      const created = (ended_at ?? 0) + 60;
      if (paid) json.data.push({ ...paid, id: 'in_last', status: 'open', created, amount_remaining: 3900 });
    },
  });
  await billing.reconcile(user);
  expect(await venue.state(user)).toMatchObject({ active: null, reversals: [] });
  expect(venue.notices.at(-1)).toMatchObject({ type: 'membership_ended', why: null });
});

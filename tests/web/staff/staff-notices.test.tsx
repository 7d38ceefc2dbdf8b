import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { formatDateTime } from '../../../src/web/format/dates.ts';
import { noticeText } from '../../../src/web/staff/notices/notice-text.ts';
import { type Answer, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const id = '0197b1f0-0000-7000-8000-0000000000d1';
const member = {
  user_id: '0197b1f0-0000-7000-8000-000000000001',
  first_name: 'Ada',
  last_name: 'Vine',
  email: 'ada@demo.test',
  has_record: true,
};
const since = '2026-03-04T19:05:00.000Z';
const missing = {
  id,
  kind: 'customer_missing' as const,
  facts: { stripe_customer_id: 'cus_1' },
  member,
  created_at: since,
  settled: null,
};
const settled = { at: '2026-03-05T09:00:00.000Z', by: 'Bruno Keller' };

async function open(list: Answer, answers: Record<string, Answer> = {}) {
  const server = stubStaffServer({
    'GET /api/customers': () => ({ members: [], next_cursor: null }),
    'GET /api/staff-notices': list,
    ...answers,
  });
  openStaffApp('/staff/dashboard');
  await screen.findByText('No members yet');
  return server;
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

const DISPUTES = [
  [
    'open',
    'is disputed at the bank. That ends no membership.',
    'Answer the dispute in Stripe. End the membership on their page if you want to.',
  ],
  [
    'lost',
    'was disputed, and the bank took it back. That ends no membership.',
    'Collect it at the venue, or end the membership on their page.',
  ],
  ['won', 'was disputed. The club won and keeps the money.', 'There is nothing left to do.'],
] as const;

const UNKNOWN = [
  [
    'running',
    'Ben Hill (ben@demo.test) pays $39.00 per month at Stripe for Select, since 3/4/2026, and has no account here.',
    'Press Find Subscriptions on the page Import and Export: it connects the subscription sub_1, or says why it can’t.',
  ],
  [
    'ended',
    'The subscription sub_1 at Stripe belonged to no account here, and has ended.',
    'If nothing was used for what was paid, refund it in Stripe.',
  ],
] as const;

test('without notices there is no panel', async () => {
  const server = await open(() => []);
  expect(server.made('GET /api/staff-notices')).toHaveLength(1);
  expect(screen.queryByRole('heading', { name: 'Needs Attention' })).toBeNull();
});

test('a notice says what happened and what to do, and links to the member', async () => {
  await open(() => [missing]);
  screen.getByRole('heading', { name: 'Needs Attention' });
  screen.getByText('1 open');
  screen.getByText(/Ada Vine no longer exists as a customer at Stripe \(cus_1\)/);
  screen.getByText(/Find out in Stripe who deleted the customer/);
  screen.getByText(formatDateTime(since));
  expect(screen.getByRole('link', { name: 'Ada Vine' }).getAttribute('href')).toBe(
    `/staff/customers/${member.user_id}`,
  );
});

test('a notice about someone who has never been a member links to their email', async () => {
  await open(() => [{ ...missing, member: { ...member, has_record: false } }]);
  expect(screen.getByRole('link', { name: 'ada@demo.test' }).getAttribute('href')).toBe(
    'mailto:ada@demo.test',
  );
});

test('Settled shows who and when in the same place, and Undo reopens the notice', async () => {
  const server = await open(() => [missing], {
    [`POST /api/staff-notices/${id}/settle`]: () => ({ ...missing, settled }),
    [`POST /api/staff-notices/${id}/reopen`]: () => missing,
  });
  await userEvent.click(screen.getByRole('button', { name: /^Mark as Settled: Ada Vine/ }));
  await screen.findByText('All settled');
  screen.getByText('Settled by Bruno Keller,');
  screen.getByText(formatDateTime(settled.at));
  await userEvent.click(screen.getByRole('button', { name: /^Undo: Ada Vine/ }));
  await screen.findByText('1 open');
  expect(server.made(`POST /api/staff-notices/${id}/reopen`)).toHaveLength(1);
});

test('settling that fails says so, and the notice stays open', async () => {
  await open(() => [missing], {
    [`POST /api/staff-notices/${id}/settle`]: () => refusal(404, 'NOT_FOUND', 'Not found.'),
  });
  await userEvent.click(screen.getByRole('button', { name: /^Mark as Settled:/ }));
  await screen.findByText('We couldn’t change the notice. Please try again.');
  screen.getByText('1 open');
});

test('notices that cannot be loaded are logged, and the dashboard still works', async () => {
  await open(() => refusal(400, 'BAD_REQUEST', 'Bad'));
  expect(screen.queryByRole('heading', { name: 'Needs Attention' })).toBeNull();
  expect(console.warn).toHaveBeenCalled();
});

test.each([
  [
    'a payment without a tier',
    {
      kind: 'payment_unmatched' as const,
      facts: {
        amount_cents: 39000,
        currency: 'usd',
        stripe_subscription_id: 'sub_1',
        product: 'Select membership',
      },
    },
    'Ada Vine paid $390.00 for Select membership, but at a price that matches none of our tiers. It did not start a membership; an existing one keeps its tier.',
    'In Stripe, move the subscription sub_1 to the price of a tier, or cancel and refund it.',
  ],
  [
    'a payment that cannot be refunded',
    {
      kind: 'reversal_impossible' as const,
      facts: {
        amount_cents: 3900,
        currency: 'usd',
        stripe_invoice_id: 'in_1',
        why: 'it was paid outside of Stripe',
      },
    },
    'We couldn’t refund $39.00 to Ada Vine automatically: it was paid outside of Stripe.',
    'Refund it at the venue, or in Stripe if it was paid there. The invoice is in_1.',
  ],
  ...DISPUTES.map(
    ([state, happened, next]) =>
      [
        `a dispute that is ${state}`,
        {
          kind: 'payment_disputed' as const,
          facts: {
            amount_cents: 3900,
            currency: 'usd',
            stripe_invoice_id: 'in_1',
            stripe_dispute_id: 'du_1',
            state,
          },
        },
        `The $39.00 that Ada Vine paid ${happened}`,
        `${next} The invoice is in_1, the dispute du_1.`,
      ] as const,
  ),
  [
    'a membership paid twice',
    {
      kind: 'paid_more_than_once' as const,
      facts: {
        amount_cents: 7800,
        currency: 'usd',
        stripe_subscription_id: 'sub_1',
        tier: 'select',
        quantity: 2,
      },
    },
    'Ada Vine pays $78.00 a month for 2 memberships in one subscription, and has one, Select, with the pours of one.',
    'In Stripe, leave one tier with the quantity 1 in the subscription sub_1, and refund the rest.',
  ],
  ...UNKNOWN.map(
    ([state, happened, next]) =>
      [
        `a subscription without an account that is ${state}`,
        {
          kind: 'unknown_subscription' as const,
          facts: {
            state,
            stripe_subscription_id: 'sub_1',
            stripe_customer_id: 'cus_1',
            name: state === 'running' ? 'Ben Hill' : null,
            email: state === 'running' ? 'ben@demo.test' : null,
            tier: 'select',
            amount_cents: 3900,
            currency: 'usd',
            interval: 'month',
            started_at: since,
          },
        },
        happened,
        next,
      ] as const,
  ),
  [
    'events that were missed',
    {
      kind: 'caught_up' as const,
      facts: {
        from: since,
        to: '2026-03-06T08:30:00.000Z',
        members: 12,
        renewals: 8,
        ends: 2,
        refunds: 1,
        disputes: 0,
      },
    },
    `From ${formatDateTime(since)} to ${formatDateTime('2026-03-06T08:30:00.000Z')} we missed messages from Stripe about 12 members. We have fetched what happened: 8 renewals, 2 memberships that ended, 1 refund.`,
    'Every membership is up to date. Press Check Stripe on the page Stripe to see whether messages come again.',
  ],
  [
    'a single missed event',
    {
      kind: 'caught_up' as const,
      facts: { from: since, to: since, members: 1, renewals: 0, ends: 0, refunds: 0, disputes: 0 },
    },
    `From ${formatDateTime(since)} to ${formatDateTime(since)} we missed messages from Stripe about one member. We have fetched what happened.`,
    'Every membership is up to date. Press Check Stripe on the page Stripe to see whether messages come again.',
  ],
] as const)('the words for %s', (_, notice, happened, next) => {
  expect(noticeText({ id, member, created_at: since, settled: null, ...notice })).toEqual({ happened, next });
  const unknown = noticeText({ id, member: null, created_at: since, settled: null, ...notice });
  expect(`${unknown.happened} ${unknown.next}`).not.toMatch(/null|Ada/);
});

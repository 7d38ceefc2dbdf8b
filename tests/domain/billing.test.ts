import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chooseMembership,
  closingOf,
  type EndedSubscription,
  type SubscriptionCandidate,
} from '../../src/domain/billing.ts';
import { grantsAccess } from '../../src/domain/standing.ts';

const one = (id: string, changed: Partial<SubscriptionCandidate> = {}): SubscriptionCandidate => ({
  id,
  status: 'active',
  standing: 'active',
  created_at: new Date(id.charCodeAt(0) * 1000),
  was_membership: false,
  application_rejected: false,
  reversed: false,
  waits: false,
  ...changed,
});
const unpaid = { status: 'unpaid', standing: 'suspended' } as const;
const incomplete = { status: 'incomplete', standing: 'suspended' } as const;
const grace = { status: 'past_due', standing: 'grace' } as const;
const over = { status: 'canceled', standing: 'ended' } as const;
const member = { was_membership: true };

const table: [string, SubscriptionCandidate[], boolean, string | null, string[]][] = [
  ['nothing', [], false, null, []],
  ['one', [one('a')], false, 'a', []],
  ['one that will end', [one('a', { standing: 'ending' })], false, 'a', []],
  ['one in grace', [one('a', { status: 'past_due', standing: 'grace' })], false, 'a', []],
  ['one ended', [one('a', over)], false, null, []],
  ['one unpaid', [one('a', { ...unpaid, ...member })], false, null, []],
  ['one of unknown status', [one('a', { status: 'mellowed', standing: 'unknown' })], false, null, []],
  ['one incomplete', [one('a', incomplete)], false, null, []],
  ['two: the older', [one('b'), one('a')], false, 'a', ['b second_subscription']],
  [
    'two created at the same instant: by id',
    [one('b', { created_at: new Date(0) }), one('a', { created_at: new Date(0) })],
    false,
    'a',
    ['b second_subscription'],
  ],
  ['the membership, though newer', [one('a'), one('b', member)], false, 'b', ['a second_subscription']],
  ['three', [one('c'), one('a'), one('b')], false, 'a', ['b second_subscription', 'c second_subscription']],
  ['a lapsed one and a new one', [one('a', { ...unpaid, ...member }), one('b')], false, 'b', ['a replaced']],
  [
    'a lapsed one and an incomplete one',
    [one('a', { ...unpaid, ...member }), one('b', incomplete)],
    false,
    null,
    [],
  ],
  [
    'the membership in grace and a paid one',
    [one('a', { ...grace, ...member }), one('b')],
    false,
    'b',
    ['a replaced'],
  ],
  [
    'the membership in grace and a paused one',
    [one('a', { ...grace, ...member }), one('b', { standing: 'paused' })],
    false,
    'b',
    ['a replaced'],
  ],
  [
    'two in grace',
    [one('a', grace), one('b', { ...grace, ...member })],
    false,
    'b',
    ['a second_subscription'],
  ],
  ['an ended one and a new one', [one('a', { ...over, ...member }), one('b')], false, 'b', []],
  ['one reversed before, still active', [one('a', { reversed: true }), one('b')], false, 'b', []],
  ['only one reversed before', [one('a', { reversed: true })], false, null, []],
  ['at the venue', [], true, null, []],
  ['at the venue and by card', [one('a')], true, null, ['a venue_member']],
  ['at the venue, after a card lapsed', [one('a', { ...unpaid, ...member })], true, null, ['a venue_member']],
  ['at the venue, with an incomplete one', [one('a', incomplete)], true, null, []],
  ['rejected', [one('a', { application_rejected: true })], false, null, ['a application_rejected']],
  [
    'rejected, and another',
    [one('a', { application_rejected: true }), one('b')],
    false,
    'b',
    ['a application_rejected'],
  ],
  ['waiting for its first charge', [one('a', { waits: true })], false, null, []],
  ['beside one that waits', [one('a', { waits: true }), one('b')], false, 'b', ['a second_subscription']],
  ['rejected once, a member since', [one('a', { application_rejected: true, ...member })], false, 'a', []],
];

test.each(table)('%s', (_name, candidates, venue, membership, reversals) => {
  const choice = chooseMembership(candidates, venue ? { next: null } : null);
  expect(choice.membership).toBe(membership);
  expect(choice.reversals.map(({ id, reason }) => `${id} ${reason}`)).toEqual(reversals);
});

test('a membership at the venue goes on with the card that was ordered, once that charges', () => {
  const [card, other] = [one('a'), one('b')];
  const gone = { id: 'b', reason: 'venue_member' };
  expect(chooseMembership([{ ...card, waits: true }, other], { next: 'a' })).toEqual({
    membership: null,
    reversals: [gone],
  });
  expect(chooseMembership([card, other], { next: 'a' })).toEqual({ membership: 'a', reversals: [gone] });
  expect(chooseMembership([card], { next: null }).membership).toBeNull();
});

const candidate = fc
  .record({
    kind: fc.constantFrom(
      { status: 'active', standing: 'active' as const },
      { status: 'active', standing: 'ending' as const },
      { status: 'past_due', standing: 'grace' as const },
      { status: 'mellowed', standing: 'unknown' as const },
      unpaid,
      incomplete,
      over,
    ),
    created: fc.nat(3),
    was_membership: fc.boolean(),
    application_rejected: fc.boolean(),
    reversed: fc.boolean(),
    waits: fc.boolean(),
  })
  .map(({ kind, created, ...rest }) => ({ ...kind, created_at: new Date(created), ...rest }));

const anyVenue = fc.constantFrom(null, { next: null }, { next: 'sub_0' }, { next: 'sub_1' });

test('at most one with access remains, and choosing again gives the same result', () => {
  fc.assert(
    fc.property(fc.array(candidate, { maxLength: 6 }), anyVenue, (some, venue) => {
      const all = some.map((it, nth) => ({ ...it, id: `sub_${nth}` }));
      const choice = chooseMembership(all, venue);
      const gone = new Set(choice.reversals.map(({ id }) => id));
      const left = all.filter(
        (it) => !it.reversed && !gone.has(it.id) && !it.waits && grantsAccess(it.standing),
      );
      expect(left.map(({ id }) => id)).toEqual(choice.membership ? [choice.membership] : []);
      if (venue) expect([null, venue.next]).toContain(choice.membership);
      const next = all.map((it) => ({
        ...it,
        reversed: it.reversed || gone.has(it.id),
        was_membership: it.was_membership || it.id === choice.membership,
      }));
      expect(chooseMembership(next, venue)).toEqual({ membership: choice.membership, reversals: [] });
    }),
    { numRuns: 2000 },
  );
});

// docs/rules/billing.md, "Billing: an end closes what is open".
const hour = (nth: number) => new Date(Date.UTC(2026, 6, 15, nth));
const payment = (invoiced: number, paid: number) => ({ invoiced_at: hour(invoiced), paid_at: hour(paid) });
const ended = (changed: Partial<EndedSubscription> = {}): EndedSubscription => ({
  ended_at: hour(12),
  was_known: true,
  was_running: true,
  was_membership: true,
  gave_up: false,
  has_open_invoice: false,
  new_payments: [],
  ...changed,
});
const before = { was_running: false };

test.each<[string, Partial<EndedSubscription>, string | null]>([
  ['nothing open or paid', {}, null],
  ['an open invoice', { has_open_invoice: true }, 'ended_at_stripe from 12'],
  [
    'an open invoice that Stripe gave up on',
    { has_open_invoice: true, gave_up: true },
    'payment_overdue from 12',
  ],
  ['an open invoice, after an end seen before', { ...before, has_open_invoice: true }, 'closed from 18'],
  [
    'an open invoice of what was no membership',
    { ...before, was_membership: false, has_open_invoice: true },
    null,
  ],
  ['a payment before the end', { new_payments: [payment(10, 11)] }, null],
  ['a payment in the instant of the end', { new_payments: [payment(10, 12)] }, 'ended_at_stripe from 12'],
  ['a payment of an invoice made with the end', { new_payments: [payment(12, 13)] }, null],
  ['a payment, unknown before', { was_known: false, ...before, new_payments: [payment(10, 13)] }, null],
  [
    'two payments after an end seen before',
    { ...before, new_payments: [payment(10, 14), payment(10, 13)] },
    'closed from 13',
  ],
])('a subscription that ended with %s is closed as %j', (_name, changed, closing) => {
  const result = closingOf(ended(changed), hour(18));
  expect(result && `${result.reason} from ${result.refund_from.getUTCHours()}`).toBe(closing);
});

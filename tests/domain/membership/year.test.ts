import { expect, test } from 'vitest';
import {
  type LastYear,
  raiseOutcome,
  tierBackFrom,
  tiersUp,
  unusedMonths,
  type YearMember,
  yearOutcome,
} from '../../../src/domain/membership/year.ts';

const member = (
  payer: 'card' | 'gift' | 'house' | 'dues',
  tier = 'select',
  ends_on: string | null = null,
) => ({
  membership: { payer, tier, ends_on },
  is_rejected: false,
  is_move: false,
  is_withdrawn: false,
});

test.each<[string, YearMember, ReturnType<typeof yearOutcome>]>([
  ['no member', { membership: null, is_rejected: false, is_move: false, is_withdrawn: false }, 'begins'],
  [
    'an applicant whom staff rejected',
    { membership: null, is_rejected: true, is_move: false, is_withdrawn: false },
    { returned: 'application_rejected' },
  ],
  ['a member who pays dues', member('dues'), 'continues'],
  ['one with another tier', member('dues', 'premier'), { returned: 'venue_member' }],
  ['one whose membership ends', member('dues', 'select', '2026-08-01'), { returned: 'venue_member' }],
  ['a member by card', { ...member('card'), is_move: true }, 'follows'],
  [
    'one with another tier',
    { ...member('card', 'premier'), is_move: true },
    { returned: 'second_subscription' },
  ],
  ['an applicant who has paid by card since', member('card'), { returned: 'second_subscription' }],
  ['a member by a gift', member('gift', 'select', '2026-08-01'), { returned: 'venue_member' }],
  ['a member on the house', member('house', 'select', '2026-08-01'), { returned: 'venue_member' }],
])('a year of Select for %s', (_, state, outcome) => {
  expect(yearOutcome(state, 'select')).toEqual(outcome);
});

test.each([
  // today, paid until with the months of a pause that is over, unused months, their share, paid until then
  ['2026-06-15', '2027-06-15', 11, 35_750, '2026-07-15'],
  ['2026-07-14', '2027-06-15', 11, 35_750, '2026-07-15'],
  ['2026-07-15', '2027-06-15', 10, 32_500, '2026-08-15'],
  ['2027-05-14', '2027-06-15', 1, 3250, '2027-05-15'],
  ['2026-10-20', '2027-08-15', 9, 29_250, '2026-11-15'],
  ['2027-06-14', '2027-08-15', 2, 6500, '2027-06-15'],
])(
  'on %s, of a year from June 15 until %s, %s months have not begun',
  (today, paid_until, months, amount_cents, until) => {
    const year = { start_date: '2026-06-15', paid_until };
    const paid = { months: 12, paid_cents: 39_000, left_cents: 39_000 };
    expect(unusedMonths(year, paid, today)).toEqual({ months, amount_cents, until });
  },
);

test('a year that has not begun is refunded whole, its last month not at all, and never more than is left', () => {
  const next = { start_date: '2026-06-15', paid_until: '2028-06-15' };
  const paid = { months: 12, paid_cents: 39_000, left_cents: 39_000 };
  expect(unusedMonths(next, paid, '2026-08-01')).toEqual({
    months: 12,
    amount_cents: 39_000,
    until: '2027-06-15',
  });
  expect(unusedMonths(next, paid, '2028-06-01')).toBeNull();
  expect(unusedMonths(next, { ...paid, left_cents: 1000 }, '2026-08-01')?.amount_cents).toBe(1000);
});

const year = (paid_until = '2027-06-15', year_cents = 39_000): LastYear => ({
  ...{ start_date: '2026-06-15', paid_until, tier: 'select', year_cents },
});
const sold = (tier_name: string, monthly_price_cents: number, yearly_price_cents: number | null) => ({
  ...{ tier_name, is_active: true, monthly_price_cents, yearly_price_cents },
});
const TIERS = [
  sold('select', 4000, 40_000),
  sold('premier', 6900, 69_000),
  sold('elite', 12_900, null),
  { ...sold('reserve', 9900, 99_000), is_active: false },
];

test.each<[string, LastYear, string, [months: number, amount_cents: number] | null]>([
  ['on its first day', year(), '2026-06-15', [11, 27_500]],
  ['on the last day of a month', year(), '2026-11-14', [7, 17_500]],
  ['on the first day of a month', year(), '2026-11-15', [6, 15_000]],
  ['with one month left', year(), '2027-05-14', [1, 2500]],
  ['in its last month', year(), '2027-05-15', null],
  ['after a pause of two months', year('2027-08-15'), '2026-11-15', [8, 20_000]],
  ['while it waits to begin', year('2027-09-15'), '2026-08-20', null],
  ['on the day after the last', year(), '2027-06-15', null],
  ['that cost more than the dearer tier’s', year(undefined, 70_000), '2026-11-15', null],
  ['whose difference is less than Stripe charges', year(undefined, 68_902), '2026-11-15', null],
  ['whose difference is just what Stripe charges', year(undefined, 68_900), '2026-11-15', [6, 50]],
  ['that was given', year(undefined, 0), '2026-11-15', [6, 34_500]],
  [
    'of two payments, with a share that is no whole cent',
    year(undefined, 39_000 + 1000 / 7),
    '2026-11-15',
    [6, 14_929],
  ],
])('Premier within a Select year %s', (_, of, today, up) => {
  const premier = tiersUp(of, TIERS, today).find(({ tier }) => tier === 'premier');
  expect(premier ?? null).toEqual(up && { tier: 'premier', months: up[0], amount_cents: up[1] });
});

test('their own tier, one without a price of a year, and one not on offer are none to move up to', () => {
  expect(tiersUp(year(undefined, 20_000), TIERS, '2026-11-15').map(({ tier }) => tier)).toEqual(['premier']);
});

test('a year that cost less, or nothing, makes a cheaper tier none to move up to', () => {
  const up = (tier: string) =>
    tiersUp({ ...year(undefined, 0), tier }, TIERS, '2026-11-15').map(({ tier }) => tier);
  expect(up('premier')).toEqual([]);
  // Compared by the month, where their own tier has no price of a year.
  expect(up('elite')).toEqual([]);
  expect(up('reserve')).toEqual([]);
});

test.each<[string, Parameters<typeof raiseOutcome>[0], string, ReturnType<typeof raiseOutcome>]>([
  ['in time', { is_member: true, year: year(), obstacle: null }, '2026-11-14', 'counts'],
  [
    'after another month has begun',
    { is_member: true, year: year(), obstacle: null },
    '2026-11-15',
    { returned: 'year_changed' },
  ],
  [
    'after unused months were refunded',
    { is_member: true, year: year('2027-05-15'), obstacle: null },
    '2026-11-14',
    { returned: 'year_changed' },
  ],
  [
    'after another tier had begun',
    { is_member: true, year: { ...year(), tier: 'elite' }, obstacle: null },
    '2026-11-14',
    { returned: 'year_changed' },
  ],
  [
    'after the year was voided',
    { is_member: true, year: null, obstacle: null },
    '2026-11-14',
    { returned: 'year_changed' },
  ],
  [
    'after a pause was set',
    { is_member: true, year: year(), obstacle: 'paused' },
    '2026-11-14',
    { returned: 'year_changed' },
  ],
  ['after the end', { is_member: false, year: null, obstacle: null }, '2026-11-14', { returned: 'closed' }],
])('the payment for a dearer tier %s', (_, state, today, outcome) => {
  expect(raiseOutcome(state, { from_tier: 'select', months: 7 }, today)).toEqual(outcome);
});

test.each([
  ['2026-11-14', 7, 17_500],
  ['2026-11-15', 6, 15_000],
  ['2027-05-14', 1, 2500],
])('of a difference for seven months, on %s %s have not begun', (today, months, amount_cents) => {
  const paid = { months: 7, paid_cents: 17_500, left_cents: 17_500 };
  expect(unusedMonths(year(), paid, today)).toMatchObject({ months, amount_cents });
});

test.each([
  ['in a month', '2026-06-15', '2027-06-15', '2026-08-20', '2026-09-15'],
  ['on its first day', '2026-06-15', '2027-06-15', '2026-08-15', '2026-09-15'],
  ['in a short month', '2026-01-31', '2027-01-31', '2026-02-10', '2026-02-28'],
  ['in the last month', '2026-06-15', '2027-06-15', '2027-05-20', '2027-06-15'],
  ['after it', '2026-06-15', '2027-06-15', '2027-06-18', '2027-06-15'],
])('the tier before a voided difference comes back: %s', (_, start_date, paid_until, today, from) => {
  expect(tierBackFrom({ start_date, paid_until }, today)).toBe(from);
});

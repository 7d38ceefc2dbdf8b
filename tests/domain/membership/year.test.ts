import { expect, test } from 'vitest';
import { unusedMonths, type YearMember, yearOutcome } from '../../../src/domain/membership/year.ts';

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
    const paid = { paid_cents: 39_000, left_cents: 39_000 };
    expect(unusedMonths(year, paid, today)).toEqual({ months, amount_cents, until });
  },
);

test('a year that has not begun is refunded whole, its last month not at all, and never more than is left', () => {
  const next = { start_date: '2026-06-15', paid_until: '2028-06-15' };
  const paid = { paid_cents: 39_000, left_cents: 39_000 };
  expect(unusedMonths(next, paid, '2026-08-01')).toEqual({
    months: 12,
    amount_cents: 39_000,
    until: '2027-06-15',
  });
  expect(unusedMonths(next, paid, '2028-06-01')).toBeNull();
  expect(unusedMonths(next, { ...paid, left_cents: 1000 }, '2026-08-01')?.amount_cents).toBe(1000);
});

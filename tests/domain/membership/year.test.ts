import { expect, test } from 'vitest';
import { type YearMember, yearOutcome } from '../../../src/domain/membership/year.ts';

const member = (
  payer: 'card' | 'gift' | 'house' | 'dues',
  tier = 'select',
  ends_on: string | null = null,
) => ({
  membership: { payer, tier, ends_on },
  is_rejected: false,
});

test.each<[string, YearMember, ReturnType<typeof yearOutcome>]>([
  ['no member', { membership: null, is_rejected: false }, 'begins'],
  [
    'an applicant whom staff rejected',
    { membership: null, is_rejected: true },
    { returned: 'application_rejected' },
  ],
  ['a member who pays dues', member('dues'), 'continues'],
  ['one with another tier', member('dues', 'premier'), { returned: 'venue_member' }],
  ['one whose membership ends', member('dues', 'select', '2026-08-01'), { returned: 'venue_member' }],
  ['a member by card', member('card'), { returned: 'second_subscription' }],
  ['a member by a gift', member('gift', 'select', '2026-08-01'), { returned: 'venue_member' }],
  ['a member on the house', member('house', 'select', '2026-08-01'), { returned: 'venue_member' }],
])('a year of Select for %s', (_, state, outcome) => {
  expect(yearOutcome(state, 'select')).toEqual(outcome);
});

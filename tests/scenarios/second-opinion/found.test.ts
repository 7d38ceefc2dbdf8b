import { expect, test } from 'vitest';
import { PRODUCT_FAULTS, storyFrom } from '../../support/second-opinion/known-faults.ts';
import { tell } from '../../support/second-opinion/shrink.ts';

// Sequences in which the product once differed from the model.

const DAY = 86_400;

/** Three glasses of a month that is never paid, after five that rolled over. */
const owing: Parameters<typeof storyFrom> = [
  [0.1 * DAY, { do: 'join by card', who: 0, tier: 'elite' }],
  [DAY, { do: 'card', who: 0, good: false }],
  [31 * DAY, { do: 'pour', who: 0, glasses: 8 }],
  [DAY, { do: 'end by staff', who: 0, now: true }],
];

test.each([
  [
    'glasses of a paid month at the venue are not owed by a later membership',
    storyFrom(
      [0.1 * DAY, { do: 'join by card', who: 0, tier: 'select' }],
      [DAY, { do: 'cancel', who: 0 }],
      [31 * DAY, { do: 'join at the venue', who: 0, tier: 'select' }],
      [2 * DAY, { do: 'pour', who: 0, glasses: 2 }],
      [40 * DAY, { do: 'end by staff', who: 0, now: true }],
      [DAY, { do: 'redeem', who: 0, tier: 'elite', months: 3 }],
    ),
  ],
  [
    'someone who owes glasses redeems two gifts on one day',
    storyFrom(
      ...owing,
      [2 * DAY, { do: 'redeem', who: 0, tier: 'select', months: 3 }],
      [0.01 * DAY, { do: 'end by staff', who: 0, now: true }],
      [0.01 * DAY, { do: 'redeem', who: 0, tier: 'premier', months: 3 }],
      [40 * DAY, { do: 'pour', who: 0, glasses: 8 }],
    ),
  ],
  [
    'a pause that never began, because the membership ended first, does not count for the next',
    storyFrom(
      [0.1 * DAY, { do: 'join by card', who: 0, tier: 'select' }],
      [DAY, { do: 'pause', who: 0, months: 2 }],
      [DAY, { do: 'cancel', who: 0 }],
      [35 * DAY, { do: 'join by card', who: 0, tier: 'elite' }],
      [DAY, { do: 'pause', who: 0, months: 2 }],
    ),
  ],
])('%s', { timeout: 120_000 }, async (_rule, story) => {
  expect(await tell(story, PRODUCT_FAULTS)).toBeNull();
});

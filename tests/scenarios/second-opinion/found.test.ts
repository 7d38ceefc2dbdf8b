import { expect, test } from 'vitest';
import { type Story, storyFrom, tell } from '../../support/second-opinion/shrink.ts';

// Sequences in which the product differed from the model before, and rare ones.

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Three glasses of a month that is never paid, after five that rolled over. */
const owing: Parameters<typeof storyFrom> = [
  [0.1 * DAY, { do: 'join by card', who: 0, tier: 'elite' }],
  [DAY, { do: 'card', who: 0, good: false }],
  [31 * DAY, { do: 'pour', who: 0, glasses: 8 }],
  [DAY, { do: 'end by staff', who: 0, now: true }],
];

test.each<[rule: string, story: Story]>([
  [
    'a trial that was ended early pays for no later month: a pause is one, and coming back is charged',
    storyFrom(
      [0.1 * DAY, { do: 'join by card', who: 0, tier: 'select' }],
      [8 * DAY, { do: 'trial', who: 0, days: 120 }],
      [23 * DAY, { do: 'trial', who: 0, days: 0 }],
      [50 * DAY, { do: 'pause', who: 0, months: 1 }],
      [20 * DAY, { do: 'return', who: 0 }],
    ),
  ],
  [
    'a pour that waited past the end of its month takes a glass left there, and then one of the running month',
    storyFrom(
      [0.1 * DAY, { do: 'join at the venue', who: 0, tier: 'select' }],
      [25 * DAY, { do: 'pour', who: 0, glasses: 3 }],
      [10 * DAY, { do: 'pour late', who: 0, glasses: 1, minutes: 10 * 24 * 60 }],
      [MINUTE, { do: 'pour late', who: 0, glasses: 1, minutes: 10 * 24 * 60 }],
    ),
  ],
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
  [
    'months of a pause at the venue that had not begun when the membership ended do not count for the next',
    storyFrom(
      [0.1 * DAY, { do: 'join at the venue', who: 0, tier: 'select' }],
      [DAY, { do: 'pause', who: 0, months: 2 }],
      [35 * DAY, { do: 'end by staff', who: 0, now: true }],
      [20 * DAY, { do: 'join at the venue', who: 0, tier: 'elite' }],
      [DAY, { do: 'pause', who: 0, months: 2 }],
    ),
  ],
  [
    'a pour that waited counts on the last day of a gift that nobody had used in its last month',
    storyFrom(
      [0.1 * DAY, { do: 'redeem', who: 0, tier: 'select', months: 3 }],
      [91 * DAY, { do: 'pour late', who: 0, glasses: 1, minutes: 2 * 24 * 60 }],
    ),
  ],
  [
    'a partner’s pour that waited counts in the running month of the household',
    storyFrom(
      [0.1 * DAY, { do: 'join by card', who: 1, tier: 'household' }],
      [DAY, { do: 'share', who: 1 }],
      [DAY, { do: 'pour late', who: 0, glasses: 1, minutes: 60 }],
    ),
  ],
  [
    'a member in a trial is not moved to another price',
    storyFrom(
      [0.1 * DAY, { do: 'join by card', who: 0, tier: 'household' }],
      [2 * DAY, { do: 'trial', who: 0, days: 70 }],
      [DAY, { do: 'tier', tier: 'household', terms: { price: 12_700 } }],
      [DAY, { do: 'move', tier: 'household' }],
      [DAY, { do: 'trial', who: 0, days: 3 }],
    ),
  ],
  [
    'staff end with the month again what was put off at Stripe: no further month is charged',
    storyFrom(
      [0.1 * DAY, { do: 'join by card', who: 0, tier: 'select' }],
      [DAY, { do: 'end by staff', who: 0, now: false }],
      [DAY, { do: 'end at Stripe', who: 0, when: 70 }],
      [33 * DAY, { do: 'end by staff', who: 0, now: false }],
      [30 * DAY, { do: 'pour', who: 0, glasses: 1 }],
    ),
  ],
  [
    'members pause three months of any twelve, in two seasons, and no fourth',
    storyFrom(
      [0.1 * DAY, { do: 'join by card', who: 0, tier: 'select' }],
      [DAY, { do: 'pause', who: 0, months: 1 }],
      [190 * DAY, { do: 'pause', who: 0, months: 2 }],
      [100 * DAY, { do: 'pause', who: 0, months: 1 }],
      [110 * DAY, { do: 'pause', who: 0, months: 1 }],
    ),
  ],
  [
    'glasses poured before a membership began do not count in it, also on the same day',
    storyFrom(
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'select' }],
      [MINUTE, { do: 'pour', who: 0, glasses: 3 }],
      [MINUTE, { do: 'end by staff', who: 0, now: true }],
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'select' }],
    ),
  ],
  [
    'glasses given in an earlier membership do not count in the next, also on the same day',
    storyFrom(
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'premier' }],
      [MINUTE, { do: 'give', who: 0, glasses: 5 }],
      [MINUTE, { do: 'end by staff', who: 0, now: true }],
      [MINUTE, { do: 'redeem', who: 0, tier: 'premier', months: 3 }],
    ),
  ],
  [
    'what rolled over into a month does not roll into a membership that begins on the month’s first day',
    storyFrom(
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'elite' }],
      [31 * DAY, { do: 'pour', who: 0, glasses: 17 }],
      [MINUTE, { do: 'end by staff', who: 0, now: true }],
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'premier' }],
    ),
  ],
  [
    'what may roll over rises with an upgrade by the same share as its glasses do',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'select' }],
      [31 * DAY - 15 * MINUTE, { do: 'change tier', who: 0, tier: 'household' }],
      [MINUTE, { do: 'change tier', who: 0, tier: 'select' }],
      [DAY],
    ),
  ],
  [
    'an upgrade counts what the old tier let roll over when the period began, whatever the venue changed since',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'elite' }],
      [DAY, { do: 'tier', tier: 'elite', terms: { rollover: 8 } }],
      [MINUTE, { do: 'change tier', who: 0, tier: 'household' }],
      [31 * DAY],
    ),
  ],
  [
    'glasses that a tier gets later were not left when the period ended, and do not roll over',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'premier' }],
      [DAY, { do: 'pour', who: 0, glasses: 8 }],
      [31 * DAY, { do: 'tier', tier: 'premier', terms: { pours: 11 } }],
    ),
  ],
  [
    'what an unpaid month left owed stays so when a pour of it is voided after its end',
    storyFrom(
      ...owing,
      [33 * DAY, { do: 'void', who: 0, back: 0 }],
      [DAY, { do: 'join by card', who: 0, tier: 'premier' }],
    ),
  ],
  [
    'a month in which nobody came lets roll over what its tier gave then, though the tier gives more since',
    storyFrom(
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'select' }],
      [MINUTE, { do: 'tier', tier: 'select', terms: { rollover: 8 } }],
      [63 * DAY, { do: 'tier', tier: 'select', terms: { pours: 7 } }],
    ),
  ],
  [
    'a month in which nobody came lets as many roll over as its tier did when it began',
    storyFrom(
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'elite' }],
      [40 * DAY, { do: 'tier', tier: 'elite', terms: { rollover: 2 } }],
      [31 * DAY],
    ),
  ],
  [
    'a month that is paid after the end, and refunded, leaves owed what was drunk of its advance',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'select' }],
      [DAY, { do: 'card', who: 0, good: false, asks: true }],
      [31 * DAY, { do: 'pour', who: 0, glasses: 1 }],
      [DAY, { do: 'end at Stripe', who: 0, when: 'now', paid: true }],
      [DAY, { do: 'join by card', who: 0, tier: 'select' }],
    ),
  ],
  [
    'a trial that staff end early pays for no day of the month after it',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'premier' }],
      [3 * DAY, { do: 'trial', who: 0, days: 70 }],
      [DAY, { do: 'card', who: 0, good: false }],
      [6 * DAY, { do: 'trial', who: 0, days: 0 }],
      [DAY, { do: 'pour', who: 0, glasses: 1 }],
      [DAY, { do: 'saved card', who: 0, back: 1 }],
    ),
  ],
  [
    'a trial that staff extend keeps its pours to the later end',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'elite' }],
      [3 * DAY, { do: 'trial', who: 0, days: 14 }],
      [3 * DAY, { do: 'give', who: 0, glasses: 2 }],
      [6 * DAY, { do: 'trial', who: 0, days: 45 }],
      [20 * DAY, { do: 'pour', who: 0, glasses: 3 }],
      [DAY, { do: 'card', who: 0, good: false }],
      [30 * DAY, { do: 'pour', who: 0, glasses: 1 }],
    ),
  ],
  [
    'an add-on that is charged and credited within a month changes no pours',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'select' }],
      [3 * DAY, { do: 'add-on', who: 0, on: true, bills: 'now' }],
      [DAY, { do: 'change tier', who: 0, tier: 'premier' }],
      [6 * DAY, { do: 'add-on', who: 0, on: false, bills: 'now' }],
      [DAY, { do: 'add-on', who: 0, on: true, bills: 'later' }],
      [DAY, { do: 'change tier', who: 0, tier: 'elite' }],
      [31 * DAY],
    ),
  ],
  [
    'a saved card pays at once a renewal that its bank asked to confirm',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'select' }],
      [DAY, { do: 'card', who: 0, good: false, asks: true }],
      [31 * DAY, { do: 'saved card', who: 0, back: 1 }],
    ),
  ],
  [
    'a larger tier that lets fewer roll over takes nothing of what may roll over already',
    storyFrom(
      [MINUTE, { do: 'tier', tier: 'elite', terms: { rollover: 8 } }],
      [MINUTE, { do: 'tier', tier: 'household', terms: { rollover: 2 } }],
      [MINUTE, { do: 'join by card', who: 0, tier: 'elite' }],
      [DAY, { do: 'change tier', who: 0, tier: 'household' }],
      [31 * DAY],
    ),
  ],
  [
    'what waits for an invoice is collected at an end that was set, for the month in which it was used',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'select' }],
      [10 * DAY, { do: 'add-on', who: 0, on: true, bills: 'later' }],
      [DAY, { do: 'cancel', who: 0 }],
      [31 * DAY],
    ),
  ],
  [
    'a last invoice that was not paid is paid later, by someone who is a member again',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'select' }],
      [10 * DAY, { do: 'add-on', who: 0, on: true, bills: 'later' }],
      [DAY, { do: 'end at Stripe', who: 0, when: 5 }],
      [DAY, { do: 'card', who: 0, good: false }],
      [6 * DAY, { do: 'join by card', who: 0, tier: 'premier' }],
      [DAY, { do: 'pay invoice', who: 0 }],
      [31 * DAY],
    ),
  ],
  [
    'a credit that waits at an end is for a later membership',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'select' }],
      [MINUTE, { do: 'add-on', who: 0, on: true, bills: 'now' }],
      [10 * DAY, { do: 'add-on', who: 0, on: false, bills: 'later' }],
      [DAY, { do: 'cancel', who: 0 }],
      [31 * DAY, { do: 'join by card', who: 0, tier: 'select' }],
    ),
  ],
  [
    'of two raises within a month, the second credits what the first charged for the rest',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'select' }],
      [2_517_175, { do: 'change tier', who: 0, tier: 'elite' }],
      [5_801, { do: 'change tier', who: 0, tier: 'household' }],
    ),
  ],
  [
    'a dearer tier with fewer pours takes away what may roll over with them',
    storyFrom(
      [MINUTE, { do: 'take over', who: 0, tier: 'household', price: 2424 }],
      [33 * DAY, { do: 'change tier', who: 0, tier: 'select' }],
      [29 * DAY],
    ),
  ],
  [
    'a dearer tier with fewer pours takes pours away, as far as any are left, and none of those that the club gave',
    storyFrom(
      [MINUTE, { do: 'take over', who: 0, tier: 'household', price: 10_000 }],
      [DAY, { do: 'give', who: 0, glasses: 3 }],
      [MINUTE, { do: 'pour', who: 0, glasses: 20 }],
      [MINUTE, { do: 'change tier', who: 0, tier: 'elite' }],
      [MINUTE, { do: 'give', who: 0, glasses: 2 }],
    ),
  ],
  [
    'a month begins with its day at the venue, which in Cairo in spring begins at one o’clock',
    {
      ...storyFrom(
        [77 * DAY, { do: 'join at the venue', who: 0, tier: 'select' }],
        [30.5 * DAY - 1, { do: 'pour', who: 0, glasses: 4 }],
        [1, { do: 'pour', who: 0, glasses: 4 }],
      ),
      zone: 'Africa/Cairo',
    },
  ],
  [
    'a pour that waited counts in a membership that ended that day, in the evening when UTC has the next day',
    {
      ...storyFrom(
        [MINUTE, { do: 'join at the venue', who: 0, tier: 'select' }],
        [14.5 * HOUR, { do: 'end by staff', who: 0, now: true }],
        [HOUR, { do: 'pour late', who: 0, glasses: 1, minutes: 30 }],
        [4 * HOUR, { do: 'pour late', who: 0, glasses: 1, minutes: 30 }],
      ),
      zone: 'America/New_York',
    },
  ],
  [
    'a pour that waited counts in the month of its evening at the venue, when UTC has the first day of the next',
    {
      ...storyFrom(
        [MINUTE, { do: 'join at the venue', who: 0, tier: 'select' }],
        [31 * DAY, { do: 'pour late', who: 0, glasses: 1, minutes: 8 * 60 }],
      ),
      zone: 'America/New_York',
    },
  ],
  [
    'an unpaid month gives in advance the share that the club’s days of grace are of it, and ends with them',
    {
      ...storyFrom(
        [MINUTE, { do: 'join by card', who: 0, tier: 'elite' }],
        [DAY, { do: 'card', who: 0, good: false }],
        [31 * DAY, { do: 'pour', who: 0, glasses: 8 }],
        [DAY, { do: 'pour', who: 0, glasses: 1 }],
        [DAY, { do: 'pour', who: 0, glasses: 1 }],
      ),
      grace: 2,
    },
  ],
  [
    'a month at the venue keeps what a dearer tier gave in advance, when a cheaper one with fewer pours is paid',
    {
      ...storyFrom(
        [MINUTE, { do: 'join at the venue', who: 0, tier: 'select', months: 1 }],
        [21 * DAY, { do: 'tier at the venue', who: 0, tier: 'premier' }],
        [28 * DAY, { do: 'pour', who: 0, glasses: 5 }],
        [HOUR, { do: 'tier at the venue', who: 0, tier: 'select' }],
        [HOUR, { do: 'pay dues', who: 0, months: 1 }],
        [HOUR, { do: 'pour', who: 0, glasses: 2 }],
      ),
      grace: 21,
    },
  ],
  [
    'a tier that gives more gives it at once in a trial of four months, too',
    storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'select' }],
      [9 * DAY, { do: 'trial', who: 0, days: 120 }],
      [75 * DAY, { do: 'tier', tier: 'select', terms: { pours: 6 } }],
      [DAY, { do: 'pour', who: 0, glasses: 6 }],
    ),
  ],
  [
    'somebody whose year is paid can save a card at Stripe',
    storyFrom(
      [MINUTE, { do: 'join for a year', who: 0, tier: 'select' }],
      [31 * DAY, { do: 'card', who: 0, good: true }],
    ),
  ],
])('%s', { timeout: 120_000 }, async (_rule, story) => {
  expect(await tell(story)).toBeNull();
});

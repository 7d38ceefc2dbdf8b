import type { Event, VenueEvent } from './events.ts';
import type { Fault } from './period.ts';
import type { Story } from './shrink.ts';

interface KnownFault {
  fault: Fault;
  /** The rule, as the model counts without the fault. */
  rule: string;
  /** Shows it; the product differs from the rule in its last instant. */
  story: Story;
}

const START = Date.UTC(2027, 0, 12, 10) / 1000;
const MINUTE = 60;
const DAY = 86_400;

/** A story of events, each so many seconds after the one before. */
export const storyFrom = (...ticks: [seconds: number, event?: Event | VenueEvent][]): Story => ({
  start: START,
  ticks: ticks.map(([seconds, it]) => {
    const tick = { seconds, lost: false, venue: null };
    if (!it) return tick;
    return 'who' in it ? { ...tick, event: it } : { ...tick, venue: it };
  }),
});

/**
 * Where the product is known to count differently than it should. A fault that is mended leaves this list and the model.
 * On 'upgrade', docs/rules.md still says what the product does ("the larger of the two numbers counts"), although minutes
 * of a larger tier then buy a month's roll-over.
 */
export const KNOWN_FAULTS: KnownFault[] = [
  {
    fault: 'rejoin',
    rule: 'glasses poured before a membership began do not count in it, also on the same day',
    story: storyFrom(
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'select' }],
      [MINUTE, { do: 'pour', who: 0, glasses: 3 }],
      [MINUTE, { do: 'end by staff', who: 0, now: true }],
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'select' }],
    ),
  },
  {
    fault: 'rejoin',
    rule: 'glasses given in an earlier membership do not count in the next, also on the same day',
    story: storyFrom(
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'premier' }],
      [MINUTE, { do: 'give', who: 0, glasses: 5 }],
      [MINUTE, { do: 'end by staff', who: 0, now: true }],
      [MINUTE, { do: 'redeem', who: 0, tier: 'premier', months: 3 }],
    ),
  },
  {
    fault: 'rejoin',
    rule: 'what rolled over into a month does not roll into a membership that begins on the month’s first day',
    story: storyFrom(
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'elite' }],
      [31 * DAY, { do: 'pour', who: 0, glasses: 17 }],
      [MINUTE, { do: 'end by staff', who: 0, now: true }],
      [MINUTE, { do: 'join at the venue', who: 0, tier: 'premier' }],
    ),
  },
  {
    fault: 'upgrade',
    rule: 'what may roll over rises with an upgrade by the same share as its glasses do',
    story: storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'select' }],
      [31 * DAY - 15 * MINUTE, { do: 'change tier', who: 0, tier: 'household' }],
      [MINUTE, { do: 'change tier', who: 0, tier: 'select' }],
      [DAY],
    ),
  },
  {
    fault: 'raise',
    rule: 'glasses that a tier gets later were not left when the period ended, and do not roll over',
    story: storyFrom(
      [MINUTE, { do: 'join by card', who: 0, tier: 'premier' }],
      [DAY, { do: 'pour', who: 0, glasses: 8 }],
      [31 * DAY, { do: 'tier', tier: 'premier', terms: { pours: 11 } }],
    ),
  },
];

export const PRODUCT_FAULTS: ReadonlySet<Fault> = new Set(KNOWN_FAULTS.map(({ fault }) => fault));

import fc from 'fast-check';
import { TIERS } from './club.ts';
import type { Event, EventOf, VenueEvent } from './events.ts';

// All that can happen, and what it shrinks to: each value toward the first of its kind.

type Fields<T> = { [Key in keyof Omit<T, 'do'>]-?: fc.Arbitrary<T[Key]> };

const tier = fc.constantFrom(...TIERS);
const upTo = (max: number) => fc.integer({ min: 1, max });
const months = fc.constantFrom(1, 2) as fc.Arbitrary<1 | 2>;
const back = fc.constantFrom(0, 1);

/** The fields of each kind of event besides `who`. */
const FIELDS: { [D in Event['do']]: Omit<Fields<EventOf<D>>, 'who'> } = {
  'join by card': { tier },
  'join at the venue': { tier, months: fc.constantFrom(undefined, 1 as const, 3 as const, 12 as const) },
  'pay dues': { months: fc.constantFrom(1 as const, 3 as const) },
  'void dues': { back },
  redeem: { tier, months: fc.constantFrom(3, 6) },
  'on the house': { tier, months: fc.constantFrom(1 as const, 3 as const) },
  'tier at the venue': { tier },
  'keep tier at the venue': {},
  'join for a year': { tier },
  'pay a year': {},
  'to card': {},
  pour: { glasses: upTo(30) },
  'pour late': {
    glasses: upTo(3),
    minutes: fc.oneof(fc.constantFrom(1, 60, 8 * 60, 24 * 60), fc.noShrink(upTo(30 * 24 * 60))),
  },
  void: { back },
  give: { glasses: fc.integer({ min: -20, max: 5 }).filter(Boolean), onTheHouse: fc.boolean() },
  'change tier': { tier },
  'keep tier': {},
  pause: { months },
  'extend pause': {},
  return: {},
  cancel: {},
  resume: {},
  'end by staff': { now: fc.boolean() },
  card: { good: fc.boolean(), asks: fc.boolean() },
  'saved card': { back: upTo(2) },
  'pay invoice': {},
  'end at Stripe': {
    when: fc.constantFrom<(number | 'now' | 'with the period')[]>(
      'with the period',
      5,
      12,
      40,
      70,
      200,
      'now',
    ),
    paid: fc.boolean(),
  },
  'add-on': {
    on: fc.boolean(),
    first: fc.boolean(),
    bills: fc.constantFrom(undefined, 'now' as const, 'later' as const),
  },
  trial: { days: fc.constantFrom(31, 0, 3, 7, 14, 20, 30, 45, 70, 120) },
  'take over': { tier, price: fc.noShrink(fc.integer({ min: 1000, max: 20_000 })), addOn: fc.boolean() },
  'pay, ended unseen': { tier },
  share: {},
  unshare: {},
  'give to guest': {},
  'pour for guest': {},
  'withdraw from guest': {},
  refund: { back, part: fc.constantFrom(1, 0.3) },
  dispute: { back },
  'bank decides': { won: fc.boolean() },
};

/** What no form offers: a gift of less than nothing; an item before the tier's that is charged at once. */
const isOffered = (event: Event): boolean =>
  !(event.do === 'give' && event.onTheHouse && event.glasses < 0) &&
  !(event.do === 'add-on' && event.first && event.bills);

const kinds = Object.entries(FIELDS).map(
  ([name, fields]) =>
    [
      name,
      fc.record({ do: fc.constant(name), who: fc.constantFrom(0, 1), ...fields }) as fc.Arbitrary<Event>,
    ] as const,
);

/** The events of each kind. */
export const EVENTS = Object.fromEntries(
  kinds.map(([name, events]) => [name, events.filter(isOffered)]),
) as unknown as { [D in Event['do']]: fc.Arbitrary<EventOf<D>> };

/** Any act of the venue. */
export const VENUE_EVENT = fc.oneof(
  fc.record({
    do: fc.constant('tier' as const),
    tier,
    terms: fc.oneof(
      fc.record({ rollover: fc.nat(8) }),
      fc.record({ pours: fc.noShrink(fc.nat(100)) }),
      fc.record({ price: fc.noShrink(fc.nat(100_000)) }),
    ),
  }),
  fc.record({ do: fc.constant('move' as const), tier }),
) as fc.Arbitrary<VenueEvent>;

import fc from 'fast-check';
import { act } from './acts.ts';
import { EVENTS } from './any-event.ts';
import { DAY, HOUR } from './calendar.ts';
import { type Club, type Dunning, openingClub, SETTING, type Setting, TIERS } from './club.ts';
import {
  type Event,
  type Sequence,
  STEP,
  stepsBetween,
  type Tick,
  type VenueEvent,
  type Who,
  type World,
} from './events.ts';
import { isEnding } from './membership.ts';
import { Model } from './model.ts';
import { isMember } from './person.ts';
import { Random } from './random.ts';
import { venueActs } from './venue-acts.ts';

const DUNNINGS: Dunning[] = [
  SETTING.dunning,
  { days: [1, 2], end: 'canceled' },
  { days: [1, 2], end: 'unpaid' },
  { days: [2, 3, 1], end: 'unpaid' },
  { days: [3, 5, 7], end: 'past_due' },
];
/** Days begin before and after those of UTC, in Kolkata at half past; in Cairo one in spring begins at one o'clock. */
const ZONES = [SETTING.zone, 'America/New_York', 'Asia/Kolkata', 'Africa/Cairo', 'Pacific/Auckland'];
const START = Date.UTC(2027, 0, 4, 11) / 1000;
/** The share of events chosen without regard to what is possible. */
const BLIND = 0.1;

const KINDS = Object.keys(EVENTS) as Event['do'][];

type Choice = readonly [number, Event];

/** The theme of a sequence: the weight of its events, and the tier. */
interface Theme {
  tier?: string;
  weights: Partial<Record<Event['do'], number>>;
}
const THEMES: Theme[] = [
  { weights: {} },
  { weights: { 'join by card': 9, card: 9, pour: 2, cancel: 3, redeem: 6 } },
  { tier: 'elite', weights: { 'join by card': 9, card: 9, pour: 2, 'end by staff': 4 } },
  {
    tier: 'household',
    weights: { 'join by card': 9, card: 9, pour: 4, 'end by staff': 6, void: 4, 'change tier': 3 },
  },
  { weights: { 'join by card': 9, pause: 9, return: 0.5 } },
  { weights: { 'join at the venue': 30, pause: 6, return: 0.7, 'extend pause': 2, 'void dues': 1.5 } },
  { tier: 'premier', weights: { 'join by card': 9, refund: 4, dispute: 9, 'bank decides': 3 } },
  { weights: { 'join by card': 9, 'change tier': 5 } },
  { weights: { redeem: 40, pour: 2 } },
  {
    weights: {
      'join for a year': 30,
      'join at the venue': 9,
      'pay a year': 6,
      refund: 3,
      dispute: 2,
      'end by staff': 4,
    },
  },
  { weights: { 'join by card': 9, 'pay a year': 12, resume: 2, refund: 2, 'end by staff': 2, pour: 2 } },
  { weights: { 'join at the venue': 30, 'to card': 15, card: 3, resume: 2, cancel: 2, pour: 2 } },
  { weights: { 'on the house': 30, 'join at the venue': 6, pour: 2, 'end by staff': 2 } },
  { weights: { 'join at the venue': 30, 'tier at the venue': 12, 'pay dues': 3, 'void dues': 2, pour: 2 } },
  {
    tier: 'household',
    weights: { 'join at the venue': 30, 'tier at the venue': 6, share: 9, 'pay dues': 2 },
  },
  { weights: { 'join at the venue': 30, 'pay dues': 3, 'void dues': 2, pour: 2 } },
  { weights: { 'join at the venue': 6, redeem: 6, 'end by staff': 8, give: 3, pour: 2 } },
  { tier: 'household', weights: { share: 9, unshare: 4, 'give to guest': 5, 'pour for guest': 2 } },
  {
    weights: { 'join by card': 9, card: 12, 'saved card': 4, 'pay invoice': 4, 'end at Stripe': 3, pour: 2 },
  },
  { weights: { 'join by card': 9, card: 14, 'pay invoice': 5, 'saved card': 6, 'join at the venue': 3 } },
  { weights: { 'take over': 40, 'end at Stripe': 9, resume: 3, cancel: 2, 'change tier': 2 } },
  { weights: { 'take over': 12, 'join by card': 9, 'add-on': 12, trial: 4, 'change tier': 5 } },
  { weights: { 'pay, ended unseen': 9, trial: 9, card: 5, 'end at Stripe': 2, pour: 2 } },
  { weights: { 'join by card': 9, trial: 20, card: 6, pour: 2, 'pay invoice': 2 } },
  { weights: { 'join by card': 9, 'add-on': 25, card: 3, 'change tier': 4, trial: 3 } },
  { weights: { 'join by card': 9, 'add-on': 25, card: 2, cancel: 6, 'end at Stripe': 12, 'pay invoice': 2 } },
  { weights: { 'give to guest': 5, 'pour for guest': 3, void: 4, give: 4 } },
];
const LATER_ENDS = ['with the period', 5, 12, 40, 70, 200] as const;

/** The pace of time: hours and days, or from one period's end to the next. */
type Pace = 'days' | 'months';

/** Worlds: their times, the venue's acts, and the acts of two people in each of their sequences. */
export class Worlds extends fc.Arbitrary<World> {
  private readonly count: number;
  private readonly ticks: number;

  /** @param count the sequences of a world @param ticks the instants of each */
  constructor(count: number, ticks: number) {
    super();
    this.count = count;
    this.ticks = ticks;
  }

  override generate(source: fc.Random): fc.Value<World> {
    return new fc.Value(generate(new Random(source), this.count, this.ticks), undefined);
  }

  override canShrinkWithoutContext(_world: unknown): _world is World {
    return false;
  }

  /** A sequence is shrunk alone (shrink.ts). */
  override shrink(): fc.Stream<fc.Value<World>> {
    return fc.Stream.nil();
  }
}

/** A world, in which an event is chosen by what the models allow at that time. */
function generate(random: Random, count: number, ticks: number): World {
  const club = openingClub();
  const start = START + random.between(0, 364) * DAY + random.between(0, DAY - 1);
  const setting: Setting = {
    dunning: random.pick(DUNNINGS),
    zone: random.pick(ZONES),
    grace: random.pick([SETTING.grace, SETTING.grace, 1, 21]),
  };
  const models = Array.from({ length: count }, () => new Model(start, club, setting));
  const themes = models.map(() => random.pick(THEMES));
  const pace: Pace = random.pick(['days', 'months', 'months']);
  const world: World = { start, ...setting, ticks: [], sequences: models.map((): Sequence => new Map()) };
  for (let number = 0; number < ticks; number++) {
    const now = models[0]?.now ?? start;
    const seconds = secondsToPass(random, models, number, pace);
    const tick: Tick = {
      seconds,
      // Without a webhook, the product sees within the hour what Stripe did.
      lost: random.chance(0.85) && seconds % STEP > 2 * HOUR,
      written: random.chance(0.4),
      venue: number > 0 && random.chance(0.2) ? venueEvent(random, models, club) : null,
    };
    world.ticks.push(tick);
    for (const at of stepsBetween(now, tick.seconds)) for (const model of models) model.advance(at);
    if (tick.venue) venueActs(tick.venue, club, models);
    for (const [index, model] of models.entries()) {
      if (number > 0 && random.chance(0.2)) continue;
      const event = chooseEvent(random, model, themes[index] ?? { weights: {} });
      if (!event) continue;
      world.sequences[index]?.set(number, event);
      act(model, event);
    }
  }
  return world;
}

/** The seconds of a tick. The first two are short: most members join then, so that many periods end together. */
function secondsToPass(random: Random, models: Model[], number: number, pace: Pace): number {
  if (number < 2) return random.between(5, 3 * HOUR);
  const end = random.pick(models).person(0).membership?.period.end;
  const toEnd = end ? end - (models[0]?.now ?? 0) : 0;
  const [small, large] = pace === 'days' ? [7, 3] : [3, 7];
  return random.weighted([
    [small * 0.5, random.between(5, 3 * HOUR)],
    [small * 0.5, random.between(HOUR, 9 * DAY)],
    [1, (models[0]?.setting.grace ?? 0) * DAY + random.pick([-1, 0, HOUR])],
    [large * 0.15, random.between(20 * DAY, 95 * DAY)],
    [toEnd > DAY ? large : 0, toEnd + random.pick([-900, -1, 0, 1, 60, HOUR, DAY, 2 * DAY])],
  ]);
}

function venueEvent(random: Random, models: Model[], club: Club): VenueEvent {
  const tier = random.pick(TIERS);
  const { pours, price } = club[tier] ?? { pours: 0, price: 0 };
  const behind = models
    .flatMap(({ people }) => people)
    .find(
      ({ membership }) => membership?.plan && membership.price !== club[membership.tier]?.price,
    )?.membership;
  return random.weighted<VenueEvent>([
    [2, { do: 'tier', tier, terms: { pours: pours + random.between(1, 3) } }],
    [1, { do: 'tier', tier, terms: { rollover: random.between(0, 8) } }],
    [2, { do: 'tier', tier, terms: { price: price + random.between(-5, 10) * 100 } }],
    [behind ? 6 : 0, { do: 'move', tier: behind?.tier ?? tier }],
  ]);
}

function chooseEvent(random: Random, model: Model, theme: Theme): Event | null {
  const who: Who = random.chance(0.75) ? 0 : 1;
  const tier = theme.tier && random.chance(0.6) ? theme.tier : random.pick(TIERS);
  if (random.chance(BLIND)) return random.event(random.pick(KINDS), { who });
  const person = model.person(who);
  const member = isMember(person);
  const holder = model.holder(person);
  if (!member && holder === person) {
    if (who === 1 && random.chance(0.6)) return null;
    const onHold = person.membership?.plan?.onHold;
    return chosen(random, model, theme, [
      [5, { do: 'join by card', who, tier }],
      [2, { do: 'join at the venue', who, tier, months: random.pick([1, 1, 3, 12]) }],
      [0.3, { do: 'pay, ended unseen', who, tier }],
      [person.isCustomer || person.cards.length > 0 ? 0 : 0.4, takeOver(random, model, who, tier)],
      [onHold ? 4 : 0, random.event('card', { who, good: random.chance(0.8) })],
      [onHold ? 1 : 0, { do: 'pay invoice', who }],
      [onHold ? 1 : 0, { do: 'cancel', who }],
      [onHold ? 1 : 0, random.event('end at Stripe', { who, when: 'now', paid: false })],
      [when(person.past.length > 0, 2), random.event('pour late', { who })],
      [when(person.venuePayments.length > 0, 0.5), { do: 'void dues', who, back: 0 }],
      [1.2, { do: 'redeem', who, tier, months: random.pick([3, 6]) }],
      [0.8, { do: 'join for a year', who, tier }],
      [0.8, { do: 'on the house', who, tier, months: random.pick([1, 3]) }],
    ]);
  }
  return chosen(random, model, theme, choices(random, model, who, tier));
}

function chosen(random: Random, model: Model, { weights }: Theme, from: Choice[]): Event {
  return random.weighted(
    from.map(([weight, event]): Choice => {
      // A failing card stays failing for a while.
      const isMended = event.do === 'card' && event.good;
      const inGrace = event.do === 'pour' && model.person(event.who).membership?.plan?.open;
      return [weight * (isMended ? 0.3 : (weights[event.do] ?? 1)) * (inGrace ? 3 : 1), event];
    }),
  );
}

const when = (isSo: unknown, weight: number) => (isSo ? weight : 0);

/** Suitable events for a member, by weight. */
function choices(random: Random, model: Model, who: Who, tier: string): Choice[] {
  const person = model.person(who);
  const holder = model.holder(person);
  const { available, access } = model.show(who);
  const plan = holder === person ? person.membership?.plan : null;
  const dues = holder === person ? person.membership?.dues : null;
  const pause = plan?.pause ?? dues?.pause;
  const guests = holder.membership?.period.guests.some((it) => it.giver === who && it.state === 'held');
  const two = model.terms(holder.membership?.tier ?? 'select').people === 2;
  const open = person.payments.some(({ disputed }) => disputed === 'open');
  const glasses = random.chance(0.3) ? available : random.between(1, Math.max(1, available));
  return [
    [when(access && available > 0, 8), { do: 'pour', who, glasses: Math.min(30, Math.max(1, glasses)) }],
    [when(holder === person && !person.shares, 3), random.event('pour late', { who })],
    [when(person.poured.length > 0, 2), { do: 'void', who, back: random.chance(0.7) ? 0 : 1 }],
    [
      when(access, 2),
      random.event('give', { who, glasses: random.pick([1, 2, 5, -1, -2]), onTheHouse: false }),
    ],
    [when(access, 1), random.event('give', { who, glasses: random.pick([1, 3]), onTheHouse: true })],
    [when(plan, 4), { do: 'change tier', who, tier }],
    [when(dues || (plan && !plan.open && !plan.pause), 0.7), { do: 'pay a year', who }],
    [when(dues && !person.membership?.endsAt, 0.7), { do: 'to card', who }],
    [when(dues, 1.5), { do: 'tier at the venue', who, tier }],
    [when(dues?.next, 1), { do: 'keep tier at the venue', who }],
    [when(dues, 3), { do: 'pay dues', who, months: random.pick([1, 1, 3]) }],
    [when(person.venuePayments.length > 0, 0.8), { do: 'void dues', who, back: random.chance(0.8) ? 0 : 1 }],
    [when(plan?.next, 2), { do: 'keep tier', who }],
    [
      when((plan && !plan.pause && !plan.move) || (dues && !dues.pause), 2),
      { do: 'pause', who, months: random.pick([1, 2]) },
    ],
    [when(pause, 3), { do: 'return', who }],
    [when(pause, 2), { do: 'extend pause', who }],
    [when(plan && plan.cancels === 'no' && !plan.move, 1.5), { do: 'cancel', who }],
    [when(dues, person.membership?.isCanceled ? 0.2 : 0.6), { do: 'cancel', who }],
    [when((plan && isEnding(plan)) || (dues && person.membership?.endsAt), 3), { do: 'resume', who }],
    [when(holder === person && (plan?.cancels ?? 'no') === 'no', 1), { do: 'end by staff', who, now: true }],
    [when(dues || (plan?.cancels === 'no' && !plan.move), 0.5), { do: 'end by staff', who, now: false }],
    [when(plan && person.goodCard, 1.5), random.event('card', { who, good: false })],
    [when(plan && !person.goodCard, 4), random.event('card', { who, good: true })],
    [when(plan?.open, 2), random.event('card', { who, good: false })],
    [when(plan && person.cards.length > 1, 0.6), { do: 'saved card', who, back: random.between(1, 2) }],
    [when(plan?.open, 3), { do: 'pay invoice', who }],
    [when(plan, plan?.open ? 2 : 0.6), random.event('end at Stripe', { who, when: 'now' })],
    [
      when(plan && !plan.next && !plan.move && !plan.pause, 1),
      random.event('end at Stripe', { who, when: random.pick(LATER_ENDS) }),
    ],
    [when(plan && !plan.open && !plan.pause, 1), random.event('add-on', { who, on: plan?.addOn === 0 })],
    [
      when(plan && !plan.open && !plan.pause, plan?.isTrial ? 4 : 0.6),
      { do: 'trial', who, days: random.pick(plan?.isTrial ? [0, 0, 3, 20, 45] : [7, 14, 30, 31, 70, 120]) },
    ],
    [when(holder === person && two && !person.shares, 4), { do: 'share', who }],
    [when(person.shares || holder !== person, 1), { do: 'unshare', who }],
    [when(access && available > 0, 2), { do: 'give to guest', who }],
    [when(guests, 3), { do: 'pour for guest', who }],
    [when(guests, 1), { do: 'withdraw from guest', who }],
    [when(person.payments.length > 0, 1.5), random.event('refund', { who })],
    [when(person.payments.length > 0, 1), { do: 'dispute', who, back: random.between(0, 1) }],
    [when(open, 2), { do: 'bank decides', who, won: random.chance(0.5) }],
  ];
}

/** A subscription at a price that the tier does not have. */
const takeOver = (random: Random, model: Model, who: Who, tier: string): Event =>
  random.event('take over', {
    who,
    tier,
    price: model.terms(tier).price + random.pick([-1150, -500, 250, 4000]),
    addOn: random.chance(0.3),
  });

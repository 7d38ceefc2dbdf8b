import { act } from './acts.ts';
import { DAY, HOUR } from './calendar.ts';
import { openingClub, TIERS } from './club.ts';
import {
  type Event,
  type Sequence,
  stepsBetween,
  type Tick,
  type VenueEvent,
  type Who,
  type World,
} from './events.ts';
import { Model } from './model.ts';
import { Random } from './random.ts';
import { venueActs } from './venue-acts.ts';

const START = Date.UTC(2027, 0, 4, 11) / 1000;
/** Of all events, so many are chosen without a look at what is possible. */
const BLIND = 0.06;

type Choice = readonly [number, Event];

/** A world: times and what the venue does, and for each of its sequences what two people do. */
export function generate(seed: number, count: number, ticks: number): World {
  const random = new Random(seed);
  const club = openingClub();
  const start = START + random.between(0, 364) * DAY + random.between(0, DAY - 1);
  const models = Array.from({ length: count }, () => new Model(start, club, new Set()));
  const world: World = { seed, start, ticks: [], sequences: models.map((): Sequence => new Map()) };
  for (let number = 0; number < ticks; number++) {
    const now = models[0]?.now ?? start;
    const tick: Tick = {
      seconds: secondsToPass(random, models, number),
      lost: random.chance(0.85),
      venue: number > 1 && random.chance(0.15) ? venueEvent(random, club) : null,
    };
    world.ticks.push(tick);
    for (const at of stepsBetween(now, tick.seconds)) for (const model of models) model.advance(at);
    if (tick.venue) venueActs(tick.venue, club, models);
    for (const [index, model] of models.entries()) {
      if (number > 0 && random.chance(0.2)) continue;
      const event = chooseEvent(random, model);
      if (!event) continue;
      world.sequences[index]?.set(number, event);
      act(model, event);
    }
  }
  return world;
}

function secondsToPass(random: Random, models: Model[], number: number): number {
  if (number < 2) return random.between(5, 3 * HOUR);
  const end = random.pick(models).person(0).membership?.period.end;
  const toEnd = end ? end - (models[0]?.now ?? 0) : 0;
  return random.weighted([
    [4, random.between(5, 3 * HOUR)],
    [3, random.between(HOUR, 4 * DAY)],
    [2, random.between(4 * DAY, 12 * DAY)],
    [0.7, random.between(20 * DAY, 40 * DAY)],
    [toEnd > 10 ? 3.5 : 0, toEnd + random.pick([-900, -1, 0, 1, 60])],
  ]);
}

function venueEvent(random: Random, club: ReturnType<typeof openingClub>): VenueEvent {
  const tier = random.pick(TIERS);
  const { pours, price } = club[tier] ?? { pours: 0, price: 0 };
  return random.weighted<VenueEvent>([
    [2, { do: 'tier', tier, terms: { pours: pours + random.between(1, 3) } }],
    [2, { do: 'tier', tier, terms: { rollover: random.between(0, 8) } }],
    [2, { do: 'tier', tier, terms: { price: price + random.between(-5, 10) * 100 } }],
    [2, { do: 'move', tier }],
  ]);
}

function chooseEvent(random: Random, model: Model): Event | null {
  const who: Who = random.chance(0.75) ? 0 : 1;
  const tier = random.pick(TIERS);
  if (random.chance(BLIND)) return random.pick(anything(random, who, tier));
  const person = model.person(who);
  const member = person.membership && !person.membership.over ? person.membership : null;
  const holder = model.holder(person);
  if (!member && holder === person) {
    if (who === 1 && random.chance(0.6)) return null;
    return random.weighted<Event>([
      [5, { do: 'join by card', who, tier }],
      [2, { do: 'join at the venue', who, tier }],
      [1.2, { do: 'redeem', who, tier, months: random.pick([3, 6]) }],
    ]);
  }
  return random.weighted(choices(random, model, who, tier));
}

/** What suits a member, by weight. */
function choices(random: Random, model: Model, who: Who, tier: string): Choice[] {
  const person = model.person(who);
  const holder = model.holder(person);
  const { available, access } = model.show(who);
  const plan = holder === person ? person.membership?.plan : null;
  const guests = holder.membership?.period.guests.some((it) => it.giver === who && it.state === 'held');
  const when = (isSo: unknown, weight: number) => (isSo ? weight : 0);
  const two = model.glasses.terms(holder.membership?.tier ?? 'select').people === 2;
  const open = person.payments.some(({ disputed }) => disputed === 'open');
  const glasses = random.chance(0.3) ? available : random.between(1, Math.max(1, available));
  const canVoid = person.poured.at(-1)?.period;
  return [
    [when(access && available > 0, 8), { do: 'pour', who, glasses: Math.max(1, glasses) }],
    [when(canVoid && (canVoid.paid || !canVoid.closing), 2), { do: 'void', who, back: 0 }],
    [when(access, 2), { do: 'give', who, glasses: random.pick([1, 2, 5, -1, -2]) }],
    [when(plan, 4), { do: 'change tier', who, tier }],
    [when(plan?.next, 2), { do: 'keep tier', who }],
    [when(plan && !plan.pause && !plan.move, 2), { do: 'pause', who, months: random.pick([1, 2]) }],
    [when(plan?.pause, 3), { do: 'return', who }],
    [when(plan && plan.cancels === 'no' && !plan.move, 1.5), { do: 'cancel', who }],
    [when(plan && plan.cancels !== 'no', 3), { do: 'resume', who }],
    [when(holder === person && (plan?.cancels ?? 'no') === 'no', 1), { do: 'end by staff', who, now: true }],
    [
      when(holder === person && !person.membership?.isGift && plan?.cancels === 'no' && !plan.move, 0.5),
      { do: 'end by staff', who, now: false },
    ],
    [when(plan && person.goodCard, 1.5), { do: 'card', who, good: false }],
    [when(plan && !person.goodCard, 4), { do: 'card', who, good: true }],
    [when(holder === person && two && !person.shares, 4), { do: 'share', who }],
    [when(person.shares || holder !== person, 1), { do: 'unshare', who }],
    [when(access && available > 0, 2), { do: 'give to guest', who }],
    [when(guests, 3), { do: 'pour for guest', who }],
    [when(guests, 1), { do: 'withdraw from guest', who }],
    [when(person.payments.length > 0, 1.5), refund(random, who)],
    [when(person.payments.length > 0, 1), { do: 'dispute', who, back: random.between(0, 1) }],
    [when(open, 2), { do: 'bank decides', who, won: random.chance(0.5) }],
  ];
}

const refund = (random: Random, who: Who): Event => ({
  do: 'refund',
  who,
  back: random.between(0, 1),
  part: random.pick([1, 1, 0.3]),
});

/** What may well be refused. */
function anything(random: Random, who: Who, tier: string): Event[] {
  return [
    { do: 'pour', who, glasses: random.between(1, 30) },
    { do: 'give', who, glasses: -random.between(1, 20) },
    { do: 'change tier', who, tier },
    { do: 'pause', who, months: 1 },
    { do: 'share', who },
    { do: 'give to guest', who },
    { do: 'redeem', who, tier, months: 3 },
    refund(random, who),
  ];
}

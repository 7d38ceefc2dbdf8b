import { act } from './acts.ts';
import { Cast } from './cast.ts';
import { type Club, openingClub } from './club.ts';
import { differences } from './compare.ts';
import { type Event, type Sequence, stepsBetween, type World } from './events.ts';
import { Model } from './model.ts';
import type { Faults } from './period.ts';
import { Product } from './product.ts';
import { venueActs } from './venue-acts.ts';

export interface Difference {
  sequence: number;
  tick: number;
  lines: string[];
}

export interface Outcome {
  differences: Difference[];
  events: number;
  checks: number;
  /** In how many sequences the rules alone, without the known faults, say something else. */
  faulty: number;
}

interface Track {
  model: Model;
  /** The same by the rules alone. */
  strict: Model;
  cast: Cast;
  sequence: Sequence;
  isOver: boolean;
  isFaulty: boolean;
}

/** Runs a world's sequences on a product of their own, beside their models. A sequence ends where it first differs. */
export async function runWorld(world: World, faults: Faults, everyCheck = false): Promise<Outcome> {
  const product = await Product.open(world.start);
  try {
    return await runOn(product, world, faults, everyCheck);
  } finally {
    await product.close();
  }
}

async function runOn(product: Product, world: World, faults: Faults, everyCheck: boolean): Promise<Outcome> {
  const club: Club = openingClub();
  const tracks = world.sequences.map(
    (sequence): Track => ({
      model: new Model(world.start, club, faults),
      strict: new Model(world.start, club, new Set()),
      cast: new Cast(product),
      sequence,
      isOver: false,
      isFaulty: false,
    }),
  );
  const outcome: Outcome = { differences: [], events: 0, checks: 0, faulty: 0 };
  let now = world.start;
  for (const [number, tick] of world.ticks.entries()) {
    await product.pass(tick);
    for (const at of stepsBetween(now, tick.seconds)) {
      for (const { model, strict } of tracks) {
        model.advance(at);
        strict.advance(at);
      }
    }
    now += tick.seconds;
    if (tick.venue) {
      venueActs(
        tick.venue,
        club,
        tracks.flatMap(({ model, strict }) => [model, strict]),
      );
      await product.venueActs(tick.venue, club[tick.venue.tier]?.price ?? 0);
    }
    const isLast = number === world.ticks.length - 1;
    for (const [index, track] of tracks.entries()) {
      if (track.isOver) continue;
      const event = track.sequence.get(number);
      if (!event && !isLast && !everyCheck) continue;
      const whole = everyCheck || isLast || (number + index) % 8 === 0;
      const lines = await step(track, event, whole).catch((error: Error) => [`error: ${error.message}`]);
      outcome.events += event ? 1 : 0;
      outcome.checks += 1;
      if (lines.length === 0) continue;
      track.isOver = true;
      outcome.differences.push({ sequence: index, tick: number, lines });
    }
  }
  outcome.faulty = tracks.filter(({ isFaulty }) => isFaulty).length;
  return outcome;
}

/** Does an event on both sides. Returns where they differ. */
async function step(track: Track, event: Event | undefined, whole: boolean): Promise<string[]> {
  const { model, strict, cast } = track;
  if (event) {
    const isAllowed = act(model, event);
    act(strict, event);
    const answer = await cast.act(event);
    if ((answer === 'ok') !== isAllowed) {
      return [`${event.do}: ${answer}, by the model ${isAllowed ? 'ok' : 'refused'}`];
    }
  }
  const lines: string[] = [];
  for (const who of [0, 1] as const) {
    const shown = model.show(who);
    track.isFaulty ||= JSON.stringify(shown) !== JSON.stringify(strict.show(who));
    for (const line of await differences(cast, who, shown, whole)) lines.push(`${who}: ${line}`);
  }
  return lines;
}

import { act } from './acts.ts';
import { Cast } from './cast.ts';
import { type Club, openingClub } from './club.ts';
import { differences } from './compare.ts';
import { type Event, type Sequence, stepsBetween, type World } from './events.ts';
import { Model } from './model.ts';
import { Product } from './product.ts';
import { venueActs } from './venue-acts.ts';

export interface Difference {
  sequence: number;
  tick: number;
  lines: string[];
}

export interface Outcome {
  differences: Difference[];
  /** The invariants of the ledger that the database breaks at the end. */
  broken: string[];
  events: number;
  checks: number;
}

interface Track {
  model: Model;
  cast: Cast;
  sequence: Sequence;
  isOver: boolean;
}

/** Runs a world's sequences on a separate product and on their models. A sequence ends at its first difference. */
export async function runWorld(world: World, everyCheck = false): Promise<Outcome> {
  const product = await Product.open(world);
  try {
    return await runOn(product, world, everyCheck);
  } finally {
    await product.close();
  }
}

async function runOn(product: Product, world: World, everyCheck: boolean): Promise<Outcome> {
  const club: Club = openingClub();
  const tracks = world.sequences.map(
    (sequence): Track => ({
      model: new Model(world.start, club, world),
      cast: new Cast(product),
      sequence,
      isOver: false,
    }),
  );
  const outcome: Outcome = { differences: [], broken: [], events: 0, checks: 0 };
  let now = world.start;
  for (const [number, tick] of world.ticks.entries()) {
    await product.pass(tick);
    for (const at of stepsBetween(now, tick.seconds)) {
      for (const { model } of tracks) model.advance(at);
    }
    now += tick.seconds;
    if (tick.venue) {
      venueActs(
        tick.venue,
        club,
        tracks.map(({ model }) => model),
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
  outcome.broken.push(...(await product.broken()));
  return outcome;
}

/** Applies an event on both sides. Returns the differences. */
async function step(track: Track, event: Event | undefined, whole: boolean): Promise<string[]> {
  const { model, cast } = track;
  if (event) {
    const isAllowed = act(model, event);
    const answer = await cast.act(event);
    if ((answer === 'ok') !== isAllowed) {
      return [`${event.do}: ${answer}, by the model ${isAllowed ? 'ok' : 'refused'}`];
    }
  }
  const lines: string[] = [];
  for (const who of [0, 1] as const) {
    for (const line of await differences(cast, who, model.show(who), whole)) lines.push(`${who}: ${line}`);
  }
  return lines;
}

import fc from 'fast-check';
import { EVENTS, VENUE_EVENT } from './any-event.ts';
import { SETTING, type Setting } from './club.ts';
import type { Event, Tick, VenueEvent, World } from './events.ts';
import { type Difference, runWorld } from './run.ts';

/** One sequence of a world, which can be replayed alone. */
export interface Story extends Partial<Setting> {
  start: number;
  ticks: (Tick & { event?: Event })[];
}

/** A story of events, each that many seconds after the previous one. */
export const storyFrom = (...ticks: [seconds: number, event?: Event | VenueEvent][]): Story => ({
  start: Date.UTC(2027, 0, 12, 10) / 1000,
  ticks: ticks.map(([seconds, it]) => {
    const tick = { seconds, lost: false, venue: null };
    if (!it) return tick;
    return 'who' in it ? { ...tick, event: it } : { ...tick, venue: it };
  }),
});

export function storyOf(world: World, sequence: number, until: number): Story {
  const { sequences, ...rest } = world;
  const events = sequences[sequence];
  return {
    ...rest,
    ticks: world.ticks.slice(0, until + 1).map((tick, number) => ({ ...tick, event: events?.get(number) })),
  };
}

const worldOf = ({ ticks, ...rest }: Story): World => ({
  ...SETTING,
  ...rest,
  ticks,
  sequences: [new Map(ticks.flatMap(({ event }, number) => (event ? [[number, event]] : [])))],
});

/** The first difference of a story; null if there is none. */
export async function tell(story: Story): Promise<Difference | null> {
  return (await runWorld(worldOf(story), true)).differences[0] ?? null;
}

/** A tick and its event by the seconds since the start, so that one can go while the others keep their time. */
const INSTANTS = fc.array(
  fc.record({
    at: fc.noShrink(fc.nat()),
    lost: fc.boolean(),
    written: fc.boolean(),
    venue: fc.option(VENUE_EVENT),
    event: fc.option(fc.oneof(...Object.values(EVENTS))),
  }),
);
type Instants = typeof INSTANTS extends fc.Arbitrary<infer T> ? T : never;

function instantsOf({ ticks }: Story): Instants {
  let at = 0;
  return ticks.map(({ seconds, lost, written = false, venue, event = null }) => {
    at += seconds;
    return { at, lost, written, venue, event };
  });
}

const ticksOf = (instants: Instants): Story['ticks'] =>
  instants.map(({ at, event, ...tick }, number) => ({
    ...tick,
    seconds: at - (instants[number - 1]?.at ?? 0),
    event: event ?? undefined,
  }));

/** Whether fast-check can take a story apart: each event is one of any-event.ts. */
export const canShrink = (story: Story): boolean => INSTANTS.canShrinkWithoutContext(instantsOf(story));

/** Shortens a story while it shows the same kind of difference. Null if none shows when the sequence runs alone. */
export async function shrink(
  story: Story,
  seconds: number,
): Promise<{ story: Story; difference: Difference } | null> {
  const difference = await tell(story);
  if (!difference) return null;
  let least = { story: cut(story, difference), difference };
  const rest = fc.asyncProperty(INSTANTS, async (instants) => {
    const shorter = { ...story, ticks: ticksOf(instants) };
    const still = await tell(shorter);
    if (!still || kind(still) !== kind(difference)) return true;
    least = { story: cut(shorter, still), difference: still };
    return false;
  });
  await fc.check(rest, {
    examples: [[instantsOf(least.story)]],
    numRuns: 1,
    plugins: [fc.interruptAfterTimeLimit(seconds * 1000)],
  });
  return least;
}

/** The kind of a difference, without its numbers. */
const kind = ({ lines }: Difference) => lines[0]?.replace(/\d+/g, '').slice(0, 40);

const cut = (story: Story, { tick }: Difference): Story => ({
  ...story,
  ticks: story.ticks.slice(0, tick + 1),
});

/** A story with one line per instant. */
export function print({ start, ticks }: Story): string {
  let at = start;
  return ticks
    .map(({ seconds, lost, written, venue, event }) => {
      at += seconds;
      const words = [
        event && text(event),
        venue && `the venue: ${text(venue)}`,
        lost && '(webhooks lost)',
        written && '(due ones written)',
      ];
      return `${new Date(at * 1000).toISOString()}  ${words.filter(Boolean).join('  ')}`;
    })
    .join('\n');
}

const text = ({ do: name, ...rest }: { do: string }) =>
  [
    name,
    ...Object.entries(rest)
      .filter(([, value]) => value !== false)
      .map(([key, value]) => `${key} ${JSON.stringify(value)}`),
  ].join(', ');

import { DUNNING, type Dunning } from './club.ts';
import type { Event, Tick, VenueEvent, World } from './events.ts';
import { type Difference, runWorld } from './run.ts';

/** One sequence of a world, which can be replayed alone. */
export interface Story {
  start: number;
  dunning?: Dunning;
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
  const events = world.sequences[sequence];
  return {
    start: world.start,
    dunning: world.dunning,
    ticks: world.ticks.slice(0, until + 1).map((tick, number) => ({ ...tick, event: events?.get(number) })),
  };
}

const worldOf = ({ start, dunning = DUNNING, ticks }: Story): World => ({
  seed: 0,
  start,
  dunning,
  ticks,
  sequences: [new Map(ticks.flatMap(({ event }, number) => (event ? [[number, event]] : [])))],
});

/** The first difference of a story; null if there is none. */
export async function tell(story: Story): Promise<Difference | null> {
  return (await runWorld(worldOf(story), true)).differences[0] ?? null;
}

/**
 * Removes everything that a story's difference does not need: events, the venue's acts, and idle instants. Null if the
 * difference does not show when the sequence runs alone.
 */
export async function shrink(
  story: Story,
  seconds: number,
): Promise<{ story: Story; difference: Difference } | null> {
  const end = performance.now() + seconds * 1000;
  let difference = await tell(story);
  if (!difference) return null;
  let small = cut(story, difference);
  for (let number = small.ticks.length - 1; number >= 0 && performance.now() < end; number--) {
    for (const smaller of without(small, number)) {
      const still = await tell(smaller);
      if (!still || kind(still) !== kind(difference)) continue;
      difference = still;
      small = cut(smaller, still);
      break;
    }
    number = Math.min(number, small.ticks.length);
  }
  return { story: small, difference };
}

/** The kind of a difference, without its numbers. */
const kind = ({ lines }: Difference) => lines[0]?.replace(/\d+/g, '').slice(0, 40);

const cut = (story: Story, { tick }: Difference): Story => ({
  ...story,
  ticks: story.ticks.slice(0, tick + 1),
});

/** Stories that lack a part of one tick, the shortest first. */
function without({ ticks, ...rest }: Story, number: number): Story[] {
  const tick = ticks[number];
  if (!tick) return [];
  const put = (...changed: Story['ticks']) => ({
    ...rest,
    ticks: [...ticks.slice(0, number), ...changed, ...ticks.slice(number + 1)],
  });
  const next = ticks[number + 1];
  const stories: Story[] = [];
  if (next) {
    // The event's time still passes.
    const merged = { ...next, seconds: next.seconds + tick.seconds };
    stories.push({ ...rest, ticks: [...ticks.slice(0, number), merged, ...ticks.slice(number + 2)] });
  }
  if (tick.event && (tick.venue || !next)) stories.push(put({ ...tick, event: undefined }));
  if (tick.venue) stories.push(put({ ...tick, venue: null }));
  if (tick.written) stories.push(put({ ...tick, written: false }));
  return stories;
}

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
  [name, ...Object.entries(rest).map(([key, value]) => `${key} ${JSON.stringify(value)}`)].join(', ');

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { World } from '../../support/second-opinion/events.ts';
import { Worlds } from '../../support/second-opinion/generate.ts';
import { type Difference, type Outcome, runWorld } from '../../support/second-opinion/run.ts';
import { canShrink, print, type Story, shrink, storyOf, tell } from '../../support/second-opinion/shrink.ts';

// Compares the product with an independent model of docs/rules: glasses, money, standing and the next charge, over random
// sequences of acts by members, staff, Stripe and time.
//
// More sequences, or others:
//     SEQUENCES=1000 SEED=random npx vitest run --project server tests/scenarios/second-opinion
// A failed one again:
//     STORY='{"start":...}' npx vitest run --project server tests/scenarios/second-opinion -t replay

const SEQUENCES = Number(process.env.SEQUENCES ?? 25);
const SEED = process.env.SEED === 'random' ? Date.now() % 1_000_000 : Number(process.env.SEED ?? 1);
/** Sequences in one world, with members who share the clock and the product. */
const TOGETHER = 150;
const INSTANTS = Number(process.env.INSTANTS ?? 9);
/** The number of differences shown in full, each after time spent shortening it. */
const SHOWN = Number(process.env.SHOWN ?? 2);
const SHRINK_SECONDS = 90;

test.skipIf(process.env.STORY)(
  'whatever is paid, given, poured, changed and shared, the product counts as the model does',
  { timeout: 36_000_000 },
  async () => {
    const begun = performance.now();
    const failures: { where: string; found: Difference; story: Story }[] = [];
    const all: Outcome = { differences: [], broken: [], events: 0, checks: 0 };
    for (let done = 0; done < SEQUENCES; done += TOGETHER) {
      const seed = SEED + done / TOGETHER;
      const world = worldOf(seed, Math.min(TOGETHER, SEQUENCES - done));
      const outcome = await runWorld(world);
      for (const found of outcome.differences) {
        const where = `SEED=${seed} SEQUENCES=${world.sequences.length} INSTANTS=${INSTANTS}, sequence ${found.sequence}`;
        failures.push({ where, found, story: storyOf(world, found.sequence, found.tick) });
        if (process.env.SEQUENCES) process.stdout.write(`${where}: ${found.lines.join('; ')}\n`);
      }
      all.broken.push(...outcome.broken);
      for (const key of ['events', 'checks'] as const) all[key] += outcome[key];
      if (process.env.SEQUENCES) say(seed, done + world.sequences.length, all, begun);
    }
    const explanations = [];
    for (const { where, found, story } of failures.slice(0, SHOWN)) {
      const alone = await shrink(story, SHRINK_SECONDS);
      explanations.push(
        `${where}\n${alone ? explained(alone) : `only beside others: ${found.lines.join('\n')}`}`,
      );
    }
    expect.soft(failures.length, explanations.join('\n\n')).toBe(0);
    expect.soft(all.broken).toEqual([]);
    expect(all.events).toBeGreaterThan(SEQUENCES * 2);
  },
);

function worldOf(seed: number, sequences: number): World {
  const [world] = fc.sample(new Worlds(sequences, INSTANTS), { seed, numRuns: 1 });
  if (!world) throw new Error('fast-check made no world');
  return world;
}

test('every sequence can be taken apart', () => {
  const world = worldOf(SEED, 150);
  const stories = world.sequences.map((_, sequence) => storyOf(world, sequence, INSTANTS));
  expect(stories.filter((story) => !canShrink(story))).toEqual([]);
});

const explained = ({ story, difference }: NonNullable<Awaited<ReturnType<typeof shrink>>>) =>
  `${print(story)}\n${difference.lines.join('\n')}\nSTORY='${JSON.stringify(story)}'`;

function say(seed: number, sequences: number, { events, checks }: Outcome, begun: number): void {
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  process.stdout.write(
    `to seed ${seed}: ${sequences} sequences, ${events} events, ${checks} comparisons, ${minutes} min\n`,
  );
}

test.runIf(process.env.STORY)('replay', { timeout: 600_000 }, async () => {
  const story = JSON.parse(process.env.STORY ?? '') as Story;
  const difference = await tell(story);
  expect(difference?.lines ?? [], print(story)).toEqual([]);
});

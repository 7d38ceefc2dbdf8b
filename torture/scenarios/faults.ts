import { setTimeout as wait } from 'node:timers/promises';
import { wrongInBooks } from '../journal.ts';
import type { TortureOptions } from '../options.ts';
import type { Progress, Report } from '../report.ts';
import { FAULTS } from './fault-list.ts';
import { fullDisk } from './full-disk.ts';
import { type Fault, openStage, type Stage } from './stage.ts';

const BACK_WITHIN_MS = 20_000;

export const faults = {
  defaults: { rounds: 1, seconds: 900, seed: 1 },
  async run({ rounds, seconds, seed }: TortureOptions, progress: Progress): Promise<Report> {
    const violations: string[] = [];
    const facts: string[] = [];
    const cleanups: (() => unknown)[] = [];
    const end = performance.now() + seconds * 1000;
    try {
      const { stage, journal, bar } = await openStage(seed, cleanups);
      for (let round = 0; round < rounds; round++) {
        for (const fault of FAULTS) {
          if (performance.now() > end) break;
          const result = await suffer(fault, stage);
          violations.push(...result.violations.map((it) => `${fault.name}: ${it}`));
          facts.push(`${fault.name}: ${result.fact}`);
          progress(
            `${fault.name}: ${result.fact}${result.violations.length > 0 ? `, ${result.violations.length} violations` : ''}`,
          );
        }
      }
      await bar.close();
      facts.push(`pours: ${journal.summary()}`);
      violations.push(...(await wrongInBooks(journal, stage.query)));
    } finally {
      for (const close of cleanups.reverse()) await close();
    }
    const disk = await fullDisk(seed);
    progress(disk.facts.join());
    return { facts: [...facts, ...disk.facts], violations: [...violations, ...disk.violations] };
  },
};

export async function suffer(fault: Fault, stage: Stage): Promise<{ fact: string; violations: string[] }> {
  const before = stage.acknowledged();
  await fault.begin(stage);
  const violations = await fault.meanwhile(stage);
  await fault.end(stage);
  const count = stage.acknowledged() - before;
  const endedAt = performance.now();
  const isBack = async () =>
    stage.acknowledged() > before + count && (!fault.madeUpFor || (await fault.madeUpFor(stage)));
  while (!(await isBack())) {
    if (performance.now() - endedAt > BACK_WITHIN_MS) {
      violations.push('not everything worked again within 20 s');
      break;
    }
    await wait(20);
  }
  const seconds = ((performance.now() - endedAt) / 1000).toFixed(1);
  return { fact: `${count} pours meanwhile, everything back after ${seconds} s`, violations };
}

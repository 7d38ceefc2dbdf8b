import { parentPort } from 'node:worker_threads';
import { frameToRgba } from '../../tests/support/fixtures/camera-frames.ts';
import { prepareDecoder } from '../../tests/support/harness/scanner-decoder.ts';
import { type Contender, contenders } from './contenders.ts';
import { type Specimen, specimens } from './corpus.ts';
import type { Outcome, Task } from './pool.ts';

/** Milliseconds of this thread's processor time, which is the same on a busy computer. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function decode({ text, frame }: Specimen, names: readonly Contender[]) {
  const { width, height, ...drawn } = frame();
  const picture = { data: frameToRgba({ width, height, ...drawn }), width, height };
  const outcomes: Outcome[] = [];
  for (const contender of names) {
    const startedAt = processorMs();
    const answer = await contenders[contender](picture);
    outcomes.push({
      contender,
      ms: processorMs() - startedAt,
      read: answer !== null && answer === text,
      wrong: answer !== null && answer !== text,
    });
  }
  return outcomes;
}

await prepareDecoder();
// The first pictures compile the readers, so they are not counted.
const names = Object.keys(contenders) as Contender[];
for (const specimen of specimens('clean', 3)) await decode(specimen, names);

parentPort?.on('message', async ({ kind, perKind, index, by }: Task) => {
  const specimen = specimens(kind, perKind)[index];
  if (specimen) parentPort?.postMessage(await decode(specimen, by));
});

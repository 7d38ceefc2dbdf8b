import { expect, test } from 'vitest';
import { createCoalescedRunner, createPerUserQueue } from '../../../src/server/billing/per-user-queue.ts';

/** Runs that read `paid` when they begin, and end when `finish` is called for each, in order. */
function coalesced() {
  const state = { paid: 0 };
  const runs: { began: Promise<void>; begin(): void; ended: Promise<void>; finish(): void }[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const [began, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    runs.push({ began: began.promise, begin: began.resolve, ended: ended.promise, finish: ended.resolve });
  }
  let made = 0;
  const reconcile = createCoalescedRunner(async () => {
    const seen = state.paid;
    const run = runs[made];
    made += 1;
    run?.begin();
    await run?.ended;
    return seen;
  });
  return { state, runs, reconcile, made: () => made };
}

test('a call during a run gets the next run, which begins after the call', async () => {
  const { state, runs, reconcile } = coalesced();
  const before = reconcile('ada');
  await runs[0]?.began;
  state.paid = 1;
  const after = reconcile('ada');
  for (const { finish } of runs) finish();
  expect(await Promise.all([before, after])).toEqual([0, 1]);
});

test('twenty calls during a run share one more', async () => {
  const { runs, reconcile, made } = coalesced();
  const calls = [reconcile('ada')];
  await runs[0]?.began;
  calls.push(...Array.from({ length: 20 }, () => reconcile('ada')));
  for (const { finish } of runs) finish();
  await Promise.all(calls);
  expect(made()).toBe(2);
});

test('a run that failed is not shared with later calls', async () => {
  let failing = true;
  const reconcile = createCoalescedRunner(async () => {
    if (failing) throw new Error('Stripe is away');
    return 'done';
  });
  await expect(reconcile('ada')).rejects.toThrow('Stripe is away');
  failing = false;
  expect(await reconcile('ada')).toBe('done');
});

test('users do not wait for each other, and the depth counts what is queued or running', async () => {
  const depth = { pieces: 0 };
  const enqueue = createPerUserQueue(depth);
  const slow = Promise.withResolvers<void>();
  const [first, second] = [enqueue('ada', () => slow.promise), enqueue('ada', async () => undefined)];
  expect(depth.pieces).toBe(2);
  await enqueue('eve', async () => undefined);
  slow.resolve();
  await Promise.all([first, second]);
  await expect.poll(() => depth.pieces).toBe(0);
});

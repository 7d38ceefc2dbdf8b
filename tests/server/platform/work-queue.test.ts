import { expect, it } from 'vitest';
import { createWorkQueue } from '../../../src/server/platform/work-queue.ts';

/** Work that ends on request. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let started = false;
  const work = () => {
    started = true;
    return promise;
  };
  return { work, end: resolve, fail: reject, started: () => started };
}

/** Waits for everything that can proceed without outside events. */
const settled = () => new Promise((next) => setImmediate(next));

it('runs as many at once as allowed, the others in order, and continues after a failure', async () => {
  const inTurn = createWorkQueue(2, 10, 5);
  const jobs = [held(), held(), held(), held()];
  const results = Promise.allSettled(jobs.map(({ work }) => inTurn(work)));
  const running = async () => {
    await settled();
    return jobs.map(({ started }) => started());
  };
  expect(await running()).toEqual([true, true, false, false]);
  jobs[1]?.fail(new Error('no memory'));
  expect(await running()).toEqual([true, true, true, false]);
  jobs[0]?.end('first');
  expect(await running()).toEqual([true, true, true, true]);
  jobs[2]?.end('third');
  jobs[3]?.end('fourth');
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});

it('refuses at once when too many wait, and accepts work again when they are done', async () => {
  const inTurn = createWorkQueue(1, 1, 5);
  const [first, second] = [held(), held()];
  const running = [inTurn(first.work), inTurn(second.work)];
  await expect(inTurn(async () => 'third')).rejects.toMatchObject({
    code: 'TOO_MANY_ATTEMPTS',
    data: { retry_after_seconds: 5 },
  });
  expect(second.started()).toBe(false);
  first.end('first');
  second.end('second');
  expect(await Promise.all(running)).toEqual(['first', 'second']);
  expect(await inTurn(async () => 'later')).toBe('later');
});

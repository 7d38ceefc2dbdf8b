import { availableParallelism } from 'node:os';
import { beforeEach, expect, it, vi } from 'vitest';
import { createPasswordTurns, type PasswordTurns } from '../../../src/server/auth/password/password-turns.ts';

/** About 100 ms of one processor. */
const COST = { memoryCost: 160_000, timeCost: 1, parallelism: 1 };
const GAP_MS = 100 / Math.max(1, availableParallelism() - 1);

let turns: PasswordTurns;
let begun: string[];

beforeEach(() => {
  vi.useFakeTimers();
  turns = createPasswordTurns(COST);
  begun = [];
  return () => vi.useRealTimers();
});

const call = (clientIp: string) => turns.take(clientIp).then(() => void begun.push(clientIp));
const refused = { code: 'TOO_MANY_ATTEMPTS', data: { retry_after_seconds: 5 } };

it('starts calls in order, as fast as hashes are made, and the first at once', async () => {
  for (const clientIp of ['a', 'b', 'c']) void call(clientIp);
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(GAP_MS + 1);
  expect(begun).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(GAP_MS + 1);
  expect(begun).toEqual(['a', 'b', 'c']);
  await vi.advanceTimersByTimeAsync(5 * GAP_MS);
  void call('d');
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

it('refuses someone with twenty calls waiting, and nobody else', async () => {
  for (let nth = 0; nth < 21; nth++) void call('flood');
  await expect(call('flood')).rejects.toMatchObject(refused);
  const other = call('other');
  await vi.advanceTimersByTimeAsync(25 * GAP_MS);
  await other;
  expect(turns.waiting()).toBe(0);
});

it('refuses everyone while a hundred calls wait', async () => {
  for (let nth = 0; nth < 101; nth++) void call(`10.0.0.${nth}`);
  await expect(call('late')).rejects.toMatchObject(refused);
  await vi.advanceTimersByTimeAsync(GAP_MS + 1);
  void call('later');
  expect(turns.waiting()).toBe(100);
  await vi.runAllTimersAsync();
});

import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { onHashThread } from '../../../src/server/auth/password/hash-thread.ts';

const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

it('hashes and compares, several at once, and continues after an invalid hash', async () => {
  const [first, second] = await Promise.all(
    ['correct horse', 'battery staple'].map((password) => onHashThread({ password, cost })),
  );
  const stored = String(first);
  expect(stored).toMatch(/^\$argon2id\$/);
  expect(second).not.toBe(first);
  await expect(onHashThread({ password: 'correct horse', stored: 'none' })).rejects.toThrow();
  expect(await onHashThread({ password: 'correct horse', stored })).toBe(true);
  expect(await onHashThread({ password: 'correct horse ', stored })).toBe(false);
});

it.runIf(process.platform === 'linux')('the thread has a lower priority than the server', async () => {
  await onHashThread({ password: 'correct horse', cost });
  const niceOf = (thread: number | string) => {
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[16]);
  };
  expect(readdirSync('/proc/self/task').map(niceOf)).toContain(getPriority() + 10);
  // The first thread has the number of the process.
  expect(niceOf(process.pid)).toBe(getPriority());
});

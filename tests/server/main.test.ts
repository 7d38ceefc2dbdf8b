import { readdirSync } from 'node:fs';
import { validate, version } from 'uuid';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { random, startServer } from '../../src/server/main.ts';
import { dataFolder } from '../support/harness/installation.ts';

afterEach(() => vi.useRealTimers());

it('makes ids that ascend, within a millisecond and after the clock was set back', () => {
  vi.useFakeTimers();
  const clock = [1_000, 1_000, 1_000, 1_001, 900, 900, 1_002];
  const ids = Array.from({ length: 2_000 }, (_, index) => {
    vi.setSystemTime(Date.UTC(2026, 0) + (clock[index] ?? 1_002));
    return random.newId();
  });
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(ids).toEqual([...new Set(ids)].sort());
});

it('makes a secret of 32 bytes, each another one', () => {
  const secrets = Array.from({ length: 500 }, random.newSecret);
  expect(secrets.every((it) => Buffer.from(it, 'base64url').length === 32)).toBe(true);
  expect(new Set(secrets).size).toBe(500);
});

it('a start beside another process opens no database in its folder', async () => {
  const { path, remove } = dataFolder();
  const lock = lockDataDir(path);
  onTestFinished(() => {
    lock.release();
    remove();
  });
  const before = readdirSync(path);
  const env = readEnv({ DATA_DIR: path, PORT: '0', PUBLIC_URL: 'http://localhost' });
  await expect(startServer(env)).rejects.toThrow(/Another Cellar Door process .* is using/);
  expect(readdirSync(path)).toEqual(before);
});

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/server/config/config-error.ts';
import { ensurePrivateDir } from '../../../src/server/config/data-dir.ts';
import { lockDataDir } from '../../../src/server/config/data-dir-lock.ts';
import { generatedSecrets } from '../../../src/server/config/generated-secrets.ts';
import { openEmbedded } from '../../../src/server/db/client.ts';
import { makeDataFolder } from '../../support/harness/database.ts';
import { dataFolder } from '../../support/harness/installation.ts';

let parent: ReturnType<typeof dataFolder>;
let folder: string;
beforeEach(() => {
  parent = dataFolder();
  folder = join(parent.path, 'data');
});
afterEach(() => parent.remove());

const mode = (path: string) => statSync(path).mode & 0o777;
const createReadableByAll = () => {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
};

it('a new or existing data folder becomes private to its owner', async () => {
  lockDataDir(folder).release();
  expect(mode(folder)).toBe(0o700);
  chmodSync(folder, 0o755);
  lockDataDir(folder).release();
  expect(mode(folder)).toBe(0o700);
});

it('the folder of the embedded database becomes private to its owner', async () => {
  createReadableByAll();
  await makeDataFolder(folder);
  expect(mode(folder)).toBe(0o755);
  const database = await openEmbedded(folder);
  await database.close();
  expect(mode(folder)).toBe(0o700);
});

it('only the owner can read the generated secrets', () => {
  createReadableByAll();
  generatedSecrets(folder, () => 'x'.repeat(43));
  expect(mode(folder)).toBe(0o700);
  expect(mode(join(folder, 'secrets.json'))).toBe(0o600);
});

it('two first starts on one folder have the same secrets', () => {
  let other: unknown;
  const secrets = generatedSecrets(folder, () => {
    other ??= generatedSecrets(folder, () => 'y'.repeat(43));
    return 'x'.repeat(43);
  });
  expect(secrets).toEqual(other);
  expect(generatedSecrets(folder, () => 'z'.repeat(43))).toEqual(other);
});

it('a folder that all users can write to, such as /tmp, is refused and left unchanged', () => {
  mkdirSync(folder);
  chmodSync(folder, 0o1777);
  expect(() => ensurePrivateDir(folder)).toThrow(ConfigurationError);
  expect(() => lockDataDir(folder)).toThrow(/DATA_DIR/);
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  expect(existsSync(join(folder, 'server.lock'))).toBe(false);
});

it('a lock that is no longer one is named, and is whole again once deleted', () => {
  lockDataDir(folder).release();
  const lock = join(folder, 'server.lock');
  writeFileSync(lock, 'x'.repeat(4096));
  expect(() => lockDataDir(folder)).toThrow(`${lock} is damaged: delete it`);
  rmSync(lock);
  lockDataDir(folder).release();
});

it.each([
  { auth: 'x'.repeat(31), webhook: 'x'.repeat(16) },
  { auth: 'x'.repeat(32), webhook: 'x'.repeat(15) },
])('secrets that are cut short are damaged, and stay as they are', (secrets) => {
  ensurePrivateDir(folder);
  const text = JSON.stringify(secrets);
  writeFileSync(join(folder, 'secrets.json'), text);
  expect(() => generatedSecrets(folder, () => 'y'.repeat(43))).toThrow('is damaged; nothing was changed');
  expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toBe(text);
});

import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/server/config/config-error.ts';
import { ensurePrivateDir } from '../../../src/server/config/data-dir.ts';
import { lockDataDir } from '../../../src/server/config/data-dir-lock.ts';
import { generatedSecrets } from '../../../src/server/config/generated-secrets.ts';
import { openEmbedded } from '../../../src/server/db/client.ts';
import { dataFolder } from '../../support/harness/installation.ts';

let parent: ReturnType<typeof dataFolder>;
let folder: string;
beforeEach(() => {
  parent = dataFolder();
  folder = join(parent.path, 'data');
});
afterEach(() => parent.remove());

const mode = (path: string) => statSync(path).mode & 0o777;
const readableByAll = () => {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
};

it('a data folder is its owner’s alone, made now or there before', async () => {
  lockDataDir(folder).release();
  expect(mode(folder)).toBe(0o700);
  chmodSync(folder, 0o755);
  lockDataDir(folder).release();
  expect(mode(folder)).toBe(0o700);
});

it('so is the one of the embedded database', { timeout: 30_000 }, async () => {
  readableByAll();
  const database = await openEmbedded(folder);
  await database.close();
  expect(mode(folder)).toBe(0o700);
});

it('and the secrets in it are readable by the owner alone', () => {
  readableByAll();
  generatedSecrets(folder, () => 'x'.repeat(43));
  expect(mode(folder)).toBe(0o700);
  expect(mode(join(folder, 'secrets.json'))).toBe(0o600);
});

it('a folder that everybody writes to, as /tmp is, is refused and stays as it was', () => {
  mkdirSync(folder);
  chmodSync(folder, 0o1777);
  expect(() => ensurePrivateDir(folder)).toThrow(ConfigurationError);
  expect(() => lockDataDir(folder)).toThrow(/DATA_DIR/);
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  expect(existsSync(join(folder, 'server.lock'))).toBe(false);
});

import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupName } from '../../../../src/server/db/backup/backup-plan.ts';
import { openEmbedded } from '../../../../src/server/db/client.ts';
import { makeDataFolder } from '../../../support/harness/database.ts';
import { dataFolder } from '../../../support/harness/installation.ts';

let folder: ReturnType<typeof dataFolder>;
beforeEach(() => {
  folder = dataFolder();
});
afterEach(() => folder.remove());

const at = (...path: string[]) => join(folder.path, ...path);
const NEWEST = backupName(new Date('2026-11-22T05:00:00Z'));

function addBackups(where = at('backups')): void {
  mkdirSync(where, { recursive: true });
  for (const name of [backupName(new Date('2026-11-21T05:00:00Z')), NEWEST])
    writeFileSync(join(where, name), '');
}

async function refusal(options?: Parameters<typeof openEmbedded>[1]): Promise<string> {
  const error = await openEmbedded(folder.path, options).catch((caught: Error) => caught);
  expect(error).toMatchObject({ name: 'DataDamagedError' });
  return (error as Error).message;
}

it.each([
  ['PG_VERSION', (file: string) => rmSync(file)],
  ['global/pg_control', (file: string) => rmSync(file)],
  ['global/pg_control', (file: string) => truncateSync(file, 0)],
  ['base', (file: string) => rmSync(file, { recursive: true })],
  ['pg_wal', (file: string) => rmSync(file, { recursive: true })],
])(
  'a database whose %s is lost is refused with the command that restores the newest backup',
  async (part, lose) => {
    await makeDataFolder(folder.path);
    addBackups();
    lose(at('db', part));
    const before = readdirSync(at('db'));
    const message = await refusal();
    expect(message).toMatch(
      new RegExp(`is damaged: db/${part} is (missing|empty)\\. Nothing was changed\\.`),
    );
    expect(message).toContain(`cellar-door restore ${at('backups', NEWEST)} --replace`);
    expect(readdirSync(at('db'))).toEqual(before);
  },
);

it.each([
  ['the secret', () => writeFileSync(at('secrets.json'), '{}')],
  ['a mark of the disk', () => writeFileSync(at('db-on-disk'), '')],
  ['backups', () => addBackups()],
  ['copies of backups on another disk', () => addBackups(at('other'))],
])('a folder without its database is no new club beside %s', async (_, leave) => {
  leave();
  expect(await refusal({ backups: [at('backups'), at('other')] })).toMatch(
    /The database of this club is missing: .* cellar-door restore .*name an empty folder in DATA_DIR/,
  );
  expect(readdirSync(folder.path)).not.toContain('db');
});

it('a damaged file that only the engine notices is named as damage', async () => {
  await makeDataFolder(folder.path);
  writeFileSync(at('db', 'global', 'pg_control'), Buffer.alloc(8192, 7));
  expect(await refusal()).toMatch(
    /is damaged: its engine does not start.*cellar-door restore FILE --replace/,
  );
});

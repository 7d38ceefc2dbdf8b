import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupName } from '../../../../src/server/db/backup/backup-plan.ts';
import { inspectDatabase } from '../../../../src/server/db/backup/inspect.ts';
import { openEmbedded } from '../../../../src/server/db/client.ts';
import { rowsOf } from '../../../../src/server/db/results.ts';
import { club_picture } from '../../../../src/server/db/schema.ts';
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

const emptied = (file: string) => {
  rmSync(file, { recursive: true });
  mkdirSync(file);
};

it.each([
  ['PG_VERSION', (file: string) => rmSync(file)],
  ['global/pg_control', (file: string) => rmSync(file)],
  ['global/pg_control', (file: string) => truncateSync(file, 0)],
  ['base', (file: string) => rmSync(file, { recursive: true })],
  ['base', emptied],
  ['pg_wal', (file: string) => rmSync(file, { recursive: true })],
  ['pg_xact', (file: string) => rmSync(file, { recursive: true })],
  ['pg_multixact', (file: string) => rmSync(file, { recursive: true })],
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

it('a database of another engine is refused, and so is a file in place of its folder', async () => {
  await makeDataFolder(folder.path);
  writeFileSync(at('db', 'PG_VERSION'), '17\n');
  expect(await refusal()).toContain('PG_VERSION says "17", and the engine is 18');
  rmSync(at('db'), { recursive: true });
  writeFileSync(at('db'), '');
  expect(await refusal()).toContain('db is not a folder');
});

it('a damaged file that only the engine notices is named as damage', async () => {
  await makeDataFolder(folder.path);
  writeFileSync(at('db', 'global', 'pg_control'), Buffer.alloc(8192, 7));
  expect(await refusal()).toMatch(
    /is damaged: its engine does not start.*cellar-door restore FILE --replace/,
  );
});

const loseEmptyFolders = () => {
  for (const entry of readdirSync(at('db'), { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() && readdirSync(path).length === 0) rmSync(path, { recursive: true });
  }
};

it.each([
  ['a lock that a power cut left empty', () => writeFileSync(at('db', 'postmaster.pid'), '')],
  ['a lock that is cut', () => writeFileSync(at('db', 'postmaster.pid'), '\0\0\0')],
  [
    'the lock of a process that runs',
    () => writeFileSync(at('db', 'postmaster.pid'), `${process.ppid}\n/d\n`),
  ],
  ['a copy without its empty folders', loseEmptyFolders],
])('%s is no damage: the database opens, and is judged whole', async (_, lose) => {
  await makeDataFolder(folder.path);
  lose();
  const database = await openEmbedded(folder.path);
  await database.close();
  lose();
  expect((await inspectDatabase(at('db'))).rows).toHaveProperty('profiles');
});

it('damage to the pages of a long value, which lie beside those of its row, is found when a database is inspected', async () => {
  await makeDataFolder(folder.path);
  const { db, close } = await openEmbedded(folder.path);
  await db.insert(club_picture).values({ version: 'v1', content: randomBytes(20_000) });
  const [pages] = await rowsOf<{ file: string }>(
    db,
    sql`select pg_relation_filepath(reltoastrelid) as file from pg_class where relname = 'club_picture'`,
  );
  await close();
  expect((await inspectDatabase(at('db'))).rows).toMatchObject({ club_picture: 1 });
  const file = at('db', pages?.file ?? '');
  const bytes = readFileSync(file);
  bytes.fill(7, 4_000, 4_100);
  writeFileSync(file, bytes);
  await expect(inspectDatabase(at('db'))).rejects.toThrow('invalid page');
});

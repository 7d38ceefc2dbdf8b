import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { readEnv } from '../../../src/server/config/env.ts';
import { ownVersion } from '../../../src/server/config/version.ts';
import { dumpPostgres, updateBackup } from '../../../src/server/db/backup/update-backup.ts';
import { type EmbeddedDatabase, openEmbedded } from '../../../src/server/db/client.ts';
import { migrateDatabase, ownMigrations } from '../../../src/server/db/migrate.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { makeDataFolder } from '../../support/harness/database.ts';

const root = mkdtempSync(join(tmpdir(), 'cellar-door-update-'));
const dataDir = join(root, 'data');
const folder = join(root, 'backups');
let database: EmbeddedDatabase;
beforeAll(async () => {
  await makeDataFolder(dataDir);
});
beforeEach(async () => {
  database = await openEmbedded(dataDir);
  await database.db.execute(sql`comment on schema drizzle is '0.2.9'`);
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => rmSync(root, { recursive: true }));

/** Opens the database as a version with one more migration would. */
function update(statements: string[], backUp?: () => Promise<string>) {
  const later = { sql: statements, hash: statements.join(), folderMillis: 9e12, bps: true };
  const { db, engine } = database;
  return migrateDatabase(
    {
      db,
      transaction: (work) => db.transaction((tx) => work(tx, (script) => engine.exec(script))),
      location: 'The database',
      ...(backUp ? { backUp } : {}),
    },
    [...ownMigrations(), later],
  );
}

const isThere = async (table: string) =>
  (await rowsOf<{ it: boolean }>(database.db, sql`select to_regclass(${table}) is not null as it`))[0]?.it;
const openedBy = async () =>
  (
    await rowsOf<{ it: string }>(
      database.db,
      sql`select obj_description('drizzle'::regnamespace, 'pg_namespace') as it`,
    )
  )[0]?.it;

it('a backup is made before an update, named for it; one of an earlier try goes, every other stays', async () => {
  const env = readEnv({ DATA_DIR: dataDir, BACKUP_DIR: folder });
  let hour = 5;
  const backUp = () =>
    updateBackup(env, () => new Date(Date.UTC(2026, 10, 22, hour++)))?.(database.onlineCopy);
  const name = (at: string) => `cellar-door-2026-11-22T${at}0000Z-before-${ownVersion()}.tar.gz`;
  mkdirSync(folder);
  const others = ['Z.tar.gz', 'Z-before-0.2.9.tar.gz', `Z-before-${ownVersion()}0.tar.gz`]
    .map((end) => `cellar-door-2026-11-01T050000${end}`)
    .sort();
  for (const other of others) writeFileSync(join(folder, other), '');
  for (const at of ['05', '06']) {
    const seen: unknown[] = [];
    const statement = 'create table of_the_update (it integer)';
    await expect(
      update([statement, 'select no_such_column'], async () => {
        seen.push(await isThere('of_the_update'));
        return (await backUp()) ?? '';
      }),
    ).rejects.toThrow('no_such_column');
    expect(seen).toEqual([false]);
    expect(readdirSync(folder).sort()).toEqual([...others, name(at)]);
  }
});

it('BACKUP_BEFORE_UPDATE=false leaves the backup to the operator', () => {
  const env = { DATA_DIR: dataDir, BACKUP_DIR: folder };
  expect(updateBackup(readEnv({ ...env, BACKUP_BEFORE_UPDATE: 'false' }), () => new Date())).toBeNull();
  expect(updateBackup(readEnv(env), () => new Date())).not.toBeNull();
});

it('a start of the same version makes no backup, also when it applies functions anew', async () => {
  const { db, engine } = database;
  await db.execute(sql`update schema_functions set sha256 = 'of another text'`);
  let backups = 0;
  const backUp = async () => {
    backups += 1;
    return '';
  };
  await migrateDatabase({
    db,
    transaction: (work) => db.transaction((tx) => work(tx, (script) => engine.exec(script))),
    location: 'The database',
    backUp,
  });
  expect(backups).toBe(0);
  expect(await openedBy()).toBe(ownVersion());
});

it('an update that fails changes nothing, and says how to put the old release back', async () => {
  const { db } = database;
  await db.execute(sql`update schema_functions set sha256 = 'of the release before'`);
  const failing = update(['create table of_the_update (it integer)', 'alter table nothing add it integer']);
  await expect(failing).rejects.toThrow(
    `The update from 0.2.9 to ${ownVersion()} failed: relation "nothing" does not exist\n` +
      '  The data was not changed. To put the old release back, then start it:\n' +
      '  npm install -g ./cellar-door-0.2.9.tgz',
  );
  expect(await isThere('of_the_update')).toBe(false);
  expect(await openedBy()).toBe('0.2.9');
  const applied = await rowsOf(db, sql`select distinct sha256 from schema_functions`);
  expect(applied).toEqual([{ sha256: 'of the release before' }]);
});

it('no backup, no update', async () => {
  const refused = update(['create table of_the_update (it integer)'], () =>
    Promise.reject(new Error('The disk is full')),
  );
  await expect(refused).rejects.toThrow(/no backup could be made before it: The disk is full\n.*not changed/);
  expect(await isThere('of_the_update')).toBe(false);
});

it('an update that works is recorded, and the release before then refuses the database', async () => {
  await update(['create table of_the_update (it integer)'], async () => '');
  expect(await isThere('of_the_update')).toBe(true);
  expect(await openedBy()).toBe(ownVersion());
  await database.close();
  await expect(openEmbedded(dataDir)).rejects.toThrow('newer version');
  rmSync(dataDir, { recursive: true });
  await makeDataFolder(dataDir);
  database = await openEmbedded(dataDir);
});

it('without pg_dump, no dump is made, and the message says what to do', async () => {
  vi.stubEnv('PATH', root);
  const dump = dumpPostgres('postgres://club:secret@localhost/club', folder, 'club.dump');
  await expect(dump).rejects.toThrow(/^pg_dump is not installed\. Install .*BACKUP_BEFORE_UPDATE=false/);
  vi.unstubAllEnvs();
  expect(readdirSync(folder)).toEqual([]);
});

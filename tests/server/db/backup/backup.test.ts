import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBackups } from '../../../../src/server/db/backup/backups.ts';
import { restoreBackup } from '../../../../src/server/db/backup/restore-backup.ts';
import { takeBackup } from '../../../../src/server/db/backup/take-backup.ts';
import { type EmbeddedDatabase, openEmbedded } from '../../../../src/server/db/client.ts';
import { rowsOf } from '../../../../src/server/db/results.ts';
import { pour } from '../../../support/fixtures/members.ts';
import { type WholeMember, wholeMember } from '../../../support/fixtures/whole-member.ts';
import { createTestApp, type TestApp } from '../../../support/harness/app.ts';
import type { Caller } from '../../../support/harness/caller.ts';
import { makeDataFolder } from '../../../support/harness/database.ts';
import { dataFolder } from '../../../support/harness/installation.ts';
import { everyRow } from '../../../support/harness/rows.ts';

const NOW = new Date('2026-11-22T05:00:00Z');
const DAILY = 'cellar-door-2026-11-22T050000Z.tar.gz';
const plan = { copyFolder: null, withSecrets: false, hour: 5, keepDays: 14 };
const SECRETS = '{"auth":"of the first start"}';

const { path: root, remove } = dataFolder();
const dataDir = join(root, 'data');
const folder = join(root, 'backups');
let database: EmbeddedDatabase;
let app: TestApp;
let staff: Caller;
let member: WholeMember;
beforeAll(async () => {
  await makeDataFolder(dataDir);
  database = await openEmbedded(dataDir);
  app = await createTestApp({ database });
  staff = await app.staff();
  member = await wholeMember(app, staff, 'Ada');
  writeFileSync(join(dataDir, 'secrets.json'), SECRETS);
});
afterAll(async () => {
  await app.close();
  remove();
});

const take = (at = NOW) =>
  takeBackup({ dataDir, onlineCopy: database.onlineCopy, withSecrets: true }, folder, at);

/** The rows of a restored backup, table by table. */
async function restored(path: string, into: string) {
  await restoreOf(path, into);
  const copy = await openEmbedded(into);
  const rows = await everyRow(copy.db);
  await copy.close();
  return rows;
}

async function restoreOf(path: string, into: string, replace = false) {
  if (!existsSync(into)) makePrivate(into);
  return restoreBackup(path, into, { replace, now: NOW });
}

function makePrivate(path: string): void {
  mkdirSync(path, { mode: 0o700 });
}

describe('a backup of a running database', () => {
  it('has every row of every table while pours continue; only its owner can read it', async () => {
    const pours = async () => {
      for (let number = 0; number < 3; number++) await pour(staff, member.customer_id);
    };
    makePrivate(join(dataDir, 'sandbox'));
    writeFileSync(join(dataDir, 'sandbox/state'), 'of the demo');
    makePrivate(folder);
    // A power cut left the first; another process is making the second.
    const [old, recent] = ['20', '22'].map((day) => `.cellar-door-2026-11-${day}T040000Z.tar.gz.unfinished`);
    for (const name of [old, recent]) writeFileSync(join(folder, name ?? ''), '');
    const before = await everyRow(database.db);
    const [made] = await Promise.all([take(), pours()]);
    const after = await everyRow(database.db);
    expect(made).toMatchObject({ at: NOW, with_secrets: true, tables: before.size });
    expect(readdirSync(folder)).toEqual([recent, DAILY]);
    await expect(take()).rejects.toThrow('exists already');
    expect(statSync(made.path).mode & 0o777).toBe(0o600);

    const held = await restored(made.path, join(root, 'a'));
    expect([...held.keys()]).toEqual([...before.keys()]);
    for (const row of before.get('pours') ?? []) expect(held.get('pours')).toContain(row);
    const unchanged = [...before.keys()].filter((name) => `${before.get(name)}` === `${after.get(name)}`);
    expect(unchanged.length).toBeGreaterThan(25);
    for (const name of unchanged) expect(held.get(name), name).toEqual(before.get(name));
    expect(readFileSync(join(root, 'a/secrets.json'), 'utf8')).toBe(SECRETS);
    expect(readdirSync(join(root, 'a')).sort()).toEqual(['db', 'sandbox', 'secrets.json']);
    expect(readFileSync(join(root, 'a/sandbox/state'), 'utf8')).toBe('of the demo');
  });
});

describe('the backups of a server', () => {
  const into = join(root, 'daily');
  const copies = join(root, 'second');
  let hour = 0;
  const now = () => new Date(NOW.getTime() + hour * 3_600_000);
  let backups: ReturnType<typeof createBackups>;
  beforeAll(() => {
    const settings = { ...plan, dataDir, folder: into, copyFolder: copies, keepDays: 2 };
    backups = createBackups(database.onlineCopy, settings, { now });
  });

  it('are made once a day, without the server’s own secrets; old ones are deleted when the new one exists', async () => {
    makePrivate(into);
    const old = [1, 2, 3].map((day) => `cellar-door-2026-11-0${day}T050000Z.tar.gz`);
    for (const name of [...old, 'mine.txt']) writeFileSync(join(into, name), 'old');
    await expect(backups.makeIfDue('UTC')).rejects.toThrow('could not be copied into BACKUP_COPY_DIR');
    expect(readdirSync(into).sort()).toEqual([old[2], DAILY, 'mine.txt']);
    expect(backups.lastBackup()).toEqual({
      made_here: true,
      folder: into,
      daily: true,
      last: { file: DAILY, at: NOW, bytes: statSync(join(into, DAILY)).size },
      failed_at: null,
      copy: { folder: copies, failed_at: NOW },
      running: false,
    });
    expect(await backups.makeIfDue('UTC')).toBeNull();
  });

  it('are copied into a second folder, which is not created, and tried again an hour later', async () => {
    makePrivate(copies);
    const old = [1, 2, 3].map((day) => `cellar-door-2026-11-0${day}T050000Z.tar.gz`);
    for (const name of old) writeFileSync(join(copies, name), 'old');
    await backups.makeIfDue('UTC');
    expect(readdirSync(copies)).toEqual(old);
    hour = 1;
    expect(await backups.makeIfDue('UTC')).toBeNull();
    expect(readdirSync(copies)).toEqual([old[2], DAILY]);
    expect(readFileSync(join(copies, DAILY))).toEqual(readFileSync(join(into, DAILY)));
    expect(statSync(join(copies, DAILY)).mode & 0o777).toBe(0o600);
    expect(backups.lastBackup().copy).toEqual({ folder: copies, failed_at: null });
  });

  it('made in other folders take turns, are not copied, and delete nothing there', async () => {
    const elsewhere = join(root, 'elsewhere');
    makePrivate(elsewhere);
    const old = [1, 2, 3].map((day) => `cellar-door-2026-11-0${day}T050000Z.tar.gz`);
    for (const name of old) writeFileSync(join(elsewhere, name), 'old');
    rmSync(join(copies, DAILY));
    // The engine makes only one copy at a time.
    const making = [backups.make(elsewhere), backups.make(join(root, 'elsewhere-too'))];
    expect(backups.lastBackup().running).toBe(true);
    const [first] = await Promise.all(making);
    expect(backups.lastBackup().running).toBe(false);
    expect(readdirSync(elsewhere).sort()).toEqual([...old, basename(first?.path ?? '')]);
    expect(readdirSync(copies)).toEqual([old[2]]);
  });

  it('with 0 days are neither made nor copied', async () => {
    const none = { ...plan, dataDir, folder: into, copyFolder: join(root, 'no-such'), keepDays: 0 };
    const off = createBackups(database.onlineCopy, none, { now });
    expect(await off.makeIfDue('UTC')).toBeNull();
    expect(off.lastBackup()).toMatchObject({ daily: false, failed_at: null, copy: { failed_at: null } });
  });

  it('that cannot be restored are not kept, and this is reported', async () => {
    const damaged = join(root, 'damaged');
    await makeDataFolder(damaged);
    // The catalog of tables.
    const file = join(damaged, 'db/base/5/1259');
    const bytes = readFileSync(file);
    bytes.fill(7, 8_192, 8_300);
    writeFileSync(file, bytes);
    hour = 0;
    const nothing = {
      begin: async () => undefined,
      end: async () => ({ label: '', firstLog: '', lastLog: '' }),
    };
    const settings = { ...plan, dataDir: damaged, folder: join(root, 'none') };
    const failing = createBackups(nothing, settings, { now });
    await expect(failing.makeIfDue('UTC')).rejects.toThrow('could not be opened again, and was deleted');
    expect(readdirSync(join(root, 'none'))).toEqual([]);
    expect(statSync(join(root, 'none')).mode & 0o777).toBe(0o700);
    expect(failing.lastBackup()).toMatchObject({ last: null, failed_at: NOW, running: false });
    // The backup is tried again after an hour, not at every minute.
    rmSync(join(damaged, 'db'), { recursive: true });
    expect(await failing.makeIfDue('UTC')).toBeNull();
    hour = 1;
    await expect(failing.makeIfDue('UTC')).rejects.toThrow('ENOENT');
    expect(readdirSync(join(root, 'none'))).toEqual([]);
  });
});

describe('a restore', () => {
  const daily = join(root, 'daily', DAILY);

  it('touches no folder with data unless forced; old data is kept in a folder inside it, and a broken backup is not started', async () => {
    const into = join(root, 'a');
    await expect(restoreOf(daily, into)).rejects.toThrow('holds data already. Nothing was changed.');
    writeFileSync(join(into, 'restore-unfinished'), '');
    await expect(openEmbedded(into)).rejects.toThrow('did not finish. Run it again: cellar-door restore');
    makePrivate(join(into, 'restoring-cut'));
    const { before } = await restoreOf(daily, into, true);
    expect(before).toBe(join(into, 'before-restore-2026-11-22T050000Z'));
    expect(readdirSync(before ?? '')).toEqual(['db', 'sandbox']);
    expect(statSync(before ?? '').mode & 0o777).toBe(0o700);
    expect(existsSync(join(into, 'restoring-cut'))).toBe(false);
    // The backup has no secrets, so those in the folder are still right.
    expect(readFileSync(join(into, 'secrets.json'), 'utf8')).toBe(SECRETS);
    expect(existsSync(join(into, 'restore-unfinished'))).toBe(false);
  });

  it.each<[string, string, (path: string) => void, string]>([
    ['moves the old data away', 'before-restore-2026-11-22T050000Z', makePrivate, 'EEXIST'],
    // A link to nothing counts as no data, and a folder cannot replace it.
    ['moves the new data in', 'sandbox', (path) => symlinkSync('nothing', path), 'ENOTDIR'],
  ])('that stops while it %s lets no server start, and can be run again', async (_, name, block, error) => {
    const into = join(root, `stopped-${error}`);
    await restoreOf(daily, into);
    rmSync(join(into, 'sandbox'), { recursive: true });
    block(join(into, name));
    await expect(restoreOf(daily, into, true)).rejects.toThrow(error);
    await expect(openEmbedded(into)).rejects.toThrow('did not finish. Run it again: cellar-door restore');
    for (const left of [name, 'before-restore-2026-11-22T050000Z'])
      rmSync(join(into, left), { recursive: true, force: true });
    await restoreOf(daily, into, true);
    await (await openEmbedded(into)).close();
  });

  it('refuses a backup from before this version’s first migration, and changes nothing', async () => {
    const table = sql`drizzle.__drizzle_migrations`;
    const [own] = await rowsOf<{ hash: string }>(
      database.db,
      sql`select hash from ${table} order by id limit 1`,
    );
    const rename = (from: string, to: string) =>
      database.db.execute(sql`update ${table} set hash = ${to} where hash = ${from}`);
    await rename(own?.hash ?? '', 'of another baseline');
    const { path } = await take(new Date('2026-11-23T07:00:00Z'));
    await rename('of another baseline', own?.hash ?? '');
    const into = join(root, 'from-older');
    await expect(restoreOf(path, into)).rejects.toThrow(
      /^.*before 1\.0\.0.*nothing was changed.*Export.*start over.*$/,
    );
    expect(readdirSync(into)).toEqual([]);
  });

  it('refuses a backup of a newer version, and changes nothing', async () => {
    await database.db.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 9000000000000)`,
    );
    const { path } = await take(new Date('2026-11-23T05:00:00Z'));
    const into = join(root, 'from-newer');
    await expect(restoreOf(path, into)).rejects.toThrow(/newer than this one .*Nothing was changed/);
    expect(readdirSync(into)).toEqual([]);
  });
});

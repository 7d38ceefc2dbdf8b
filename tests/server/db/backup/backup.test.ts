import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBackups } from '../../../../src/server/db/backup/backups.ts';
import { restoreBackup } from '../../../../src/server/db/backup/restore-backup.ts';
import { takeBackup } from '../../../../src/server/db/backup/take-backup.ts';
import { type FolderDatabase, openEmbedded } from '../../../../src/server/db/client.ts';
import { pour } from '../../../support/fixtures/members.ts';
import { type WholeMember, wholeMember } from '../../../support/fixtures/whole-member.ts';
import { createTestApp, type TestApp } from '../../../support/harness/app.ts';
import type { Caller } from '../../../support/harness/caller.ts';
import { makeDataFolder } from '../../../support/harness/database.ts';
import { everyRow } from '../../../support/harness/rows.ts';

const NOW = new Date('2026-11-22T05:00:00Z');
const SECRETS = '{"auth":"of the first start"}';

const root = mkdtempSync(join(tmpdir(), 'cellar-door-backup-'));
const dataDir = join(root, 'data');
const folder = join(root, 'backups');
let database: FolderDatabase;
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
  rmSync(root, { recursive: true });
});

const take = (at = NOW, withSecrets = true) =>
  takeBackup({ dataDir, onlineCopy: database.onlineCopy, withSecrets }, folder, at);

/** What a restore of it holds, table by table. */
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
  it('holds every row of every table, the secrets, and nothing else; only its owner reads it', async () => {
    const before = await everyRow(database.db);
    const made = await take();
    expect(made).toMatchObject({ at: NOW, with_secrets: true, tables: before.size });
    expect(readdirSync(folder)).toEqual(['cellar-door-2026-11-22T050000Z.tar.gz']);
    expect(statSync(made.path).mode & 0o777).toBe(0o600);
    expect(await restored(made.path, join(root, 'a'))).toEqual(before);
    expect(readFileSync(join(root, 'a/secrets.json'), 'utf8')).toBe(SECRETS);
    expect(readdirSync(join(root, 'a')).sort()).toEqual(['db', 'secrets.json']);
  });

  it('lets pours go on, and holds all from before it began', async () => {
    const before = await everyRow(database.db);
    const pours = async () => {
      for (let number = 0; number < 5; number++) await pour(staff, member.customer_id);
    };
    const [made] = await Promise.all([take(new Date('2026-11-22T06:00:00Z'), false), pours()]);
    const held = await restored(made.path, join(root, 'b'));
    for (const row of before.get('pours') ?? []) expect(held.get('pours')).toContain(row);
    // Set by AUTH_SECRET: not in the backup.
    expect(existsSync(join(root, 'b/secrets.json'))).toBe(false);
  });
});

describe('a restore', () => {
  const newest = () => join(folder, readdirSync(folder).sort().at(-1) ?? '');

  it('touches no folder with data, unless it is told to; then the old data stays beside', async () => {
    const into = join(root, 'a');
    const old = readFileSync(join(into, 'secrets.json'), 'utf8');
    await expect(restoreOf(newest(), into)).rejects.toThrow('holds data already. Nothing was changed.');
    const { before } = await restoreOf(newest(), into, true);
    expect(before).toBe(join(into, 'before-restore-2026-11-22T050000Z'));
    expect(readdirSync(before ?? '')).toEqual(['db']);
    // The backup has none, so those of the folder are still the right ones.
    expect(readFileSync(join(into, 'secrets.json'), 'utf8')).toBe(old);
  });

  it('that broke off keeps the server from starting on nothing', async () => {
    const into = join(root, 'broken-off');
    makePrivate(into);
    writeFileSync(join(into, 'restore-unfinished'), '');
    await expect(openEmbedded(into)).rejects.toThrow('did not finish. Run it again: npm run restore');
    expect(existsSync(join(into, 'db'))).toBe(false);
    await restoreOf(newest(), into);
    expect(existsSync(join(into, 'restore-unfinished'))).toBe(false);
  });

  it('refuses a backup of a newer version, and changes nothing', async () => {
    const newer = join(root, 'newer');
    await makeDataFolder(newer);
    const client = await PGlite.create({ dataDir: join(newer, 'db') });
    await client.exec(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 9000000000000)`,
    );
    await client.close();
    const { path } = await takeBackup({ dataDir: newer, onlineCopy: null, withSecrets: false }, newer, NOW);
    const into = join(root, 'from-newer');
    await expect(restoreOf(path, into)).rejects.toThrow(/newer than this one .*Nothing was changed/);
    expect(readdirSync(into)).toEqual([]);
  });
});

describe('a backup that cannot be restored', () => {
  it('is not kept, and is known', async () => {
    const damaged = join(root, 'damaged');
    await makeDataFolder(damaged);
    // The catalog of tables.
    const file = join(damaged, 'db/base/5/1259');
    const bytes = readFileSync(file);
    bytes.fill(7, 8_192, 8_300);
    writeFileSync(file, bytes);
    let hour = 0;
    const now = () => new Date(NOW.getTime() + hour * 3_600_000);
    const nothing = {
      begin: async () => undefined,
      end: async () => ({ label: '', firstLog: '', lastLog: '' }),
    };
    const backups = createBackups(
      nothing,
      {
        dataDir: damaged,
        folder: join(root, 'none'),
        withSecrets: false,
        hour: 5,
        keepDays: 14,
        timeZone: 'UTC',
      },
      { now },
    );
    await expect(backups.makeIfDue()).rejects.toThrow('could not be opened again, and was deleted');
    expect(readdirSync(join(root, 'none'))).toEqual([]);
    expect(backups.lastBackup()).toMatchObject({ last: null, failed_at: NOW, running: false });
    // Not at every minute.
    expect(await backups.makeIfDue()).toBeNull();
    hour = 1;
    await expect(backups.makeIfDue()).rejects.toThrow('could not be opened again');
  });
});

describe('the backups of a server', () => {
  it('are made once a day; old ones go when the new one is there', async () => {
    const into = join(root, 'daily');
    makePrivate(into);
    const old = [1, 2, 3].map((day) => `cellar-door-2026-11-0${day}T050000Z.tar.gz`);
    for (const name of [...old, 'mine.txt']) writeFileSync(join(into, name), 'old');
    const backups = createBackups(
      database.onlineCopy,
      { dataDir, folder: into, withSecrets: false, hour: 5, keepDays: 2, timeZone: 'UTC' },
      { now: () => NOW },
    );
    const made = await backups.makeIfDue();
    expect(readdirSync(into).sort()).toEqual([old[2], 'cellar-door-2026-11-22T050000Z.tar.gz', 'mine.txt']);
    expect(backups.lastBackup()).toEqual({
      folder: into,
      daily: true,
      last: { file: 'cellar-door-2026-11-22T050000Z.tar.gz', at: NOW, bytes: made?.bytes },
      failed_at: null,
      running: false,
    });
    expect(await backups.makeIfDue()).toBeNull();
  });
});

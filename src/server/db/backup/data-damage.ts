import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listBackups } from './newest-backup.ts';
import { isRestoreUnfinished } from './restore-mark.ts';

/** What is missing or damaged in a data folder; the message names it and the way back. Nothing was changed. */
export class DataDamagedError extends Error {
  override name = 'DataDamagedError';
}

interface DataFolder {
  folder: string;
  /** Where its backups are. */
  backups: string[];
}

/** The embedded engine's major version of Postgres. */
export const ENGINE_POSTGRES = '18';

/** The major version of Postgres that made the database in a folder. */
export const postgresVersionOf = (db: string): string => readFileSync(join(db, 'PG_VERSION'), 'utf8').trim();

/** Files and folders without which the engine would begin an empty database, or not start. */
const FILES = ['PG_VERSION', 'global/pg_control'];
const FOLDERS = ['base', 'global', 'pg_wal', 'pg_xact', 'pg_multixact'];

/** How to get the data back, as a sentence: the command that restores the newest backup. */
function wayBack({ folder, backups }: DataFolder): string {
  const latest = backups
    .flatMap((it) => listBackups(it).map((name) => ({ name, path: resolve(it, name) })))
    .sort((a, b) => a.name.localeCompare(b.name))
    .at(-1);
  const replace = ['db', 'secrets.json', 'sandbox'].some((it) => existsSync(join(folder, it)));
  const command = (file: string) => `cellar-door restore ${file}${replace ? ' --replace' : ''}`;
  return latest
    ? `Put it back from your own copy, or restore the newest backup: ${command(latest.path)}`
    : `Put it back from your own copy, or restore a backup (there is none in ${backups.map((it) => resolve(it)).join(' or ')}): ${command('FILE')}`;
}

/** The database in a data folder cannot be opened. `problem`: what was seen, as the end of a sentence. */
export function damagedDatabase(at: DataFolder, problem: string, cause?: unknown): DataDamagedError {
  const text = `The database in ${resolve(at.folder)} is damaged: ${problem}. Nothing was changed. ${wayBack(at)}.`;
  return new DataDamagedError(text, { cause });
}

/**
 * Throws DataDamagedError if the data folder lacks what an embedded club needs, and for an unfinished restore: a start would
 * take the rest for a new installation. An empty folder without backups is a new one.
 */
export function assertDataWhole(at: DataFolder): void {
  const folder = resolve(at.folder);
  if (isRestoreUnfinished(folder)) {
    throw new DataDamagedError(
      `A restore into ${folder} did not finish. Run it again: cellar-door restore FILE --replace. ` +
        'What was there before is in it, in a folder that begins with before-restore.',
    );
  }
  const db = join(folder, 'db');
  if (!existsSync(db)) {
    const trace = traceOfClub(at);
    if (!trace) return;
    throw new DataDamagedError(
      `The database of this club is missing: there is no ${db}, but ${trace}. ${wayBack(at)}. ` +
        'If the club is on a Postgres server, set DATABASE_URL; for a new club, name an empty folder in DATA_DIR and none with backups.',
    );
  }
  const part = missingPart(db);
  if (part) throw damagedDatabase(at, part);
  const version = postgresVersionOf(db);
  if (version !== ENGINE_POSTGRES) {
    throw damagedDatabase(
      at,
      `PG_VERSION says "${version.slice(0, 20)}", and the engine is ${ENGINE_POSTGRES}`,
    );
  }
}

/** What shows that the folder had a database, as the end of a sentence; null if nothing does. */
function traceOfClub({ folder, backups }: DataFolder): string | null {
  for (const name of ['secrets.json', 'db-on-disk']) {
    if (existsSync(join(folder, name))) return `${name} of a club is there`;
  }
  const backupFolder = backups.find((it) => listBackups(it).length > 0);
  return backupFolder === undefined ? null : `backups are in ${resolve(backupFolder)}`;
}

function missingPart(db: string): string | null {
  if (!statSync(db).isDirectory()) return 'db is not a folder';
  for (const name of FILES) {
    const file = statSync(join(db, name), { throwIfNoEntry: false });
    if (!file?.isFile()) return `db/${name} is missing`;
    if (file.size === 0) return `db/${name} is empty`;
  }
  for (const name of FOLDERS) {
    if (!statSync(join(db, name), { throwIfNoEntry: false })?.isDirectory()) return `db/${name} is missing`;
  }
  return readdirSync(join(db, 'base')).length === 0 ? 'db/base is empty' : null;
}

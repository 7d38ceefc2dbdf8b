import { fileURLToPath } from 'node:url';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type { Logger } from 'pino';
import { ownVersion } from '../config/version.ts';
import { DrizzleQueryError, sql } from './orm.ts';
import { rowsOf } from './results.ts';
import { ensureMemberRole } from './row-security.ts';
import { applySqlFunctions, type RunScript, readSqlFunctions } from './sql-functions.ts';
import type { Db } from './transaction.ts';

/** What happens around an update; creating a new database is not one. */
export interface UpdateOptions {
  /** Makes the backup before an update, and returns its path; null if others make one. */
  backUp?: (() => Promise<string>) | null;
  log?: Pick<Logger, 'info'> | undefined;
}

export interface Driver extends UpdateOptions {
  db: Db;
  /** Runs work in one transaction; `run` takes scripts of many statements in it. */
  transaction(work: (tx: Db, run: RunScript) => Promise<void>): Promise<void>;
  /** The database's location, for a message to the operator. */
  location: string;
}

/** The database or backup is older than this version's first migration; the message says what the operator can do. */
export class DatabaseTooOldError extends Error {
  constructor(location: string) {
    super(
      `${location} was made by a version of Cellar Door before 1.0.0, which this one cannot read; nothing was changed. ` +
        'Export the members at /staff/members/import with the version that made it and import that file here, or start ' +
        'over with a new folder in DATA_DIR or a new database in DATABASE_URL.',
    );
    this.name = 'DatabaseTooOldError';
  }
}

const folder = fileURLToPath(new URL('./migrations', import.meta.url));
let files: MigrationMeta[] | undefined;

/** The migrations of this version, oldest first; the files of a running version do not change. */
export function ownMigrations(): MigrationMeta[] {
  files ??= readMigrationFiles({ migrationsFolder: folder });
  return files;
}

/** A newer version has changed the database; the message says what the operator can do. */
export class DatabaseTooNewError extends Error {
  constructor(location: string) {
    super(
      `${location} was made by a newer version of Cellar Door; this is ${ownVersion()}. Nothing was changed.\n` +
        '  Start the newer version again. To stay with this one, restore the backup from before the upgrade\n' +
        '  (docs/run/upgrade.md, "Upgrade and go back").',
    );
    this.name = 'DatabaseTooNewError';
  }
}

/** The database is as it was before the update; the message says why, and how to go back. */
class UpdateFailedError extends Error {
  constructor(from: string | null, problem: string, cause: unknown) {
    super(
      `The update${from ? ` from ${from}` : ''} to ${ownVersion()} failed: ${problem}\n` +
        '  The data was not changed. To put the old release back, then start it:\n' +
        `  npm install -g ./cellar-door-${from ?? 'OLD'}.tgz`,
      { cause },
    );
    this.name = 'UpdateFailedError';
  }
}

export interface StoredMigration {
  hash: string;
  /** When the migration was written, in milliseconds since 1970. */
  created_at: number;
}

/**
 * Brings a database to this version, all of it or nothing: tables by migrations, then SQL functions, then the rights of
 * members. Makes a backup first if a database in use lacks migrations. One process at a time. Throws DatabaseTooOldError
 * and DatabaseTooNewError before any change, UpdateFailedError, and DatabaseUserError.
 */
export async function migrateDatabase(driver: Driver, migrations = ownMigrations()): Promise<void> {
  const { stored, version } = await stateOf(driver.db);
  const age = ageOf(stored, migrations);
  if (age === 'older') throw new DatabaseTooOldError(driver.location);
  if (age === 'newer') throw new DatabaseTooNewError(driver.location);
  const hashes = new Set(stored.map(({ hash }) => hash));
  const migrationsDue = migrations.filter(({ hash }) => !hashes.has(hash));
  const bring = () =>
    driver.transaction(async (tx, run) => {
      await applyMigrations(tx, run, migrationsDue);
      await applySqlFunctions(tx, run, readSqlFunctions());
      await ensureMemberRole(tx);
      if (version !== ownVersion()) await recordVersion(tx);
    });
  if (stored.length === 0 || migrationsDue.length === 0) await bring();
  else await update(driver, version, bring);
}

async function update(
  { backUp, log }: UpdateOptions,
  from: string | null,
  apply: () => Promise<void>,
): Promise<void> {
  const to = ownVersion();
  log?.info({ from, to }, 'updating the database');
  const failed = (problem: string) => (error: unknown) => {
    throw new UpdateFailedError(from, problem + reasonOf(error), error);
  };
  const backup = (await backUp?.().catch(failed('no backup could be made before it: '))) ?? null;
  await apply().catch(failed(''));
  log?.info({ from, to, backup }, 'the database is updated');
}

/** The database's own message: drizzle's repeats the statement. */
function reasonOf(error: unknown): string {
  const reason = error instanceof DrizzleQueryError ? (error.cause ?? error) : error;
  return reason instanceof Error ? reason.message : String(reason);
}

async function applyMigrations(tx: Db, run: RunScript, migrations: MigrationMeta[]): Promise<void> {
  if (migrations.length === 0) return;
  // Names and columns as in drizzle's own migrator.
  await tx.execute(sql`create schema if not exists drizzle`);
  await tx.execute(
    sql`create table if not exists drizzle.__drizzle_migrations
          (id serial primary key, hash text not null, created_at bigint)`,
  );
  for (const migration of migrations) {
    await run(migration.sql.join(';\n'));
    await tx.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at)
            values (${migration.hash}, ${migration.folderMillis})`,
    );
  }
}

/** The version that last opened the database, so that a failed update can name the release to go back to. */
const recordVersion = (tx: Db) => tx.execute(sql.raw(`comment on schema drizzle is '${ownVersion()}'`));

async function stateOf(db: Db): Promise<{ stored: StoredMigration[]; version: string | null }> {
  const [state] = await rowsOf<{ made: boolean; version: string | null }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as made,
               obj_description(to_regnamespace('drizzle')::oid, 'pg_namespace') as version`,
  );
  if (!state?.made) return { stored: [], version: null };
  const rows = await rowsOf<StoredMigration>(
    db,
    sql`select hash, created_at::float8 as created_at from drizzle.__drizzle_migrations order by created_at, id`,
  );
  return { stored: rows, version: state.version };
}

/**
 * The state of a database with these migrations, in order. 'older': its first one is not ours. 'newer': it has one unknown
 * to this code. 'readable': it lacks some of ours. 'current': it lacks none.
 */
export function ageOf(
  migrations: StoredMigration[],
  ofVersion = ownMigrations(),
): 'older' | 'newer' | 'readable' | 'current' {
  const ownHashes = ofVersion.map(({ hash }) => hash);
  const [first] = migrations;
  if (first && first.hash !== ownHashes[0]) return 'older';
  const hashes = migrations.map(({ hash }) => hash);
  if (!hashes.every((hash) => ownHashes.includes(hash))) return 'newer';
  return ownHashes.every((hash) => hashes.includes(hash)) ? 'current' : 'readable';
}

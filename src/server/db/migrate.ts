import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { type MigrationConfig, readMigrationFiles } from 'drizzle-orm/migrator';
import { ownVersion } from '../config/version.ts';
import { rowsOf } from './results.ts';
import { ensureMemberRole } from './row-security.ts';
import { applySqlFunctions, type RunScript, readSqlFunctions } from './sql-functions.ts';
import type { Db } from './transaction.ts';

export interface Driver {
  db: Db;
  /** Drizzle's own migrator for this driver. */
  migrate(config: MigrationConfig): Promise<unknown>;
  run: RunScript;
  /** The database's location, for a message to the operator. */
  location: string;
}

/** The database or backup is older than this version's first migration; the message says what the operator can do. */
export class DatabaseTooOldError extends Error {
  constructor(location: string) {
    super(
      `${location} was made by a version of Cellar Door before 0.3.0, which this one cannot read; nothing was changed. ` +
        'Export the members at /staff/members/import with the version that made it and import that file here, or start ' +
        'over with a new folder in DATA_DIR or a new database in DATABASE_URL.',
    );
    this.name = 'DatabaseTooOldError';
  }
}

export const MIGRATIONS: MigrationConfig = {
  migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)),
};

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

export interface StoredMigration {
  hash: string;
  /** When the migration was written, in milliseconds since 1970. */
  created_at: number;
}

/**
 * Brings a database to this version: tables by migrations, then SQL functions, then the rights of members. One process at a
 * time. Throws DatabaseTooOldError and DatabaseTooNewError before any change, and DatabaseUserError.
 */
export async function migrateDatabase({ db, migrate, run, location }: Driver): Promise<void> {
  const age = ageOf(await storedMigrations(db));
  if (age === 'older') throw new DatabaseTooOldError(location);
  if (age === 'newer') throw new DatabaseTooNewError(location);
  if (age !== 'current') await migrate(MIGRATIONS);
  await applySqlFunctions(db, run, readSqlFunctions());
  await ensureMemberRole(db);
}

async function storedMigrations(db: Db): Promise<StoredMigration[]> {
  const [made] = await rowsOf<{ made: boolean }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as made`,
  );
  if (!made?.made) return [];
  return rowsOf(
    db,
    sql`select hash, created_at::float8 as created_at from drizzle.__drizzle_migrations order by created_at, id`,
  );
}

/**
 * The state of a database with these migrations, in order. 'older': its first one is not ours. 'newer': it has one unknown
 * to this code. 'readable': it lacks some of ours. 'current': it lacks none.
 */
export function ageOf(migrations: StoredMigration[]): 'older' | 'newer' | 'readable' | 'current' {
  const own = readMigrationFiles(MIGRATIONS).map(({ hash }) => hash);
  const [first] = migrations;
  if (first && first.hash !== own[0]) return 'older';
  const had = migrations.map(({ hash }) => hash);
  if (!had.every((hash) => own.includes(hash))) return 'newer';
  return own.every((hash) => had.includes(hash)) ? 'current' : 'readable';
}

import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { type MigrationConfig, readMigrationFiles } from 'drizzle-orm/migrator';
import { rowsOf } from './results.ts';
import { ensureMemberRole } from './row-security.ts';
import { applySqlFunctions, type RunScript, readSqlFunctions } from './sql-functions.ts';
import type { Db } from './transaction.ts';

/** What differs between the drivers. */
export interface Driver {
  db: Db;
  /** Drizzle's own migrator for this driver. */
  migrate(config: MigrationConfig): Promise<unknown>;
  run: RunScript;
  /** Where the database is, for a message to the operator. */
  location: string;
}

/** The database was made before the first migration of this version; the message says what the operator can do. */
export class DatabaseTooOldError extends Error {
  constructor(location: string) {
    super(
      `${location} was made by a version of Cellar Door before 0.2.0, which this version cannot read. ` +
        'Nothing was changed.\n' +
        '  To start over, name a new folder in DATA_DIR or a new database in DATABASE_URL, or move the old one away.\n' +
        '  To keep its data, start the version that made it: each user can download their own data there, and\n' +
        '  pg_dump exports a database on a Postgres server.',
    );
    this.name = 'DatabaseTooOldError';
  }
}

export const MIGRATIONS: MigrationConfig = {
  migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)),
};

/**
 * Brings a database to this version: tables by migrations, then SQL functions, then the rights of members. One process
 * at a time. Throws DatabaseTooOldError before anything is changed, and DatabaseUserError.
 */
export async function migrateDatabase({ db, migrate, run, location }: Driver): Promise<void> {
  if (await isTooOld(db)) throw new DatabaseTooOldError(location);
  await migrate(MIGRATIONS);
  await applySqlFunctions(db, run, readSqlFunctions());
  await ensureMemberRole(db);
}

/** Whether the first migration of the database is another one than ours. False for an empty database. */
async function isTooOld(db: Db): Promise<boolean> {
  const [made] = await rowsOf<{ made: boolean }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as made`,
  );
  if (!made?.made) return false;
  const [first] = await rowsOf<{ hash: string }>(
    db,
    sql`select hash from drizzle.__drizzle_migrations order by created_at, id limit 1`,
  );
  return first !== undefined && first.hash !== readMigrationFiles(MIGRATIONS)[0]?.hash;
}

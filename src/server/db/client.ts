import { join, resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import { Pool } from 'pg';
import { ensurePrivateDir } from '../config/data-dir.ts';
import type { StripeMode } from '../config/stripe-mode.ts';
import { assertRestoreFinished } from './backup/restore-mark.ts';
import { forgetSynced, START_PARAMS, storageOptions, syncOnce } from './embedded/disk.ts';
import { EmbeddedClient } from './embedded/embedded-client.ts';
import { copyEmpty, type EmptyDatabase } from './embedded/empty-database.ts';
import { openEngine } from './embedded/engine.ts';
import { type OnlineCopy, onlineCopyOf } from './embedded/online-copy.ts';
import { type Listener, type ListenHandlers, listenPostgres } from './listen.ts';
import { migrateDatabase } from './migrate.ts';
import { openPool, POOL_LIMITS, type PoolLimits } from './pool.ts';
import type { ReadLagging } from './replica.ts';
import * as schema from './schema.ts';
import type { StatementWatch } from './statement-watch.ts';
import type { Db, Tx } from './transaction.ts';

export type { Db, Tx };

export interface OpenDatabase {
  db: Db;
  kind: 'embedded' | 'postgres';
  /** The pool's connections; null for the embedded database, which has no pool. */
  connections(): PoolState | null;
  /** Receives a channel's notifications, from any process on the same database. */
  listen(channel: string, heard: ListenHandlers): Promise<Listener>;
  /** Notifies a channel's listeners in other processes. The embedded database has none. */
  notify(channel: string, payloads: string[]): Promise<unknown>;
  /** Reads that may be a few seconds old, from a replica if there is one. */
  readLagging: ReadLagging;
  close(): Promise<void>;
}

export interface PoolState {
  total: number;
  idle: number;
  waiting: number;
}

export interface EmbeddedDatabase extends OpenDatabase {
  /** A copy of its files, from which a new database can start. */
  archive(): Promise<Blob>;
  /** The engine, for moving the database elsewhere. */
  engine: PGlite;
  /** For copying the files while it runs. */
  onlineCopy: OnlineCopy;
}

export interface OpenOptions {
  /** The mode in which this process writes ids from Stripe; without it, none into a database that has a mode. */
  stripeMode?: StripeMode;
  watch?: StatementWatch | undefined;
  /** Embedded database only: a transaction returns once it is on disk. */
  waitForDisk?: boolean;
  /** The database that a new embedded one is copied from; without it, the migrations create it. */
  emptyDatabase?: EmptyDatabase | null | undefined;
}

const MODE_SETTING = 'cellar_door.stripe_mode';

/** Any number not used elsewhere on the server: one process migrates, the others wait. */
const MIGRATION_LOCK = 4_137_001;

/**
 * Opens the embedded database in `db` under a folder, both created if absent, and migrates it. With `emptyDatabase`, a new
 * one starts as its copy, without migrations. Only for the process that holds the folder's lock. Throws
 * DatabaseTooOldError, DatabaseTooNewError, and ConfigurationError if a restore did not finish.
 */
export async function openEmbedded(
  folder: string,
  { emptyDatabase, stripeMode, watch, waitForDisk = false }: OpenOptions = {},
): Promise<EmbeddedDatabase> {
  ensurePrivateDir(folder);
  assertRestoreFinished(folder);
  const dataDir = join(folder, 'db');
  const isCopy = emptyDatabase ? copyEmpty(emptyDatabase, dataDir) : false;
  if (!waitForDisk) forgetSynced(folder);
  const client = await openEngine(storageOptions(dataDir, waitForDisk));
  const database = isCopy
    ? embedded(client, watch)
    : await migrated(client, `The database in ${resolve(folder)}`, watch);
  if (waitForDisk) syncOnce(folder, dataDir);
  if (stripeMode) await client.exec(`set ${MODE_SETTING} to '${stripeMode}'`);
  return database;
}

/**
 * Opens an embedded database in memory and migrates it. With a template, the archive of a database that was closed
 * cleanly, it starts as its copy. Throws DatabaseTooOldError.
 */
export async function openInMemory(template?: Blob, watch?: StatementWatch): Promise<EmbeddedDatabase> {
  const client = await openEngine({
    startParams: START_PARAMS,
    ...(template ? { loadDataDir: template } : {}),
  });
  return migrated(client, 'The embedded database', watch);
}

async function migrated(client: PGlite, location: string, watch?: StatementWatch): Promise<EmbeddedDatabase> {
  const database = embedded(client, watch);
  const { db } = database;
  try {
    await migrateDatabase({
      db,
      migrate: (config) => migratePglite(db, config),
      run: (script) => client.exec(script),
      location,
    });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  return database;
}

function embedded(client: PGlite, watch?: StatementWatch) {
  const queries = new EmbeddedClient(client, watch);
  const db = drizzlePglite({ client: queries as Pick<PGlite, never> as PGlite, schema });
  return {
    db,
    kind: 'embedded' as const,
    readLagging: (work) => work(db),
    connections: () => null,
    notify: async () => undefined,
    engine: client,
    onlineCopy: onlineCopyOf(client, (work) => queries.exclusive(work)),
    listen: async (channel, heard) => {
      const unlisten = await queries.exclusive(() =>
        client.listen(channel, (payload) => heard.message(payload)),
      );
      return { close: () => (client.closed ? Promise.resolve() : queries.exclusive(() => unlisten())) };
    },
    close: () => (client.closed ? Promise.resolve() : queries.exclusive(() => client.close())),
    archive: () => queries.exclusive(() => client.dumpDataDir('none')),
  } satisfies EmbeddedDatabase;
}

/**
 * Opens a database on a Postgres server by URL and migrates it. Throws when it cannot be reached, and
 * DatabaseTooOldError, DatabaseTooNewError or DatabaseUserError.
 */
export async function openPostgres(
  url: string,
  { limits, stripeMode, watch }: OpenOptions & { limits?: PoolLimits | undefined } = {},
): Promise<OpenDatabase> {
  await prepare(url);
  const { pool, close } = openPool(stripeMode ? inMode(url, stripeMode) : url, limits, watch);
  const db: Db = drizzlePostgres({ client: pool, schema });
  const notify = (channel: string, payloads: string[]) =>
    db.execute(
      sql`select pg_notify(${channel}, payload)
            from jsonb_array_elements_text(${JSON.stringify(payloads)}::jsonb) as payload`,
    );
  return {
    db,
    kind: 'postgres',
    notify,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    readLagging: (work) => work(db),
    listen: (channel, heard) => listenPostgres(url, channel, heard, (payload) => notify(channel, [payload])),
    close,
  };
}

/**
 * Adds the mode to the URL, so that its connections say it from their beginning: in a setting of ours, and in the name of
 * the application, which is all that a pooler in transaction mode passes on with each transaction.
 */
function inMode(url: string, mode: StripeMode): string {
  const changed = new URL(url);
  const options = changed.searchParams.get('options');
  changed.searchParams.set('options', `${options ? `${options} ` : ''}-c ${MODE_SETTING}=${mode}`);
  changed.searchParams.set('application_name', `cellar-door ${mode}`);
  return changed.href;
}

/**
 * Migrations use their own connections: a migration, and waiting for another process's, may take longer than any call. The
 * lock is a transaction's, because a pooler in transaction mode would leave a session's lock to the next client.
 */
async function prepare(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 2, connectionTimeoutMillis: POOL_LIMITS.connect });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    const lock = await pool.connect();
    try {
      await lock.query('begin');
      // Limits of the database user, as set behind a pooler, are meant for calls.
      await lock.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
      await lock.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      const db = drizzlePostgres({ client: pool, schema });
      await migrateDatabase({
        db,
        migrate: (config) => migratePostgres(db, config),
        run: (script) => pool.query(script),
        location: 'The database in DATABASE_URL',
      });
    } finally {
      await lock.query('commit').catch(() => undefined);
      lock.release();
    }
  } finally {
    await pool.end().catch(() => undefined);
  }
}

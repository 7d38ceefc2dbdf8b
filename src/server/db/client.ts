import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { Client } from 'pg';
import { ensurePrivateDir } from '../config/data-dir.ts';
import type { StripeMode } from '../config/stripe-mode.ts';
import { assertDataWhole, damagedDatabase } from './backup/data-damage.ts';
import { hasNoRoom, isDiskFull } from './disk-full.ts';
import { tidyDataFiles } from './embedded/data-files.ts';
import { forgetSynced, START_PARAMS, storageOptions, syncOnce } from './embedded/disk.ts';
import { EmbeddedClient } from './embedded/embedded-client.ts';
import { copyEmpty, type EmptyDatabase, type EngineFiles, unpackEngine } from './embedded/empty-database.ts';
import { openEngine } from './embedded/engine.ts';
import { type OnlineCopy, onlineCopyOf } from './embedded/online-copy.ts';
import { type Listener, type ListenHandlers, listenPostgres } from './listen.ts';
import { migrateDatabase, type UpdateOptions } from './migrate.ts';
import { sql } from './orm.ts';
import { openPool, POOL_LIMITS, type PoolLimits } from './pool.ts';
import type { ReadLagging } from './replica.ts';
import { DatabaseUserError } from './row-security.ts';
import * as schema from './schema.ts';
import type { StatementWatch } from './statement-watch.ts';
import type { Db, Tx } from './transaction.ts';
import { assertUsablePostgres, DatabaseUnusableError } from './usable-postgres.ts';

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
  stripeMode?: StripeMode | null;
  watch?: StatementWatch | undefined;
  /** Embedded database only: a transaction returns once it is on disk. */
  waitForDisk?: boolean;
  /** Embedded database only: the folders of its backups, to name the way back; by default `backups` in its folder. */
  backups?: string[];
  /** Embedded database only: a missing one is made again, as the demo's. */
  renewable?: boolean;
  /** What a new embedded database starts from; without it, the engine and the migrations create all of it. */
  startsFrom?: EmptyDatabase | EngineFiles | null | undefined;
  /** Makes the backup before an update, and returns its path; absent or null, none is made. */
  backUp?: BackUpBefore | null;
  /** Logs the beginning and end of an update. */
  log?: UpdateOptions['log'];
}

/**
 * Makes the backup before an update, and returns its path. Gets the copy of the open database, or null for one on a Postgres
 * server.
 */
export type BackUpBefore = (onlineCopy: OnlineCopy | null) => Promise<string>;

const MODE_SETTING = 'cellar_door.stripe_mode';

/** Any number not used elsewhere on the server: one process migrates, the others wait. */
const MIGRATION_LOCK = 4_137_001;

/**
 * Opens the embedded database in `db` under a folder, both created if absent, and migrates it; a copy of an empty database
 * needs no migrations. Only for the process that holds the folder's lock. Throws DatabaseTooOldError, DatabaseTooNewError,
 * UpdateFailedError, and DataDamagedError.
 */
export async function openEmbedded(
  folder: string,
  {
    startsFrom,
    stripeMode,
    waitForDisk = false,
    backups = [join(folder, 'backups')],
    renewable = false,
    ...options
  }: OpenOptions = {},
): Promise<EmbeddedDatabase> {
  ensurePrivateDir(folder);
  const at = { folder, backups };
  const dataDir = join(folder, 'db');
  if (existsSync(dataDir) || !renewable) assertDataWhole(at);
  const isCopy = startsFrom && 'sum' in startsFrom ? copyEmpty(startsFrom, dataDir) : false;
  if (startsFrom && 'unpack' in startsFrom) await unpackEngine(startsFrom, dataDir);
  if (!waitForDisk) forgetSynced(folder);
  tidyDataFiles(dataDir);
  const client = await openEngine(storageOptions(dataDir, waitForDisk)).catch((error: unknown) => {
    if (isDiskFull(error)) throw error;
    if (hasNoRoom(folder)) throw Object.assign(new Error('no room'), { code: 'ENOSPC', cause: error });
    throw damagedDatabase(at, 'its engine does not start', error);
  });
  const database = isCopy
    ? embedded(client, options.watch)
    : await migrated(client, `The database in ${resolve(folder)}`, options);
  if (waitForDisk) syncOnce(folder, dataDir);
  if (stripeMode) await client.exec(`set ${MODE_SETTING} to '${stripeMode}'`);
  return database;
}

/**
 * Opens an embedded database in memory and migrates it. With a template, the archive of a database that was closed cleanly,
 * it starts as its copy. Throws DatabaseTooOldError or DatabaseTooNewError.
 */
export async function openInMemory(template?: Blob, watch?: StatementWatch): Promise<EmbeddedDatabase> {
  const client = await openEngine({
    startParams: START_PARAMS,
    ...(template ? { loadDataDir: template } : {}),
  });
  return migrated(client, 'The embedded database', { watch });
}

async function migrated(
  client: PGlite,
  location: string,
  { watch, backUp, log }: OpenOptions,
): Promise<EmbeddedDatabase> {
  const database = embedded(client, watch);
  const { db, onlineCopy } = database;
  try {
    await migrateDatabase({
      db,
      // The engine has one session: its scripts run in the transaction that is open.
      transaction: (work) => db.transaction((tx) => work(tx, (script) => client.exec(script))),
      location,
      backUp: backUp ? () => backUp(onlineCopy) : null,
      log,
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
    listen: async (channel, handlers) => {
      const unlisten = await queries.exclusive(() =>
        client.listen(channel, (payload) => handlers.message(payload)),
      );
      return { close: () => (client.closed ? Promise.resolve() : queries.exclusive(() => unlisten())) };
    },
    close: () => (client.closed ? Promise.resolve() : queries.exclusive(() => client.close())),
    archive: () => queries.exclusive(() => client.dumpDataDir('none')),
  } satisfies EmbeddedDatabase;
}

/**
 * Opens a database on a Postgres server by URL and migrates it. Throws when it cannot be reached, and
 * DatabaseTooOldError, DatabaseTooNewError, UpdateFailedError, DatabaseUserError or DatabaseUnusableError.
 */
export async function openPostgres(
  url: string,
  { limits, stripeMode, watch, ...options }: OpenOptions & { limits?: PoolLimits | undefined } = {},
): Promise<OpenDatabase> {
  await prepare(url, options);
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
    listen: (channel, handlers) =>
      listenPostgres(url, channel, handlers, (payload) => notify(channel, [payload])),
    close,
  };
}

/**
 * Adds the mode to the URL, so that its connections say it from their beginning: in a setting of ours, and in the name of
 * the application, which is all that a pooler in transaction mode passes on with each transaction.
 */
function inMode(url: string, mode: StripeMode): string {
  const modeUrl = new URL(url);
  const options = modeUrl.searchParams.get('options');
  modeUrl.searchParams.set('options', `${options ? `${options} ` : ''}-c ${MODE_SETTING}=${mode}`);
  modeUrl.searchParams.set('application_name', `cellar-door ${mode}`);
  return modeUrl.href;
}

/** A Postgres server that accepts no connection. The message, one line without the URL's password, says what to look at. */
class DatabaseUnreachableError extends Error {
  constructor(url: string, cause: Error) {
    super(
      `The database of DATABASE_URL, at ${new URL(url).host || 'its socket'}, accepts no connection: ${cause.message}. Nothing was changed. See that it runs and that name, user and password are right, then start again.`,
      { cause },
    );
    this.name = 'DatabaseUnreachableError';
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** A missing right, in words; null for any other error. */
function lacksRight(error: unknown): DatabaseUnusableError | null {
  const { code, message } = ((error as Error).cause ?? error) as { code?: string; message?: string };
  if (code !== INSUFFICIENT_PRIVILEGE || error instanceof DatabaseUserError) return null;
  return new DatabaseUnusableError(
    `The database's user lacks a right (${message}). Nothing was changed. Connect as the owner of the database in DATABASE_URL.`,
    { cause: error },
  );
}

/**
 * Migrates on a connection of its own: a migration, and waiting for another process's, may take longer than any call. The
 * lock is the migration's own transaction's, because a pooler in transaction mode would leave a session's lock to the next
 * client.
 */
async function prepare(url: string, { backUp, log }: OpenOptions): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: POOL_LIMITS.connect });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new DatabaseUnreachableError(url, error as Error);
  }
  try {
    await assertUsablePostgres(client);
    await client.query('begin');
    // Limits of the database user, as set behind a pooler, are meant for calls.
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const db = drizzlePostgres({ client, schema });
    await migrateDatabase({
      db,
      transaction: (work) => work(db, (script) => client.query(script)),
      location: 'The database in DATABASE_URL',
      backUp: backUp ? () => backUp(null) : null,
      log,
    });
    await client.query('commit');
  } catch (error) {
    throw lacksRight(error) ?? error;
  } finally {
    // Rolls back what is not committed.
    await client.end().catch(() => undefined);
  }
}

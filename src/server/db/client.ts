import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import { Pool } from 'pg';
import { ensurePrivateDir } from '../config/data-dir.ts';
import { type Listener, type ListenHandlers, listenPostgres } from './listen.ts';
import { ensureMemberRole } from './row-security.ts';
import * as schema from './schema.ts';
import type { Db, Tx } from './transaction.ts';

export type { Db, Tx };

export interface OpenDatabase {
  db: Db;
  kind: 'embedded' | 'postgres';
  /** Hears what is notified on a channel, by this process or another one on the same database. */
  listen(channel: string, heard: ListenHandlers): Promise<Listener>;
  close(): Promise<void>;
}

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** Any number, so long as nothing else on the server uses it: one process migrates, the others wait. */
const MIGRATION_LOCK = 4_137_001;

/**
 * Opens the embedded database in a folder (created when absent), or in memory, and migrates it.
 * A template is the archive of a database that was closed cleanly; a new one then starts as its copy.
 */
export async function openEmbedded(
  folder: string | 'memory',
  template?: Blob,
): Promise<OpenDatabase & { archive(): Promise<Blob> }> {
  if (folder !== 'memory') ensurePrivateDir(folder);
  const client = await PGlite.create({
    extensions: { pg_trgm },
    ...(folder === 'memory' ? {} : { dataDir: join(folder, 'db') }),
    ...(template ? { loadDataDir: template } : {}),
  });
  const db = drizzlePglite({ client, schema });
  await migratePglite(db, { migrationsFolder });
  await ensureMemberRole(db);
  return {
    db,
    kind: 'embedded',
    listen: async (channel, heard) => {
      const unlisten = await client.listen(channel, (payload) => heard.message(payload));
      return { close: () => (client.closed ? Promise.resolve() : unlisten()) };
    },
    close: () => client.close(),
    archive: () => client.dumpDataDir('none'),
  };
}

/** Opens a Postgres server by URL and migrates it. Throws when it cannot be reached, and DatabaseUserUnfit. */
export async function openPostgres(url: string): Promise<OpenDatabase> {
  const pool = new Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 10_000 });
  // An idle connection that the server drops is replaced by the pool; without a listener it ends the process.
  pool.on('error', () => undefined);
  try {
    await prepare(pool);
  } catch (error) {
    await pool.end().catch(() => undefined);
    throw error;
  }
  return {
    db: drizzlePostgres({ client: pool, schema }),
    kind: 'postgres',
    listen: (channel, heard) => listenPostgres(url, channel, heard),
    close: () => pool.end(),
  };
}

async function prepare(pool: Pool): Promise<void> {
  const lock = await pool.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const db = drizzlePostgres({ client: pool, schema });
    await migratePostgres(db, { migrationsFolder });
    await ensureMemberRole(db);
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    lock.release();
  }
}

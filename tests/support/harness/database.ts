import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataDir } from '@electric-sql/pglite-prepopulatedfs';
import { sql } from 'drizzle-orm';
import { unpackArchive } from '../../../scripts/engine-files.ts';
import { type Db, type EmbeddedDatabase, openInMemory } from '../../../src/server/db/client.ts';
import type { StatementWatch } from '../../../src/server/db/statement-watch.ts';

const root = resolve(import.meta.dirname, '../../..');
const sources = ['migrations', 'functions'].map((it) => join(root, 'src/server/db', it));
const cache = join(root, '.cache');

function templateFile(): string {
  const hash = createHash('sha256');
  for (const folder of sources) {
    for (const name of readdirSync(folder).sort()) {
      if (name.endsWith('.sql')) hash.update(name).update(readFileSync(join(folder, name)));
    }
  }
  return join(cache, `test-database-${hash.digest('hex').slice(0, 16)}.tar`);
}

/** Makes the files of a migrated embedded database, or of a given archive, in `db` under a folder. */
export async function makeDataFolder(folder: string, archive?: Blob): Promise<void> {
  const bytes = await (archive ?? (await template())).arrayBuffer();
  await unpackArchive(Buffer.from(bytes), join(folder, 'db'));
}

async function template(): Promise<Blob> {
  const file = templateFile();
  if (!existsSync(file)) {
    const fresh = await openInMemory(await dataDir());
    const bytes = new Uint8Array(await (await fresh.archive()).arrayBuffer());
    await fresh.close();
    mkdirSync(cache, { recursive: true });
    // Several workers may make it at once; each writes a separate file and the last rename wins.
    writeFileSync(`${file}.${process.pid}`, bytes);
    renameSync(`${file}.${process.pid}`, file);
  }
  return new Blob([readFileSync(file)]);
}

interface Pooled {
  database: EmbeddedDatabase;
  /** The state of a new database, to detect whether a test changed more than rows. */
  definition: string;
  tables: string[];
  /** The rows that migrations insert, by table. */
  seeds: Map<string, unknown>;
  /** The number of times the database was emptied. */
  emptied: number;
}

/** This worker's unused databases. Opening one takes a second, emptying one a few milliseconds. */
const idle: Pooled[] = [];

export interface TestDatabase extends EmbeddedDatabase {
  /** Leaves only the rows that migrations insert. */
  empty(): Promise<void>;
}

/**
 * A migrated embedded database in memory, in its initial state. Closing it empties it for the worker's next test file; one
 * with a `watch` is not shared.
 */
export async function createTestDatabase(watch?: StatementWatch): Promise<TestDatabase> {
  const pooled = (watch ? undefined : idle.pop()) ?? (await openPooled(watch));
  const { database } = pooled;
  // Uses of a closed database fail, instead of writing into the next test's.
  const { proxy: db, revoke } = Proxy.revocable(database.db, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  let open = true;
  return {
    ...database,
    db,
    empty: () => emptyTables(db, pooled),
    async close() {
      if (!open) return;
      open = false;
      revoke();
      if (!watch && (await renew(pooled))) idle.push(pooled);
      else await database.close();
    },
  };
}

async function openPooled(watch?: StatementWatch): Promise<Pooled> {
  const database = await openInMemory(await template(), watch);
  const seeds = new Map<string, unknown>();
  const tables = await tablesOf(database.db);
  for (const table of tables) {
    const rows = await values(database.db, sql`select to_jsonb(it) from ${sql.identifier(table)} it`);
    if (rows.length > 0) seeds.set(table, rows);
  }
  return { database, definition: await definitionOf(database.db), tables, seeds, emptied: 0 };
}

/** The parts of `discard all` except prepared statements, which the next file uses too. */
const RESET_SESSION = [
  'reset session authorization',
  'reset all',
  'unlisten *',
  'select pg_advisory_unlock_all()',
  'discard temp',
];

/** Restores the initial state. Returns false if that is impossible. */
async function renew(pooled: Pooled): Promise<boolean> {
  const { db } = pooled.database;
  try {
    for (const statement of RESET_SESSION) await db.execute(sql.raw(statement));
    if ((await definitionOf(db)) !== pooled.definition) return false;
    await emptyTables(db, pooled);
    return true;
  } catch {
    return false;
  }
}

/** Large tables are truncated once in this many times. */
const LOOK_EVERY = 8;

/** Leaves only the seeds, and resets sequences. */
async function emptyTables(db: Db, pooled: Pooled): Promise<void> {
  const { tables, seeds } = pooled;
  // Deleting a few rows takes a fraction of the time of truncating a table, but leaves its pages behind. Finding large
  // tables takes as long as deleting.
  const large =
    pooled.emptied % LOOK_EVERY === 0
      ? await values(
          db,
          sql`select relname from pg_class where relkind = 'r'
            and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 500000`,
        )
      : [];
  pooled.emptied += 1;
  if (large.length > 0) {
    const names = large.map((table) => sql.identifier(String(table)));
    await db.execute(sql`truncate ${sql.join(names, sql`, `)} cascade`);
  }
  const deletes = tables.map((table) => sql.raw(`d_${table} as (delete from "${table}")`));
  await db.transaction(async (tx) => {
    // Without triggers, because some refuse deletion, and seeds are restored unchanged.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`with ${sql.join(deletes, sql`, `)} select 1`);
    await tx.execute(sql`select setval(oid::regclass, 1, false) from pg_class
      where relkind = 'S' and relnamespace = 'public'::regnamespace`);
    for (const [table, rows] of seeds) {
      const name = sql.identifier(table);
      await tx.execute(
        sql`insert into ${name} select * from jsonb_populate_recordset(null::${name}, ${JSON.stringify(rows)}::jsonb)`,
      );
    }
  });
}

async function values(db: Db, query: ReturnType<typeof sql>): Promise<unknown[]> {
  const { rows } = (await db.execute(query)) as unknown as { rows: Record<string, unknown>[] };
  return rows.map((row) => Object.values(row)[0]);
}

const tablesOf = async (db: Db) =>
  (await values(db, sql`select tablename from pg_tables where schemaname = 'public' order by 1`)) as string[];

/**
 * A checksum of tables, columns, functions, triggers, constraints, policies and rights, by id: looking up names takes
 * longer.
 */
async function definitionOf(db: Db): Promise<string> {
  const [hash] = await values(
    db,
    sql`select sum(hashtextextended(line, 0)) from (
      select format('%s %s %s %s', relname, relkind, relacl, relrowsecurity) as line from pg_class
        where relnamespace = 'public'::regnamespace
      union all select format('%s %s %s', attrelid, attname, attacl) from pg_attribute
        join pg_class on attrelid = pg_class.oid where relnamespace = 'public'::regnamespace
      union all select format('%s %s %s', proname, proargtypes, md5(prosrc)) from pg_proc
        where pronamespace = 'public'::regnamespace
      union all select format('%s %s %s', tgrelid, tgname, tgenabled) from pg_trigger where not tgisinternal
      union all select format('%s %s %s %s %s %s %s', conname, conrelid, conkey, confrelid, confkey, confdeltype, conbin)
        from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select format('%s %s', polname, polrelid) from pg_policy
    ) lines`,
  );
  return String(hash);
}

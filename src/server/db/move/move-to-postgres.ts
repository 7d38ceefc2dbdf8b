import type { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readFingerprint, writeFingerprint } from '../secret-fingerprint.ts';
import { type MovedTable, type Query, SAME_TEXT, sequencesOf, sumOf, tablesInOrder } from './tables.ts';

/** Nothing was moved; the message says why, and what to do. */
export class MoveRefusedError extends Error {
  override name = 'MoveRefusedError';
}

export interface MoveProgress {
  table: string;
  rows: number;
  /** Tables done, including this one, and in total. */
  done: number;
  total: number;
}

const PAGES_AT_ONCE = 2_000;

/**
 * Copies every table of an embedded database into a database on a Postgres server, both migrated to this version, and
 * sets its sequences. All in one transaction, which ends only when each table has as many rows as the source and the
 * same checksum. Throws MoveRefusedError when the target has rows of its own, and leaves the target as it was after any
 * error.
 *
 * The triggers of the tables are off meanwhile, within the transaction: they would refuse ids of Stripe, count what was
 * counted, and announce what happened long ago. Foreign keys and checks hold. The target's user owns the tables, so row
 * security does not apply to it.
 */
export async function moveToPostgres(
  source: PGlite,
  url: string,
  onProgress: (progress: MoveProgress) => void,
): Promise<{ tables: number; rows: number }> {
  const target = new Client({ connectionString: url, application_name: 'cellar-door move' });
  // The failing statement reports it.
  target.on('error', () => undefined);
  await target.connect();
  try {
    const toRows: Query = async (text, values) => (await target.query(text, values)).rows;
    const fromRows: Query = async (text, values) => (await source.query(text, values)).rows as never;
    await source.exec(SAME_TEXT);
    await target.query(SAME_TEXT);
    await target.query('begin');
    const tables = await tablesInOrder(fromRows);
    await assertEmpty(toRows, tables);
    let rows = 0;
    for (const table of tables) await toRows(`alter table "${table.name}" disable trigger user`);
    for (const [index, table] of tables.entries()) {
      await copyTable(source, target, table);
      const count = await assertSame(fromRows, toRows, table);
      rows += count;
      onProgress({ table: table.name, rows: count, done: index + 1, total: tables.length });
    }
    await setSequences(fromRows, toRows);
    const fingerprint = await readFingerprint(fromRows);
    if (fingerprint) await writeFingerprint(toRows, fingerprint);
    for (const table of tables) await toRows(`alter table "${table.name}" enable trigger user`);
    await target.query('commit');
    await target.query('analyze');
    return { tables: tables.length, rows };
  } finally {
    // Also rolls back, unless committed.
    await target.end().catch(() => undefined);
  }
}

/** Tables filled by migrations; the source has its own rows for them. */
const SEEDED = ['tier_definitions'];

async function assertEmpty(query: Query, tables: MovedTable[]): Promise<void> {
  for (const { name } of tables) {
    // Blocks all other writers.
    await query(`lock table "${name}" in access exclusive mode`);
    if (SEEDED.includes(name)) continue;
    const rows = await query(`select from "${name}" limit 1`);
    if (rows.length > 0) {
      throw new MoveRefusedError(
        `The database in DATABASE_URL holds data already (table ${name}). Nothing was changed. Name an empty database.`,
      );
    }
  }
  for (const name of SEEDED) await query(`delete from "${name}"`);
}

async function copyTable(source: PGlite, target: Client, { name, columns }: MovedTable): Promise<void> {
  const { rows } = await source.query<{ pages: number }>(
    `select (pg_relation_size('"${name}"') / 8192)::integer as pages`,
  );
  const pages = rows[0]?.pages ?? 0;
  const names = columns.join(', ');
  const sink = target.query(copyFrom(`copy "${name}" (${names}) from stdin`));
  const completion = new Promise<void>((finish, fail) => {
    sink.once('finish', finish);
    sink.once('error', fail);
  });
  // Awaited below; an earlier failure must not count as unhandled.
  completion.catch(() => undefined);
  for (let page = 0; page < pages; page += PAGES_AT_ONCE) {
    const { blob } = await source.query(
      `copy (select ${names} from "${name}" where ctid >= '(${page},0)' and ctid < '(${page + PAGES_AT_ONCE},0)')
         to '/dev/blob'`,
    );
    const chunk = Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
    if (!sink.write(chunk)) {
      await Promise.race([new Promise<void>((resolve) => sink.once('drain', resolve)), completion]);
    }
  }
  sink.end();
  await completion;
}

async function assertSame(from: Query, to: Query, table: MovedTable): Promise<number> {
  const [source, copy] = await Promise.all([sumOf(from, table), sumOf(to, table)]);
  if (source.rows !== copy.rows || source.sums !== copy.sums) {
    throw new Error(
      `The copy of ${table.name} differs: ${copy.rows} rows instead of ${source.rows}, or other values. Nothing was moved.`,
    );
  }
  return copy.rows;
}

async function setSequences(from: Query, to: Query): Promise<void> {
  for (const { name, last } of await sequencesOf(from)) {
    if (last !== null) await to('select setval($1, $2::bigint)', [`public.${name}`, last]);
  }
}

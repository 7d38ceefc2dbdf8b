import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { dataDir } from '@electric-sql/pglite-prepopulatedfs';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEmbedded } from '../../../../src/server/db/client.ts';
import { checksumOf, copyEmpty } from '../../../../src/server/db/embedded/empty-database.ts';
import { rowsOf } from '../../../../src/server/db/results.ts';
import { makeDataFolder } from '../../../support/harness/database.ts';
import { dataFolder } from '../../../support/harness/installation.ts';

let folder: ReturnType<typeof dataFolder>;
let empty: string;
let data: string;
beforeEach(() => {
  folder = dataFolder();
  empty = join(folder.path, 'empty');
  data = join(folder.path, 'data');
  for (const made of [empty, data]) mkdirSync(made);
  writeFileSync(join(empty, 'PG_VERSION'), 'the empty one');
});
afterEach(() => folder.remove());

const made = () => readFileSync(join(data, 'db/PG_VERSION'), 'utf8');

describe('the folder of a new database', () => {
  it('is a copy of the empty one, not what a start that was broken off has left', () => {
    mkdirSync(join(data, 'db.copy'));
    writeFileSync(join(data, 'db.copy/broken-off'), '');
    const damaged = vi.fn();
    expect(copyEmpty({ folder: empty, sum: checksumOf(empty), damaged }, join(data, 'db'))).toBe(true);
    expect(made()).toBe('the empty one');
    expect(readdirSync(data)).toEqual(['db']);
    expect(readdirSync(join(data, 'db'))).toEqual(['PG_VERSION']);
    expect(damaged).not.toHaveBeenCalled();
  });

  it.each<[string, () => void]>([
    ['has a file that was cut', () => writeFileSync(join(empty, 'PG_VERSION'), 'the emp')],
    ['lacks a file', () => rmSync(join(empty, 'PG_VERSION'))],
    ['is gone', () => rmSync(empty, { recursive: true })],
  ])('is no copy of an empty one that %s', (_, damage) => {
    const sum = checksumOf(empty);
    damage();
    const damaged = vi.fn();
    expect(copyEmpty({ folder: empty, sum, damaged }, join(data, 'db'))).toBe(false);
    expect(damaged).toHaveBeenCalledTimes(1);
    expect(readdirSync(data)).toEqual([]);
  });

  it('stays as it is where there is a database', () => {
    mkdirSync(join(data, 'db'));
    writeFileSync(join(data, 'db/PG_VERSION'), 'in use');
    const copied = copyEmpty(
      { folder: empty, sum: checksumOf(empty), damaged: () => undefined },
      join(data, 'db'),
    );
    expect(copied).toBe(false);
    expect(made()).toBe('in use');
  });
});

it('a database that starts as a copy has all tables', async () => {
  await makeDataFolder(folder.path);
  const made = join(folder.path, 'db');
  const damaged = vi.fn();
  const database = await openEmbedded(data, {
    startsFrom: { folder: made, sum: checksumOf(made), damaged },
  });
  try {
    expect(await rowsOf(database.db, sql`select count(*)::int as people from profiles`)).toEqual([
      { people: 0 },
    ]);
    expect(damaged).not.toHaveBeenCalled();
  } finally {
    await database.close();
  }
});

it('the prepared database that the build starts from is the one that this engine would make', async () => {
  const engines = await Promise.all([PGlite.create(), PGlite.create({ loadDataDir: await dataDir() })]);
  try {
    const [made, prepared] = await Promise.all(engines.map(catalogs));
    expect(prepared).toEqual(made);
    expect(made?.size).toBeGreaterThan(50);
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
});

/** A checksum of every catalog but the planner's samples, by name. */
async function catalogs(engine: PGlite): Promise<Map<string, string>> {
  const { rows } = await engine.query<{ name: string }>(`select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'pg_catalog'::regnamespace and relname <> 'pg_statistic'`);
  const sums = new Map<string, string>();
  for (const { name } of rows) {
    const { rows: sum } = await engine.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(it::text, 0)), 0) as sum from pg_catalog.${name} it`,
    );
    sums.set(name, sum[0]?.sum ?? '');
  }
  return sums;
}

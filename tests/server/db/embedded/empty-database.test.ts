import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEmbedded } from '../../../../src/server/db/client.ts';
import {
  checksumOf,
  copyEmpty,
  copyFolder,
  removeCopies,
} from '../../../../src/server/db/embedded/empty-database.ts';
import { rowsOf } from '../../../../src/server/db/results.ts';
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
  it('is a copy of the empty one', async () => {
    expect(await copyEmpty({ folder: empty }, join(data, 'db'))).toBe(true);
    expect(made()).toBe('the empty one');
    expect(readdirSync(data)).toEqual(['db']);
  });

  it('is the copy that was begun before, once it is complete', async () => {
    const copy = Promise.withResolvers<string>();
    const copied = copyEmpty({ folder: empty, copy: copy.promise }, join(data, 'db'));
    expect(existsSync(join(data, 'db'))).toBe(false);
    const begun = copyFolder(data, 1);
    mkdirSync(begun);
    writeFileSync(join(begun, 'PG_VERSION'), 'begun before');
    copy.resolve(begun);
    expect(await copied).toBe(true);
    expect(made()).toBe('begun before');
  });

  it.each([
    ['failed', () => Promise.reject(new Error('no space left'))],
    ['was removed by another start', async () => copyFolder(data, 1)],
  ])('is copied again where the copy %s', async (_, copy) => {
    expect(await copyEmpty({ folder: empty, copy: copy() }, join(data, 'db'))).toBe(true);
    expect(made()).toBe('the empty one');
  });

  it.each(['the copy that was begun', 'nothing'])('is not the damaged empty one, but %s', async (left) => {
    const sum = checksumOf(empty);
    const begun = copyFolder(data, 1);
    if (left !== 'nothing') cpSync(empty, begun, { recursive: true });
    writeFileSync(join(empty, 'PG_VERSION'), 'the emp');
    const damaged = vi.fn();
    const copy = Promise.resolve(begun);
    expect(await copyEmpty({ folder: empty, copy, sum, damaged }, join(data, 'db'))).toBe(left !== 'nothing');
    expect(damaged).toHaveBeenCalledTimes(left === 'nothing' ? 1 : 0);
    expect(readdirSync(data)).toEqual(left === 'nothing' ? [] : ['db']);
  });

  it('is copied again where the copy that was begun is damaged', async () => {
    const begun = copyFolder(data, 1);
    mkdirSync(begun);
    writeFileSync(join(begun, 'PG_VERSION'), 'the emp');
    const copy = Promise.resolve(begun);
    expect(await copyEmpty({ folder: empty, copy, sum: checksumOf(empty) }, join(data, 'db'))).toBe(true);
    expect(made()).toBe('the empty one');
  });

  it('stays as it is where there is a database', async () => {
    mkdirSync(join(data, 'db'));
    writeFileSync(join(data, 'db/PG_VERSION'), 'in use');
    expect(await copyEmpty({ folder: empty }, join(data, 'db'))).toBe(false);
    expect(made()).toBe('in use');
  });
});

/** No process has this number. */
const NOBODY = 2 ** 22 + 1;

it('a start removes no copy that another start, which still runs, is making', () => {
  for (const pid of [process.ppid, process.pid, NOBODY]) mkdirSync(copyFolder(data, pid));
  removeCopies(data);
  expect(readdirSync(data)).toEqual([basename(copyFolder(data, process.ppid))]);
});

it('a database that starts as a copy has all tables, and leaves no copy that was broken off', async () => {
  const [first, second] = [join(folder.path, 'first'), join(folder.path, 'second')];
  await (await openEmbedded(first)).close();
  mkdirSync(copyFolder(second, NOBODY), { recursive: true });
  const database = await openEmbedded(second, { empty: { folder: join(first, 'db') } });
  try {
    expect(await rowsOf(database.db, sql`select count(*)::int as people from profiles`)).toEqual([
      { people: 0 },
    ]);
    expect(readdirSync(second)).toEqual(['db']);
  } finally {
    await database.close();
  }
});

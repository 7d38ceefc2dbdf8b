import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareAhead } from '../../../scripts/serve/ahead.ts';
import { openEmbedded } from '../../../src/server/db/client.ts';
import { copyFolder } from '../../../src/server/db/embedded/empty-database.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { dataFolder, root } from '../../support/harness/installation.ts';

let folder: ReturnType<typeof dataFolder>;
let empty: string;
let spare: string;
let data: string;
beforeEach(() => {
  folder = dataFolder();
  empty = join(folder.path, 'empty');
  spare = join(folder.path, 'spare');
  data = join(folder.path, 'data');
  mkdirSync(empty);
  writeFileSync(join(empty, 'PG_VERSION'), 'the empty one');
});
afterEach(() => folder.remove());

/** The thread from its source; the build bundles it. */
const THREAD = join(root, 'scripts/serve/ahead-thread.ts');
const prepare = (thread: string, env: Record<string, string> = {}) =>
  prepareAhead(
    thread,
    { emptyDatabase: { folder: empty, spare }, engineCode: join(folder.path, 'none') },
    { DATA_DIR: data, ...env },
  );

/** A thread that runs this. */
function thread(code: string): string {
  const file = join(folder.path, 'thread.mjs');
  writeFileSync(file, code);
  return file;
}

describe('while the server is loaded', () => {
  it('a thread compiles the engine and copies the empty database for a new folder', async () => {
    const { engine, empty: prepared } = prepare(THREAD);
    expect(WebAssembly.Module.exports((await engine) as WebAssembly.Module).length).toBeGreaterThan(0);
    expect(await prepared?.copy).toBe(copyFolder(data, process.pid));
    expect(existsSync(join(copyFolder(data, process.pid), 'PG_VERSION'))).toBe(true);
  });

  it('the spare database is moved instead, once', async () => {
    mkdirSync(spare);
    writeFileSync(join(spare, 'PG_VERSION'), 'the spare one');
    const made = () => readFileSync(join(copyFolder(data, process.pid), 'PG_VERSION'), 'utf8');
    await prepare(THREAD).empty?.copy;
    expect(made()).toBe('the spare one');
    expect(existsSync(spare)).toBe(false);
    await prepare(THREAD).empty?.copy;
    expect(made()).toBe('the empty one');
  });

  it('nothing is copied where there is a database', async () => {
    mkdirSync(join(data, 'db'), { recursive: true });
    mkdirSync(spare);
    const { engine, empty: prepared } = prepare(THREAD);
    await engine;
    expect(existsSync(spare)).toBe(true);
    expect(prepared).toEqual({ folder: empty, spare });
  });

  it('nothing is prepared for a Postgres server', () => {
    expect(prepare(THREAD, { DATABASE_URL: 'postgres://localhost/club' })).toEqual({});
  });

  it.each([
    ['fails', 'throw new Error("no space left");'],
    ['ends early', ''],
  ])('a thread that %s says so, and keeps nobody waiting', async (_, code) => {
    const { engine, empty: prepared } = prepare(thread(code));
    await expect(engine).rejects.toThrow();
    if (code) await expect(prepared?.copy).rejects.toThrow();
  });
});

it('a database opens where its engine could not be compiled ahead', async () => {
  const database = await openEmbedded(data, { engine: Promise.reject(new Error('no memory left')) });
  try {
    expect(await rowsOf(database.db, sql`select 1 as one`)).toEqual([{ one: 1 }]);
  } finally {
    await database.close();
  }
});

import { fstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterEach, expect, it } from 'vitest';
import { storageOptions } from '../../../../src/server/db/embedded/disk.ts';
import { makeDataFolder } from '../../../support/harness/database.ts';
import { dataFolder } from '../../../support/harness/installation.ts';

/** A disk that keeps only synced data: the content of each file, and the names in each folder. */
class ForgetfulDisk {
  readonly #folder: string;
  readonly #contents = new Map<number, Buffer>();
  readonly #names = new Map<string, number>();
  readonly #paths = new Map<number, string>();

  constructor(folder: string) {
    this.#folder = folder;
    for (const path of filesIn(folder)) {
      const { ino } = statSync(path);
      this.#contents.set(ino, readFileSync(path));
      this.#names.set(path, ino);
    }
  }

  sync = (descriptor: number): void => {
    const state = fstatSync(descriptor);
    if (state.isDirectory()) {
      const path = this.#pathOf(state.ino, () => foldersIn(this.#folder));
      for (const name of this.#names.keys()) if (dirname(name) === path) this.#names.delete(name);
      for (const file of filesIn(path, false)) this.#names.set(file, statSync(file).ino);
      return;
    }
    const path = this.#pathOf(state.ino, () => filesIn(this.#folder));
    this.#contents.set(state.ino, readFileSync(path));
    this.#names.set(path, state.ino);
  };

  /** The current path of the file; searches all of them only when it has moved. */
  #pathOf(ino: number, candidates: () => string[]): string {
    const known = this.#paths.get(ino);
    if (known && statSync(known, { throwIfNoEntry: false })?.ino === ino) return known;
    for (const path of candidates()) this.#paths.set(statSync(path).ino, path);
    return this.#paths.get(ino) ?? '';
  }

  /** Makes a folder with the data left after a power cut. */
  cutPower(to: string): void {
    for (const path of foldersIn(this.#folder))
      mkdirSync(join(to, relative(this.#folder, path)), { recursive: true });
    for (const [path, ino] of this.#names) {
      writeFileSync(join(to, relative(this.#folder, path)), this.#contents.get(ino) ?? '');
    }
  }
}

function filesIn(folder: string, deep = true): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((it) => {
    const path = join(folder, it.name);
    if (it.isDirectory()) return deep ? filesIn(path) : [];
    return it.isFile() ? [path] : [];
  });
}

const foldersIn = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { withFileTypes: true })
    .filter((it) => it.isDirectory())
    .flatMap((it) => foldersIn(join(folder, it.name))),
];

const { path: folder, remove } = dataFolder();
afterEach(remove);

it('every acknowledged transaction survives a power cut, if the database waits for the disk', async () => {
  const rowsAfterPowerCut = async (waitForDisk: boolean) => {
    const name = waitForDisk ? 'waits' : 'does not';
    await makeDataFolder(join(folder, name));
    const dataDir = join(folder, name, 'db');
    const disk = new ForgetfulDisk(dataDir);
    const client = await PGlite.create(storageOptions(dataDir, waitForDisk, disk.sync));
    await client.exec('create table poured (glass integer)');
    for (let glass = 1; glass <= 5; glass++) await client.query('insert into poured values ($1)', [glass]);
    await client.exec('checkpoint');
    await client.query('insert into poured values (6)');
    disk.cutPower(join(folder, `${name}-after`));
    await client.close();
    const after = await PGlite.create({ dataDir: join(folder, `${name}-after`) });
    const { rows } = await after
      .query<{ glass: number }>('select glass from poured order by 1')
      .catch(() => ({ rows: [] }));
    await after.close();
    return rows.map(({ glass }) => glass);
  };
  expect(await rowsAfterPowerCut(true)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await rowsAfterPowerCut(false)).toEqual([]);
});

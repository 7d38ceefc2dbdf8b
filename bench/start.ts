import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startProcess } from '../tests/support/harness/installation.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { median, took } from './parts/timing.ts';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const ROUNDS = 3;

/** Seconds from the start of what `npm start` runs to the first page answered, with that data folder. */
async function firstPage(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  // On free ports, and abandoned if it ends early: it once requested a page forever from a port that was taken.
  const server = await startProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const page = await fetch(`${server.url}/login`);
  if (!page.ok) throw new Error(`The first page answered ${page.status}`);
  await page.text();
  const seconds = (performance.now() - startedAt) / 1000;
  await server.stop();
  return seconds;
}

/** Seconds until a new, empty Postgres server answers: initdb and start. */
async function newPostgres(): Promise<number> {
  let server: Awaited<ReturnType<typeof startPostgres>> | undefined;
  const ms = await took(async () => {
    server = await startPostgres();
  });
  await server?.stop();
  return ms / 1000;
}

const times = {
  'fresh folder, nothing built': [] as number[],
  'fresh folder, built': [] as number[],
  'existing folder': [] as number[],
  'a new Postgres server, by itself': [] as number[],
};
// Everything is deleted at the end: for minutes after a deletion, ext4 creates files many times as slowly, which
// would count against whatever starts next.
const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
const folders = mkdtempSync(join(cache, 'bench-'));
for (let round = 0; round < ROUNDS; round++) {
  const folder = mkdtempSync(join(folders, 'round-'));
  if (existsSync(dist)) renameSync(dist, join(folder, 'dist'));
  times['fresh folder, nothing built'].push(await firstPage(join(folder, 'a')));
  const result = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`The build failed:\n${result.stdout}${result.stderr}`);
  times['fresh folder, built'].push(await firstPage(join(folder, 'b')));
  times['existing folder'].push(await firstPage(join(folder, 'b')));
  times['a new Postgres server, by itself'].push(await newPostgres());
}
rmSync(folders, { recursive: true, force: true });
const postgres = median(times['a new Postgres server, by itself']);
console.log(
  '| from `npm start` to the first page | seconds (median) | against a new Postgres |\n|---|---|---|',
);
for (const [name, values] of Object.entries(times)) {
  console.log(`| ${name} | ${median(values).toFixed(1)} | ${(median(values) / postgres).toFixed(1)} x |`);
}

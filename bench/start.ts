import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const ROUNDS = 3;

/** Seconds from the start of what `npm start` runs to the first page answered, with that data folder. */
async function firstPage(dataDir: string, port: number): Promise<number> {
  const began = performance.now();
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', './scripts/node-version.mjs', 'scripts/start.ts'],
    {
      cwd: root,
      env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' },
      stdio: 'ignore',
    },
  );
  const ended = new Promise<void>((resolved) => child.once('exit', () => resolved()));
  for (;;) {
    const page = await fetch(`http://localhost:${port}/login`).catch(() => null);
    if (page?.ok) break;
    await new Promise((resolved) => setTimeout(resolved, 10));
  }
  const seconds = (performance.now() - began) / 1000;
  child.kill('SIGTERM');
  await ended;
  return seconds;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Seconds from `npm start` to the first page: on a fresh folder before and after `npm run build`, and on an existing
 * folder; medians of three rounds, taken in turn so that a slow moment hits all alike.
 */
const times = {
  'fresh folder, nothing built': [] as number[],
  'fresh folder, built': [] as number[],
  'existing folder': [] as number[],
};
for (let round = 0; round < ROUNDS; round++) {
  const folder = mkdtempSync(join(tmpdir(), 'cellar-door-bench-'));
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  times['fresh folder, nothing built'].push(await firstPage(join(folder, 'a'), 4710));
  spawnSync('npm', ['run', 'build'], { cwd: root });
  times['fresh folder, built'].push(await firstPage(join(folder, 'b'), 4720));
  times['existing folder'].push(await firstPage(join(folder, 'b'), 4730));
  rmSync(folder, { recursive: true, force: true });
}
const existing = median(times['existing folder']);
console.log(
  '| from `npm start` to the first page | seconds (median) | against an existing folder |\n|---|---|---|',
);
for (const [name, values] of Object.entries(times)) {
  console.log(`| ${name} | ${median(values).toFixed(1)} | ${(median(values) / existing).toFixed(1)} x |`);
}

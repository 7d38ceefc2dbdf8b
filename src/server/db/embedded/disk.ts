import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Startup = Parameters<NodeFS['init']>;

/** The engine's error for a failing disk, at which it stops. */
const EIO = 29;

/**
 * The engine's default of 128 MB of shared buffers is cleared at every start and stays in memory. The system's file cache
 * covers the rest.
 */
export const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

interface HostFiles {
  stream_ops: { fsync?: (file: { nfd: number }) => number };
}

/**
 * The engine's files in a folder, with real syncing, which its own file system lacks: a sync call returns once the file is
 * on disk.
 */
class SyncedFiles extends NodeFS {
  readonly #sync: (descriptor: number) => void;
  constructor(dataDir: string, sync: (descriptor: number) => void) {
    super(dataDir);
    this.#sync = sync;
  }

  override async init(...[client, options]: Startup) {
    const { emscriptenOpts } = await super.init(client, options);
    const afterMount = (module: unknown) => {
      (module as { NODEFS: HostFiles }).NODEFS.stream_ops.fsync = ({ nfd }) => {
        try {
          this.#sync(nfd);
          return 0;
        } catch {
          return EIO;
        }
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), afterMount] } };
  }
}

/**
 * The engine's options for a folder. With `waitForDisk`, a transaction is answered when the disk has it: without -F, with
 * which the engine otherwise starts and never syncs, and with fsync, the only one of its sync methods that reaches the file
 * system.
 */
export function storageOptions(
  dataDir: string,
  waitForDisk: boolean,
  sync: (descriptor: number) => void = fsyncSync,
): PGliteOptions {
  if (!waitForDisk) return { dataDir, startParams: START_PARAMS };
  return {
    fs: new SyncedFiles(dataDir, sync),
    startParams: [
      ...START_PARAMS.filter((it) => it !== '-F'),
      '-c',
      'fsync=on',
      '-c',
      'wal_sync_method=fsync',
    ],
  };
}

/** Syncs a file, or the names in a folder, to disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Syncs a folder with all its contents to disk. */
export function syncFolder(folder: string): void {
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, item.name);
    if (item.isDirectory()) syncFolder(path);
    else if (item.isFile()) syncPath(path);
  }
  syncPath(folder);
}

/** Exists while everything that an engine wrote without waiting is on disk. */
const syncedMark = (folder: string) => join(folder, 'db-on-disk');

/**
 * Syncs what was written without waiting, such as the files of a new database. Takes a second or more, so it only runs
 * after an engine that did not wait.
 */
export function syncOnce(folder: string, dataDir: string): void {
  if (existsSync(syncedMark(folder))) return;
  syncFolder(dataDir);
  writeFileSync(syncedMark(folder), '', { mode: 0o600 });
  syncPath(folder);
}

/** Call before an engine writes without waiting. */
export function forgetSynced(folder: string): void {
  rmSync(syncedMark(folder), { force: true });
}

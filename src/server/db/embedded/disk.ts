import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Startup = Parameters<NodeFS['init']>;

/** The engine's error for a disk that fails, at which it stops rather than go on. */
const EIO = 29;

/**
 * The engine's own 128 MB of shared buffers are cleared at every start and stay in memory. What does not fit into these
 * comes from the system's cache of files.
 */
export const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

interface HostFiles {
  stream_ops: { fsync?: (file: { nfd: number }) => number };
}

/**
 * The engine's files in a folder, with the one thing its own file system lacks: when the engine asks for a file to be on
 * the disk, the call returns when it is.
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
 * How the engine is started on a folder. With `waitForDisk`, a transaction is answered when the disk has it. The engine
 * is told so (it starts with -F, which turns that off), and by which call: of the ones it knows, fsync is the one that
 * reaches the file system.
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

/** Waits until the disk has a file, or the names in a folder. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Waits until the disk has a folder with all that is in it. */
export function syncFolder(folder: string): void {
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, item.name);
    if (item.isDirectory()) syncFolder(path);
    else if (item.isFile()) syncPath(path);
  }
  syncPath(folder);
}

/** There while the disk has all of the database that was not written by an engine that waits. */
const syncedMark = (folder: string) => join(folder, 'db-on-disk');

/**
 * Brings to the disk what was written before the engine waited for it, such as the files of a new database. Takes a
 * second or more, so only when an engine that did not wait was there before.
 */
export function syncOnce(folder: string, dataDir: string): void {
  if (existsSync(syncedMark(folder))) return;
  syncFolder(dataDir);
  writeFileSync(syncedMark(folder), '', { mode: 0o600 });
  syncPath(folder);
}

/** Before an engine writes that does not wait. */
export function forgetSynced(folder: string): void {
  rmSync(syncedMark(folder), { force: true });
}

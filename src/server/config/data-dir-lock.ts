import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from './config-error.ts';
import { ensurePrivateDir, unusableFolder } from './data-dir.ts';

class DataDirInUse extends Error {
  constructor(folder: string, pid: string, cause: unknown) {
    super(
      `Another Cellar Door process${pid ? ` (pid ${pid})` : ''} is using ${resolve(folder)}.\n` +
        'Stop it first, or use another folder: DATA_DIR=./other-data',
      { cause },
    );
    this.name = 'DataDirInUse';
  }
}

/**
 * Locks the data folder for this process: two processes on one embedded database lose rows without an error.
 * The operating system holds the lock, through an empty SQLite file, so it ends with the process even after a crash.
 * Throws DataDirInUse, and ConfigurationError for a folder that is shared or cannot be written to.
 */
export function lockDataDir(folder: string): { release(): void } {
  ensurePrivateDir(folder);
  const pidFile = join(folder, 'server.pid');
  const file = join(folder, 'server.lock');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    writeFileSync(pidFile, String(process.pid));
  } catch (error) {
    lock?.close();
    throw lockFailure(folder, file, pidFile, error);
  }
  const database = lock;
  return { release: () => database.close() };
}

/** What failed, in words where it is known; SQLite's numbers are in sqlite.org/rescode.html, the low byte being the kind. */
function lockFailure(folder: string, file: string, pidFile: string, error: unknown): unknown {
  const { errcode = 0, code } = error as { errcode?: number; code?: string };
  const kind = errcode & 0xff;
  if (kind === SQLITE_BUSY) return new DataDirInUse(folder, readPid(pidFile), error);
  if (kind === SQLITE_NOT_A_DATABASE || kind === SQLITE_CORRUPT)
    return new ConfigurationError([
      `${resolve(file)} is damaged: delete it, and start again. It holds nothing`,
    ]);
  return unusableFolder(folder, CODES_OF_SQLITE[kind] ?? code) ?? error;
}

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;
/** SQLite's READONLY, IOERR, CANTOPEN and PERM, as Node's codes. */
const CODES_OF_SQLITE: Record<number, string> = { 8: 'EACCES', 10: 'EIO', 14: 'EACCES', 3: 'EACCES' };

function readPid(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensurePrivateDir } from './data-dir.ts';

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
 * Throws DataDirInUse, and ConfigurationError for a shared folder.
 */
export function lockDataDir(folder: string): { release(): void } {
  ensurePrivateDir(folder);
  const pidFile = join(folder, 'server.pid');
  const lock = new DatabaseSync(join(folder, 'server.lock'), { timeout: 0 });
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY)
      throw new DataDirInUse(folder, readPid(pidFile), error);
    throw error;
  }
  try {
    writeFileSync(pidFile, String(process.pid));
  } catch (error) {
    lock.close();
    throw error;
  }
  return { release: () => lock.close() };
}

const SQLITE_BUSY = 5;

function readPid(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

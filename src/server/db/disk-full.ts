import { statfsSync } from 'node:fs';

/** SQLSTATE disk_full; Node's codes for a full disk and a spent quota. */
const CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** The same two errors in the embedded database's numbering, thrown as non-Error values. */
const NUMBERS = new Set([51, 19]);
const WORDS = /\bENOSPC\b|No space left on device|database or disk is full/i;

/** Whether a write failed because the disk is full, here or at the database. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = (cause as Error).cause) {
    const { code, name, errno, message } = cause as Record<string, unknown>;
    if (typeof code === 'string' && CODES.has(code)) return true;
    if (name === 'ErrnoError' && typeof errno === 'number' && NUMBERS.has(errno)) return true;
    if (typeof message === 'string' && WORDS.test(message)) return true;
  }
  return false;
}

const NO_ROOM_BYTES = 1_000_000;

/** Whether a folder's disk has no room left: some programs only report that they stopped. */
export function hasNoRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < NO_ROOM_BYTES;
}

import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isDiskFull } from '../disk-full.ts';

/** An embedded database of this version with all tables and nothing in them, which a new one starts as a copy of. */
export interface EmptyDatabase {
  /** Its folder; it was closed cleanly. */
  folder: string;
  /** The folder's checksum; a copy with another one is not used. */
  sum: string;
  /** Called when the folder no longer has that checksum. */
  damaged(): void;
}

/**
 * Fills the folder of a new database, for the process that has the lock of the data folder. It is copied beside its place
 * first, so that a copy that is broken off is not taken for a database. Returns false, and leaves nothing, if the database
 * exists already or the empty one is damaged.
 */
export function copyEmpty({ folder, sum, damaged }: EmptyDatabase, to: string): boolean {
  const copy = `${to}.copy`;
  // A start that was broken off has left it.
  rmSync(copy, { recursive: true, force: true });
  if (existsSync(to)) return false;
  try {
    cpSync(folder, copy, { recursive: true });
    if (checksumOf(copy) === sum) {
      renameSync(copy, to);
      return true;
    }
  } catch (error) {
    // A full disk is no damage; a folder or file of the empty database that is missing is.
    if (isDiskFull(error)) throw error;
  }
  rmSync(copy, { recursive: true, force: true });
  damaged();
  return false;
}

/** A checksum of the names and contents of all files in a folder. */
export function checksumOf(folder: string): string {
  let sum = 0;
  for (const name of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
    const file = join(folder, name);
    if (statSync(file).isFile()) sum = crc32(readFileSync(file), crc32(name, sum));
  }
  return sum.toString(16);
}

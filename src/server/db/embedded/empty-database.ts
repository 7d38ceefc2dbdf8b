import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isDiskFull } from '../disk-full.ts';

/** An embedded database of this version with all tables and no rows, copied for new ones. */
export interface EmptyDatabase {
  /** The folder of a cleanly closed database. */
  folder: string;
  /** The folder's checksum; a copy with a different one is not used. */
  sum: string;
  /** The empty folders in it, if an archive has dropped them. */
  folders?: string[];
  /** Called if the folder cannot be copied, or its checksum no longer matches. */
  damaged(): void;
}

/** The engine's own files of a new database, which take it seconds to make. The migrations then run as in any other. */
export interface EngineFiles {
  /** Writes them to a folder. */
  unpack(folder: string): Promise<void>;
}

/** Fills a new database's folder with the engine's files. Unpacks beside the target first, as copyEmpty copies. */
export async function unpackEngine({ unpack }: EngineFiles, to: string): Promise<void> {
  const copy = `${to}.copy`;
  rmSync(copy, { recursive: true, force: true });
  if (existsSync(to)) return;
  await unpack(copy);
  renameSync(copy, to);
}

/**
 * Fills a new database's folder, for the process that holds the data folder's lock. Copies beside the target first, so that
 * an interrupted copy is not taken for a database. False, leaving nothing, if the database exists already or the empty
 * one is damaged.
 */
export function copyEmpty({ folder, sum, folders = [], damaged }: EmptyDatabase, to: string): boolean {
  const copy = `${to}.copy`;
  // Left by an interrupted start.
  rmSync(copy, { recursive: true, force: true });
  if (existsSync(to)) return false;
  try {
    cpSync(folder, copy, { recursive: true });
    for (const path of folders) mkdirSync(join(copy, path), { recursive: true });
    if (checksumOf(copy) === sum) {
      renameSync(copy, to);
      return true;
    }
  } catch (error) {
    // A full disk is not damage; a missing folder or file of the empty database is.
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

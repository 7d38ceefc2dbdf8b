import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';

/** An embedded database of this version with all tables and nothing in them, which a new one starts as a copy of. */
export interface EmptyDatabase {
  /** Its folder; it was closed cleanly. */
  folder: string;
  /** A copy of it that the first who wants one moves away; absent, or gone, the folder is copied. */
  spare?: string;
  /** A copy that was begun before the server was loaded: resolves with its folder, named by `copyFolder`. */
  copy?: Promise<string> | undefined;
  /** The folder's checksum; a copy with another one is not used. */
  sum?: string;
  /** Called when the folder does not have that checksum any more. */
  damaged?(): void;
}

const COPY = 'db.copy-';

/** Where a process copies an empty database to, beside the database of that data folder. */
export const copyFolder = (dataDir: string, pid: number) => join(dataDir, `${COPY}${pid}`);

/**
 * Fills the folder of a new database. It is copied beside its place first, so that a copy that is broken off is not taken
 * for a database. Returns false, and leaves nothing, if the database exists already or the empty one is damaged.
 */
export async function copyEmpty(empty: EmptyDatabase, to: string): Promise<boolean> {
  if (existsSync(to)) return false;
  const begun = await empty.copy?.catch(() => null);
  // Another start on this folder can have removed it.
  if (begun && existsSync(begun) && isWhole(begun, empty)) {
    renameSync(begun, to);
    return true;
  }
  const copied = copyFolder(dirname(to), process.pid);
  copyFiles(empty.folder, copied);
  if (isWhole(copied, empty)) {
    renameSync(copied, to);
    return true;
  }
  rmSync(copied, { recursive: true, force: true });
  empty.damaged?.();
  return false;
}

const isWhole = (copied: string, { sum }: EmptyDatabase) => sum === undefined || sum === checksumOf(copied);

/** A checksum of the names and contents of all files in a folder. */
export function checksumOf(folder: string): string {
  let sum = 0;
  for (const name of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
    const file = join(folder, name);
    if (statSync(file).isFile()) sum = crc32(readFileSync(file), crc32(name, sum));
  }
  return sum.toString(16);
}

/** Copies a database that is closed. What an earlier process of the same number left there, broken off, goes first. */
export function copyFiles(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

/** Removes what starts that were broken off have left in a data folder, but not what a running one is filling. */
export function removeCopies(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (!name.startsWith(COPY) || isRunning(Number(name.slice(COPY.length)))) continue;
    try {
      rmSync(join(dataDir, name), { recursive: true, force: true });
    } catch {
      // A process that cannot be seen from here, as in another container, still writes. A later start removes it.
    }
  }
}

/** Whether another process of that number runs. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An embedded database of this version with all tables and nothing in them, which a new one starts as a copy of. */
export interface EmptyDatabase {
  /** Its folder; it was closed cleanly. */
  folder: string;
  /** A copy of it that the first who wants one moves away; absent, or gone, the folder is copied. */
  spare?: string;
  /** A copy that was begun before the server was loaded: resolves with its folder, named by `copyFolder`. */
  copy?: Promise<string> | undefined;
}

const COPY = 'db.copy-';

/** Where a process copies an empty database to, beside the database of that data folder. */
export const copyFolder = (dataDir: string, pid: number) => join(dataDir, `${COPY}${pid}`);

/**
 * Fills the folder of a new database. It is copied beside its place first, so that a copy that is broken off is not taken
 * for a database. Returns false, and does nothing, if the database exists already.
 */
export async function copyEmpty({ folder, copy }: EmptyDatabase, to: string): Promise<boolean> {
  if (existsSync(to)) return false;
  try {
    if (!copy) throw new Error('No copy was begun');
    renameSync(await copy, to);
  } catch {
    // Another start on this folder can have removed it.
    const copied = copyFolder(dirname(to), process.pid);
    copyFiles(folder, copied);
    renameSync(copied, to);
  }
  return true;
}

/** Copies a database that is closed. What an earlier process of the same number left there, broken off, goes first. */
export function copyFiles(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
}

/** Removes what starts that were broken off have left in a data folder. */
export function removeCopies(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(COPY)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}

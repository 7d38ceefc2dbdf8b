import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backupMadeAt } from './backup-plan.ts';

export interface NewestBackup {
  file: string;
  at: Date;
  bytes: number;
}

/** The names of the embedded database's backups in a folder, oldest first. */
export function listBackups(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => backupMadeAt(name) !== null)
    .sort();
}

export function newestBackup(folder: string): NewestBackup | null {
  const file = listBackups(folder).at(-1);
  const at = file && backupMadeAt(file);
  return at ? { file, at, bytes: statSync(join(folder, file)).size } : null;
}

/** The beginning of a file in pg_dump's custom format, and its end: an empty block after the last table's rows. */
const BEGINNING = Buffer.from('PGDMP');
const END = Buffer.alloc(5);

/**
 * The newest complete dump in a folder, with the name that ops/backup-postgres.sh gives it once it is complete. Null if
 * there is none, or the folder cannot be read.
 */
export function newestDump(folder: string): NewestBackup | null {
  for (const file of namesIn(folder).sort().reverse()) {
    const at = backupMadeAt(file, 'dump');
    const bytes = at && bytesOfDump(join(folder, file));
    if (at && bytes) return { file, at, bytes };
  }
  return null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The size of a complete dump; null for a file that is cut off, or no dump, or cannot be read. */
function bytesOfDump(path: string): number | null {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const bytesAt = (position: number) => {
      const bytes = Buffer.alloc(BEGINNING.length);
      readSync(file as number, bytes, 0, bytes.length, position);
      return bytes;
    };
    const isWhole =
      size > BEGINNING.length + END.length &&
      bytesAt(0).equals(BEGINNING) &&
      bytesAt(size - END.length).equals(END);
    return isWhole ? size : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

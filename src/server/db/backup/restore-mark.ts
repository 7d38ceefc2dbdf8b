import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncPath } from '../embedded/disk.ts';

/** Exists while a restore replaces the files. */
const markOf = (folder: string) => join(folder, 'restore-unfinished');

export const isRestoreUnfinished = (folder: string): boolean => existsSync(markOf(folder));

export function markRestore(folder: string): void {
  writeFileSync(markOf(folder), '', { mode: 0o600 });
  syncPath(folder);
}

export function unmarkRestore(folder: string): void {
  const mark = markOf(folder);
  syncPath(dirname(mark));
  rmSync(mark, { force: true });
  syncPath(dirname(mark));
}

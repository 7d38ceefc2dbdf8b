import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigurationError } from '../../config/config-error.ts';
import { syncPath } from '../embedded/disk.ts';

/** Exists while a restore replaces the files. */
const markOf = (folder: string) => join(folder, 'restore-unfinished');

/** Throws ConfigurationError if a restore broke off: a start would take the rest for a new installation. */
export function assertRestoreFinished(folder: string): void {
  if (!existsSync(markOf(folder))) return;
  throw new ConfigurationError([
    `A restore into ${resolve(folder)} did not finish. Run it again: cellar-door restore FILE --replace`,
    `What was there before is in ${resolve(folder)}, in a folder that begins with before-restore`,
  ]);
}

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

import { existsSync, rmSync, statSync } from 'node:fs';
import { copyFile, rename } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { syncPath } from '../embedded/disk.ts';

/**
 * Copies a finished backup into BACKUP_COPY_DIR, under a temporary name until it is whole and on the disk; does nothing if
 * it is there. The folder is not created: where its disk is not mounted, the copy would land on the same disk. Throws
 * CopyError, leaving nothing behind.
 */
export async function copyBackup(path: string, folder: string): Promise<void> {
  try {
    await copyInto(path, folder);
  } catch (error) {
    throw new CopyError(folder, error);
  }
}

/** The backup was made, and its copy was not. */
class CopyError extends Error {
  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The backup could not be copied into BACKUP_COPY_DIR, ${resolve(folder)}: ${reason}`, { cause });
    this.name = 'CopyError';
  }
}

async function copyInto(path: string, folder: string): Promise<void> {
  const target = join(folder, basename(path));
  if (existsSync(target)) return;
  if (!existsSync(folder)) throw new Error('there is no such folder. Create it, once its disk is mounted');
  const draft = join(folder, `.${basename(path)}.unfinished`);
  try {
    await copyFile(path, draft);
    syncPath(draft);
    const [size, copySize] = [statSync(path).size, statSync(draft).size];
    if (copySize !== size) throw new Error(`only ${copySize} of ${size} bytes arrived`);
    await rename(draft, target);
    syncPath(folder);
  } finally {
    rmSync(draft, { force: true });
  }
}

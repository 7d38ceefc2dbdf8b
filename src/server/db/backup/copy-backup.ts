import { existsSync, rmSync, statSync } from 'node:fs';
import { copyFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { syncPath } from '../embedded/disk.ts';

/**
 * Copies a finished backup into another folder, under a temporary name until it is whole and on the disk; does nothing if
 * it is there. The folder is not created: where its disk is not mounted, the copy would land on the same disk. Throws the
 * file system's errors, leaving nothing behind.
 */
export async function copyBackup(path: string, folder: string): Promise<void> {
  const copy = join(folder, basename(path));
  if (existsSync(copy)) return;
  if (!existsSync(folder)) throw new Error('there is no such folder. Create it, once its disk is mounted');
  const unfinished = join(folder, `.${basename(path)}.unfinished`);
  try {
    await copyFile(path, unfinished);
    syncPath(unfinished);
    const [whole, copied] = [statSync(path).size, statSync(unfinished).size];
    if (copied !== whole) throw new Error(`only ${copied} of ${whole} bytes arrived`);
    await rename(unfinished, copy);
    syncPath(folder);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

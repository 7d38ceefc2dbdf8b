import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's in-memory file system. */
const IN_MEMORY = '/dev/shm';
const GIGABYTE = 2 ** 30;

/** Several times the data of all tests running at once. */
const ROOM = 2 * GIGABYTE;
const FREE_MEMORY = 6 * GIGABYTE;

/**
 * Makes the folder for the databases of a test run, and removes it when this process ends: its workers may be killed before
 * they remove theirs. In memory if there is enough, since short-lived files cost a disk as much as permanent ones;
 * otherwise in the temporary folder.
 */
export function dataRoot(): string {
  const root = mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), 'cellar-door-tests-'));
  // Postgres may run as another user.
  chmodSync(root, 0o711);
  process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  return root;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize > ROOM && process.availableMemory() > FREE_MEMORY;
  } catch {
    return false;
  }
}

import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm';
const GIGABYTE = 2 ** 30;

/** What the data of all tests that run at once takes, several times over. */
const ROOM = 2 * GIGABYTE;
const FREE_MEMORY = 6 * GIGABYTE;

/**
 * Makes the folder where a run of tests keeps the data of databases, and removes it when this process ends: its workers
 * may be killed before they remove theirs. It is in memory where there is plenty, as files that live for seconds cost a
 * disk as much as ones that stay; otherwise it is in the folder for temporary files.
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

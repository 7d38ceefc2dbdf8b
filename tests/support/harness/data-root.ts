import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm';
const GIGABYTE = 2 ** 30;

/** What the data of all tests that run at once takes, several times over. */
const ROOM = 2 * GIGABYTE;
const FREE_MEMORY = 6 * GIGABYTE;

/**
 * Where tests keep the data of databases: in memory where there is plenty, as files that live for seconds cost a disk as
 * much as ones that stay; otherwise in the folder for temporary files.
 */
export function dataRoot(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const plenty = bavail * bsize > ROOM && process.availableMemory() > FREE_MEMORY;
    return plenty ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that are empty while a club is closed, and without which the engine may not start. */
const EMPTY_FOLDERS = [
  ...['pg_commit_ts', 'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat'],
  ...['pg_stat_tmp', 'pg_tblspc', 'pg_twophase', 'pg_logical/mappings', 'pg_logical/snapshots'],
  ...['pg_wal/archive_status', 'pg_wal/summaries'],
];
/** The engine's own lock. The data folder has one that ends with its process; this one outlives a power cut, empty or cut. */
const ENGINE_LOCK = 'postmaster.pid';

/**
 * Removes from an unused database folder what would stop the engine though all data is there: a lock that was left behind,
 * and missing empty folders, which many programs that copy files leave out.
 */
export function tidyDataFiles(dataDir: string): void {
  if (!existsSync(join(dataDir, 'PG_VERSION'))) return;
  rmSync(join(dataDir, ENGINE_LOCK), { force: true });
  for (const name of EMPTY_FOLDERS) mkdirSync(join(dataDir, name), { recursive: true, mode: 0o700 });
}

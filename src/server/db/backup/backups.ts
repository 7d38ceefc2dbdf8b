import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { OnlineCopy } from '../embedded/online-copy.ts';
import { type BackupPlan, backupMadeAt, backupsToDelete, isBackupDue } from './backup-plan.ts';
import { copyBackup } from './copy-backup.ts';
import { type MadeBackup, takeBackup } from './take-backup.ts';

interface BackupState {
  /** Null if this server makes none, because its database is on a Postgres server. */
  folder: string | null;
  /** Whether daily backups are on. */
  daily: boolean;
  last: { file: string; at: Date; bytes: number } | null;
  /** The latest attempt of this process, if it failed; the log says why. */
  failed_at: Date | null;
  /** The second folder, and the latest attempt of this process to copy into it, if it failed. Null without one. */
  copy: { folder: string; failed_at: Date | null } | null;
  running: boolean;
}

/** Backups of the database that this process has open. */
export interface Backups {
  lastBackup(): BackupState;
  /** Makes a backup now, in another folder if given. Calls take turns. */
  make(folder?: string): Promise<MadeBackup>;
  /** Makes the daily backup, and its copy, if they are due. Throws on failure, and retries an hour later. */
  makeIfDue(): Promise<MadeBackup | null>;
}

export interface BackupSettings extends BackupPlan {
  dataDir: string;
  folder: string;
  /** Gets a copy of each backup; null for none. */
  copyFolder: string | null;
  withSecrets: boolean;
}

/** The backup was made, and its copy was not. */
export class CopyError extends Error {
  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The backup could not be copied into BACKUP_COPY_DIR, ${resolve(folder)}: ${reason}`, { cause });
    this.name = 'CopyError';
  }
}

const RETRY_MS = 3_600_000;

export function createBackups(
  onlineCopy: OnlineCopy,
  settings: BackupSettings,
  { now }: { now(): Date },
): Backups {
  const { folder, copyFolder, keepDays, dataDir, withSecrets } = settings;
  let failedAt: Date | null = null;
  let copyFailedAt: Date | null = null;
  let running: Promise<unknown> | null = null;
  const latest = () => newestBackup(folder);

  const run = async (into: string) => {
    try {
      const made = await takeBackup({ dataDir, onlineCopy, withSecrets }, into, now());
      failedAt = null;
      if (into === folder) {
        deleteOld(folder, keepDays);
        await copy();
      }
      return made;
    } catch (error) {
      if (!(error instanceof CopyError)) failedAt = now();
      throw error;
    }
  };
  /** Copies the newest backup, unless the second folder has it. */
  const copy = async () => {
    const file = latest()?.file;
    if (copyFolder === null || file === undefined) return;
    try {
      await copyBackup(join(folder, file), copyFolder);
      deleteOld(copyFolder, keepDays);
      copyFailedAt = null;
    } catch (error) {
      copyFailedAt = now();
      throw new CopyError(copyFolder, error);
    }
  };
  const isTooSoon = (failed: Date | null) => failed !== null && now().getTime() - failed.getTime() < RETRY_MS;
  const make = (into = folder) => {
    const turn = (running ?? Promise.resolve()).catch(() => undefined).then(() => run(into));
    const ended = turn
      .catch(() => undefined)
      .then(() => {
        if (running === ended) running = null;
      });
    running = ended;
    return turn;
  };

  return {
    make,
    async makeIfDue() {
      if (running || isTooSoon(failedAt)) return null;
      if (isBackupDue(settings, latest()?.at ?? null, now())) return make();
      // A daily backup whose copy failed, or that was made before there was a second folder.
      if (keepDays > 0 && !isTooSoon(copyFailedAt)) await copy();
      return null;
    },
    lastBackup: () => ({
      folder: resolve(folder),
      daily: keepDays > 0,
      last: latest(),
      failed_at: failedAt,
      copy: copyFolder === null ? null : { folder: resolve(copyFolder), failed_at: copyFailedAt },
      running: running !== null,
    }),
  };
}

/** For a database on a Postgres server, which has its own tools (docs/run/back-up.md, "Back up and restore"). */
export const NO_BACKUPS: Backups = {
  lastBackup: () => ({ folder: null, daily: false, last: null, failed_at: null, copy: null, running: false }),
  make: () => Promise.reject(new Error('The database is a Postgres server’s: back it up there')),
  makeIfDue: () => Promise.resolve(null),
};

/** The names of the backups in a folder, oldest first. */
export function listBackups(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => backupMadeAt(name) !== null)
    .sort();
}

function newestBackup(folder: string): BackupState['last'] {
  const file = listBackups(folder).at(-1);
  const at = file && backupMadeAt(file);
  return at ? { file, at, bytes: statSync(join(folder, file)).size } : null;
}

/** Makes the daily backup if it is due, and logs it. */
export async function backUpIfDue(backups: Backups, log: Logger): Promise<void> {
  const made = await backups.makeIfDue();
  if (!made) return;
  const { path, bytes, tables, rows } = made;
  log.info({ path, bytes, tables, rows }, 'backed up and checked');
}

function deleteOld(folder: string, keepDays: number): void {
  for (const name of backupsToDelete(listBackups(folder), keepDays)) rmSync(join(folder, name));
}

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { OnlineCopy } from '../embedded/online-copy.ts';
import { type BackupPlan, backupMadeAt, backupsToDelete, isBackupDue } from './backup-plan.ts';
import { type MadeBackup, takeBackup } from './take-backup.ts';

interface BackupState {
  /** Null if this server makes none, because its database is on a Postgres server. */
  folder: string | null;
  /** Whether daily backups are on. */
  daily: boolean;
  last: { file: string; at: Date; bytes: number } | null;
  /** The latest attempt of this process, if it failed; the log says why. */
  failed_at: Date | null;
  running: boolean;
}

/** Backups of the database that this process has open. */
export interface Backups {
  lastBackup(): BackupState;
  /** Makes a backup now, in another folder if given. Calls take turns. */
  make(folder?: string): Promise<MadeBackup>;
  /** Makes the daily backup if it is due. Throws on failure, and retries an hour later. */
  makeIfDue(): Promise<MadeBackup | null>;
}

export interface BackupSettings extends BackupPlan {
  dataDir: string;
  folder: string;
  withSecrets: boolean;
}

const RETRY_MS = 3_600_000;

export function createBackups(
  onlineCopy: OnlineCopy,
  settings: BackupSettings,
  { now }: { now(): Date },
): Backups {
  const { folder, keepDays, dataDir, withSecrets } = settings;
  let failedAt: Date | null = null;
  let running: Promise<unknown> | null = null;
  const latest = () => newestBackup(folder);

  const run = async (into: string) => {
    try {
      const made = await takeBackup({ dataDir, onlineCopy, withSecrets }, into, now());
      failedAt = null;
      if (into === folder) deleteOld(folder, keepDays);
      return made;
    } catch (error) {
      failedAt = now();
      throw error;
    }
  };
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
      if (running || (failedAt && now().getTime() - failedAt.getTime() < RETRY_MS)) return null;
      return isBackupDue(settings, latest()?.at ?? null, now()) ? make() : null;
    },
    lastBackup: () => ({
      folder: resolve(folder),
      daily: keepDays > 0,
      last: latest(),
      failed_at: failedAt,
      running: running !== null,
    }),
  };
}

/** For a database on a Postgres server, which has its own tools (docs/run/back-up.md, "Back up and restore"). */
export const NO_BACKUPS: Backups = {
  lastBackup: () => ({ folder: null, daily: false, last: null, failed_at: null, running: false }),
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

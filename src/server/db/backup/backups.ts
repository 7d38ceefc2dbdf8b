import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Env } from '../../config/env.ts';
import { backupSettings } from '../../config/settings.ts';
import type { EmbeddedDatabase, OpenDatabase } from '../client.ts';
import type { OnlineCopy } from '../embedded/online-copy.ts';
import { backupsToDelete, isBackupDue } from './backup-plan.ts';
import { copyBackup } from './copy-backup.ts';
import { listBackups, type NewestBackup, newestBackup, newestDump } from './newest-backup.ts';
import { type MadeBackup, takeBackup } from './take-backup.ts';

interface BackupState {
  /** False if the database is on a Postgres server: backups are made outside. */
  made_here: boolean;
  /** Null if backups are made outside and BACKUP_DIR is not set. */
  folder: string | null;
  daily: boolean;
  last: NewestBackup | null;
  /** The latest attempt of this process, if it failed; the log says why. */
  failed_at: Date | null;
  /** The second folder, and the latest attempt of this process to copy into it, if it failed. Null without one. */
  copy: { folder: string; failed_at: Date | null } | null;
  running: boolean;
}

export interface Backups {
  lastBackup(): BackupState;
  /** Makes a backup now, in another folder if given. Calls take turns. */
  make(folder?: string): Promise<MadeBackup>;
  /** Makes the daily backup, and its copy, if they are due in that zone. Throws on failure, and retries an hour later. */
  makeIfDue(timeZone: string): Promise<MadeBackup | null>;
}

const RETRY_MS = 3_600_000;

export function createBackups(
  onlineCopy: OnlineCopy,
  settings: ReturnType<typeof backupSettings>,
  { now }: { now(): Date },
): Backups {
  const { folder, copyFolder, keepDays, dataDir, withSecrets } = settings;
  let failedAt: Date | null = null;
  let copyFailedAt: Date | null = null;
  let lastRun: Promise<unknown> | null = null;
  const latest = () => newestBackup(folder);

  const run = async (target: string) => {
    let backup: MadeBackup;
    try {
      backup = await takeBackup({ dataDir, onlineCopy, withSecrets }, target, now());
      failedAt = null;
      if (target === folder) deleteOld(folder, keepDays);
    } catch (error) {
      failedAt = now();
      throw error;
    }
    if (target === folder) await copy();
    return backup;
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
      throw error;
    }
  };
  const isTooSoon = (failure: Date | null) =>
    failure !== null && now().getTime() - failure.getTime() < RETRY_MS;
  const make = (target = folder) => {
    const turn = (lastRun ?? Promise.resolve()).catch(() => undefined).then(() => run(target));
    const completion = turn
      .catch(() => undefined)
      .then(() => {
        if (lastRun === completion) lastRun = null;
      });
    lastRun = completion;
    return turn;
  };

  return {
    make,
    async makeIfDue(timeZone) {
      if (lastRun || isTooSoon(failedAt)) return null;
      if (isBackupDue({ ...settings, timeZone }, latest()?.at ?? null, now())) return make();
      // The last copy may have failed, or the backup was made before there was a second folder.
      if (keepDays > 0 && !isTooSoon(copyFailedAt)) await copy();
      return null;
    },
    lastBackup: () => ({
      made_here: true,
      folder: resolve(folder),
      daily: keepDays > 0,
      last: latest(),
      failed_at: failedAt,
      copy: copyFolder === null ? null : { folder: resolve(copyFolder), failed_at: copyFailedAt },
      running: lastRun !== null,
    }),
  };
}

/**
 * The backups of a database on a Postgres server, which has its own tools (docs/run/back-up.md, "A Postgres server"): dumps
 * in a folder, or none that can be seen.
 */
export const outsideBackups = (folder: string | null): Backups => ({
  lastBackup: () => ({
    made_here: false,
    folder: folder === null ? null : resolve(folder),
    daily: folder !== null,
    last: folder === null ? null : newestDump(folder),
    failed_at: null,
    copy: null,
    running: false,
  }),
  make: () => Promise.reject(new Error('The database is a Postgres server’s: back it up there')),
  makeIfDue: () => Promise.resolve(null),
});

/** Backups of the embedded database, or those of a Postgres server, in BACKUP_DIR. */
export function ownBackups(
  env: Env,
  database: OpenDatabase | EmbeddedDatabase,
  { now }: { now(): Date },
): Backups {
  if (!('onlineCopy' in database)) return outsideBackups(env.backupDirNamed ? env.BACKUP_DIR : null);
  return createBackups(database.onlineCopy, backupSettings(env), { now });
}

export async function backUpIfDue({
  backups,
  venue,
  log,
}: {
  backups: Backups;
  venue: { time_zone: string };
  log: Logger;
}): Promise<void> {
  const backup = await backups.makeIfDue(venue.time_zone);
  if (!backup) return;
  const { path, bytes, tables, rows } = backup;
  log.info({ path, bytes, tables, rows }, 'backed up and checked');
}

function deleteOld(folder: string, keepDays: number): void {
  for (const name of backupsToDelete(listBackups(folder), keepDays)) rmSync(join(folder, name));
}

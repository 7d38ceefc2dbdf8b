import { localDate } from '../../../domain/calendar.ts';

export interface BackupPlan {
  /** The hour of the venue's day, 0 to 23. */
  hour: number;
  /** 0: no daily backups. */
  keepDays: number;
  timeZone: string;
}

const HOUR_MS = 3_600_000;
/** The embedded database's backups, and dumps of a Postgres server. */
type BackupEnding = 'tar.gz' | 'dump';
const NAME = /^cellar-door-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-before-[\w.+-]+)?\.(tar\.gz|dump)$/;

/**
 * The file name of a backup, with its instant in UTC: names sort by age. `before`: the version that an update was about to
 * bring.
 */
export function backupName(at: Date, before?: string, extension: BackupEnding = 'tar.gz'): string {
  const instant = at.toISOString().slice(0, 19).replaceAll(':', '');
  return `cellar-door-${instant}Z${before ? `-before-${before}` : ''}.${extension}`;
}

/** When the backup with that file name was made; null for any other file. */
export function backupMadeAt(name: string, extension: BackupEnding = 'tar.gz'): Date | null {
  const [, day, hour, minute, second, fileExtension] = NAME.exec(name) ?? [];
  return fileExtension === extension ? new Date(`${day}T${hour}:${minute}:${second}Z`) : null;
}

/**
 * Whether the daily backup is due: its hour has come, and none was made since. A server that was off at that hour makes it
 * when it runs again. `last`: when the newest was made; null if there is none.
 */
export function isBackupDue({ hour, keepDays, timeZone }: BackupPlan, last: Date | null, now: Date): boolean {
  if (keepDays === 0) return false;
  // A backup day begins at that hour; when clocks change, an hour off.
  const dayOf = (instant: Date) => localDate(new Date(instant.getTime() - hour * HOUR_MS), timeZone);
  return last === null || dayOf(last) < dayOf(now);
}

/**
 * The files to delete after a new backup: those of days (UTC) older than the newest `keepDays` days that have one. Files
 * with other names are not ours and stay. With 0, nothing is deleted.
 */
export function backupsToDelete(names: string[], keepDays: number): string[] {
  if (keepDays === 0) return [];
  const dayOf = (name: string) => backupMadeAt(name)?.toISOString().slice(0, 10);
  const keptDays = new Set([...new Set(names.flatMap((name) => dayOf(name) ?? []))].sort().slice(-keepDays));
  return names.filter((name) => {
    const day = dayOf(name);
    return day !== undefined && !keptDays.has(day);
  });
}

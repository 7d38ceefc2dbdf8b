import { ageText } from '../age.ts';
import { age, beyond, type Check, checkOf, DAY, type Health, HOUR, MINUTE, unknownCheck } from './check.ts';

/** A backup a day, and two hours for it to run. */
const BACKUP_OLD_MS = { attention: 26 * HOUR, failing: 2 * DAY };
/** The first backup is made within a minute of the start, and takes a moment. */
const FIRST_BACKUP_MS = 10 * MINUTE;

export interface BackupFacts {
  /** False for a database on a Postgres server: its backups are made outside. */
  made_here: boolean;
  /** False if they are made outside and BACKUP_DIR does not say where: this process cannot see them. */
  watched: boolean;
  /** The demo makes no backups: it can be recreated at any time. */
  plan: 'daily' | 'off' | 'demo';
  started_at: Date;
  last_at: Date | null;
  /** The latest attempt of this process, if it failed. */
  failed_at: Date | null;
  /** Whether each backup is also copied into a second folder. */
  copied: boolean;
  /** The latest attempt of this process to copy a backup, if it failed. */
  copy_failed_at: Date | null;
}

/** No backup is as bad as an old one, except just after a start; a failed attempt counts beside a fresh one. */
function lateness({ plan, last_at, failed_at, started_at }: BackupFacts, now: Date): Health {
  if (plan === 'demo') return 'well';
  if (last_at) return beyond(age(now, last_at), BACKUP_OLD_MS);
  const comesSoon = plan === 'daily' && !failed_at && now.getTime() - started_at.getTime() < FIRST_BACKUP_MS;
  return comesSoon ? 'well' : 'attention';
}

export function backupCheck(facts: BackupFacts, now: Date): Check {
  const { made_here, watched, plan, last_at, failed_at, copied, copy_failed_at } = facts;
  if (!watched) {
    return unknownCheck(
      'Backup',
      'Backups are made outside, where the server cannot see them.',
      'Name their folder in BACKUP_DIR to be warned when one is missing (docs/run/back-up.md, “A Postgres server”).',
    );
  }
  const health = lateness(facts, now);
  const since = failed_at ?? copy_failed_at ?? last_at;
  const alert = plan === 'daily' && { cause: 'backup', subject: 'The daily backup is missing', since };
  const failure = (at: Date | null): Health =>
    at === null || plan === 'demo' ? 'well' : health === 'failing' ? 'failing' : 'attention';
  const none = () => {
    if (plan === 'demo') return 'The demo makes no backups: it can be made again at any time.';
    if (!made_here) return 'No complete backup is in its folder yet.';
    if (health === 'well') return 'The first backup comes within minutes of the first start.';
    return 'There is no backup yet.';
  };
  const evidence = () => {
    if (failed_at) return [`Last try failed ${ageText(failed_at, now)}`];
    if (copy_failed_at) return [`Last copy failed ${ageText(copy_failed_at, now)}`];
    if (!last_at) return [];
    if (!made_here) return ['Made outside'];
    return copied ? ['Copied into the second folder'] : [];
  };
  return checkOf(
    'Backup',
    {
      text: last_at ? `The last backup was made ${ageText(last_at, now)}.` : none(),
      facts: evidence(),
    },
    [
      {
        health: failure(failed_at),
        next: 'Look in the log for why the last one failed (“daily backup failed”). It is tried again every hour.',
        alert,
      },
      {
        health: failure(copy_failed_at),
        next: 'Its copy in the second folder failed: check that the disk of BACKUP_COPY_DIR is there and has room. It is tried again every hour.',
        alert,
      },
      {
        health,
        next: made_here
          ? 'Make one with cellar-door backup, and check whether BACKUP_KEEP_DAYS turns off the daily one.'
          : 'Check what makes the dumps, whether its disk has room, and whether this server can read BACKUP_DIR.',
        // A backup that is a few hours late may still come.
        alert: (health === 'failing' || last_at === null) && alert,
      },
    ],
  );
}

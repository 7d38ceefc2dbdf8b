import type { Billing } from '../billing/index.ts';
import type { StripeMode } from '../config/stripe-mode.ts';
import type { Backups } from '../db/backup/backups.ts';
import type { Db, OpenDatabase } from '../db/client.ts';
import type { TaskRuns } from '../platform/task-runs.ts';

/** The names of the tasks that main.ts runs again and again, as logs, metrics and the system page know them. */
export const TASKS = { sweep: 'billing sweep', reminders: 'reminders', delivery: 'deliveries' } as const;

/** What monitoring knows of this process. */
export interface ProcessFacts {
  version: string;
  /** By the same clock as `now`. */
  startedAt: Date;
  databaseKind: OpenDatabase['kind'];
  stripeMode: StripeMode;
  /** Whether a mail server is configured. */
  sendsEmail: boolean;
  /** Where the disk is looked at; null in tests without one. */
  dataDir: string | null;
  backups: Pick<Backups, 'lastBackup'>;
  /** By how many milliseconds Stripe's clock is ahead of this machine's; null before its first response. */
  stripeSkewMs(): number | null;
}

/** What the verbs of monitoring need. */
export interface MonitoringContext {
  db: Db;
  now(): Date;
  wallClock?(): Date;
  taskRuns: TaskRuns;
  processFacts: ProcessFacts;
  billing: Pick<Billing, 'readBacklog'>;
}

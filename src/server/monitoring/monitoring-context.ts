import type { StripeMode } from '../config/stripe-mode.ts';
import type { Backups } from '../db/backup/backups.ts';
import type { Db, OpenDatabase } from '../db/client.ts';
import type { MailContext } from '../mail/send-email.ts';
import type { TaskRuns } from '../platform/task-runs.ts';
import type { CertificateWatch } from './certificate.ts';
import type { Heartbeat } from './heartbeat.ts';

/** Names, in logs and metrics, of the recurring tasks that monitoring refers to. */
export const TASKS = {
  sweep: 'billing sweep',
  reminders: 'reminders',
  delivery: 'deliveries',
  watch: 'watching the system',
} as const;

export interface ProcessFacts {
  version: string;
  /** The start, by the same clock as `now`. */
  startedAt: Date;
  databaseKind: OpenDatabase['kind'];
  /** Null while payments are off. */
  stripeMode: StripeMode | null;
  sendsEmail: boolean;
  /** The address that emails come from now. */
  emailFrom(): string;
  /** The folder whose disk is checked; null in tests without one. */
  dataDir: string | null;
  backups: Pick<Backups, 'lastBackup'>;
  /** Milliseconds that Stripe's clock is ahead of this machine's; null before its first response. */
  stripeSkewMs(): number | null;
  stripeCalls: StripeCalls;
  /** The release that UPDATE_URL last named, if it is newer than this one. */
  newerRelease: string | null;
}

export interface StripeCalls {
  answered_at: Date | null;
  /** When Stripe first did not answer; null once it answers again. */
  unanswered_since: Date | null;
}

export interface MonitoringContext extends MailContext {
  db: Db;
  now(): Date;
  wallClock?(): Date;
  taskRuns: TaskRuns;
  processFacts: ProcessFacts;
  /** Null without HEARTBEAT_URL. */
  heartbeat: Heartbeat | null;
  /** Null if the public URL is not https. */
  certificate: CertificateWatch | null;
}

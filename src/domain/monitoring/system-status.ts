const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MB = 1024 ** 2;

/** attention: look at it today. failing: look at it now. unknown: nothing is known yet. */
export const HEALTHS = ['well', 'attention', 'failing', 'unknown'] as const;
export type Health = (typeof HEALTHS)[number];

/** Milliseconds after which something becomes 'attention' and 'failing'; null for never. */
interface Limits {
  attention: number;
  failing: number | null;
}

/** The sweeper runs every minute. */
export const SWEEP_LATE_MS: Limits = { attention: 5 * MINUTE, failing: HOUR };
/** Every request is retried before it counts as unanswered. */
const UNANSWERED_MS: Limits = { attention: 0, failing: HOUR };
/** The sweeper processes an event after five minutes; Stripe stops retrying after three days. */
export const EVENT_OPEN_MS: Limits = { attention: 15 * MINUTE, failing: DAY };
/** Every member who pays by card causes an event a month. */
const STRIPE_SILENT_MS: Limits = { attention: 35 * DAY, failing: null };
const EMAIL_WAITS_MS: Limits = { attention: 15 * MINUTE, failing: DAY };
/** A backup a day, and two hours for it to run. */
const BACKUP_OLD_MS: Limits = { attention: 26 * HOUR, failing: 3 * DAY };
/** Authenticator apps tolerate 30 seconds, signatures of webhooks five minutes. */
export const CLOCK_OFF_MS: Limits = { attention: 5 * SECOND, failing: 60 * SECOND };
const DATABASE_SLOW_MS: Limits = { attention: SECOND, failing: 4 * SECOND };
/** Free bytes below which the health changes. */
const DISK_FREE_BYTES = { attention: 1024 * MB, failing: 256 * MB };

/** Delivery is stuck if emails have been due for this long and nothing has been delivered in that time. */
const DELIVERY_STUCK_MS = 10 * MINUTE;

const RANK: Record<Health, number> = { well: 0, unknown: 1, attention: 2, failing: 3 };

/** The worst health. */
const worst = (...all: Health[]): Health =>
  all.reduce((a, b) => (RANK[b] > RANK[a] ? b : a), 'well' as Health);

function beyond(amount: number | null, { attention, failing }: Limits): Health {
  if (amount === null) return 'well';
  if (failing !== null && amount >= failing) return 'failing';
  return amount >= attention ? 'attention' : 'well';
}

const age = (now: Date, since: Date | null): number | null => since && now.getTime() - since.getTime();

/** The health of the database, which has already responded. */
export const databaseHealth = (facts: { answered_ms: number; own_version: boolean }): Health =>
  facts.own_version ? beyond(facts.answered_ms, DATABASE_SLOW_MS) : 'failing';

export interface PaymentFacts {
  /** The last run of this process's sweeper; null before its first run, a minute after the start. */
  last_sweep_at: Date | null;
  started_at: Date;
  /** The first request that Stripe did not answer, until it answers one. */
  unanswered_since: Date | null;
  last_event_at: Date | null;
  has_subscriptions: boolean;
  oldest_open_event_at: Date | null;
}

/** The health of data from Stripe: events, and the sweeper that catches up on missed ones. */
export function paymentsHealth(facts: PaymentFacts, now: Date): Health {
  const swept = beyond(age(now, facts.last_sweep_at ?? facts.started_at), SWEEP_LATE_MS);
  const silent = facts.has_subscriptions
    ? beyond(
        facts.last_event_at ? age(now, facts.last_event_at) : STRIPE_SILENT_MS.attention,
        STRIPE_SILENT_MS,
      )
    : 'well';
  return worst(
    swept,
    silent,
    beyond(age(now, facts.unanswered_since), UNANSWERED_MS),
    beyond(age(now, facts.oldest_open_event_at), EVENT_OPEN_MS),
  );
}

/** The health of email, by the wait of the oldest one. Without a mail server nothing is ever sent. */
export const emailHealth = (facts: { sends: boolean; oldest_at: Date | null }, now: Date): Health =>
  facts.sends ? beyond(age(now, facts.oldest_at), EMAIL_WAITS_MS) : 'attention';

/** The demo makes no backups: it can be recreated at any time. */
export const BACKUP_PLANS = ['daily', 'off', 'demo'] as const;
type BackupPlanName = (typeof BACKUP_PLANS)[number];
/** The first backup is made within a minute of the start, and takes a moment. */
const FIRST_BACKUP_MS = 10 * 60_000;

interface BackupFacts {
  /** False if the database server's operator makes the backups, which this process cannot see. */
  made_here: boolean;
  plan: BackupPlanName;
  last_at: Date | null;
  /** The latest attempt of this process, if it failed. */
  failed_at: Date | null;
  started_at: Date;
}

/**
 * The health of backups. No backup at all is as bad as an old one, unless the server has only just started; a failed
 * attempt counts even beside a fresh backup.
 */
export function backupHealth(
  { made_here, plan, last_at, failed_at, started_at }: BackupFacts,
  now: Date,
): Health {
  if (!made_here) return 'unknown';
  if (plan === 'demo') return 'well';
  const comesSoon = plan === 'daily' && !failed_at && now.getTime() - started_at.getTime() < FIRST_BACKUP_MS;
  if (last_at === null) return comesSoon ? 'well' : 'attention';
  return worst(failed_at ? 'attention' : 'well', beyond(age(now, last_at), BACKUP_OLD_MS));
}

/** The health of the disk that holds the data folder. */
export function diskHealth(free_bytes: number | null): Health {
  if (free_bytes === null) return 'unknown';
  if (free_bytes < DISK_FREE_BYTES.failing) return 'failing';
  return free_bytes < DISK_FREE_BYTES.attention ? 'attention' : 'well';
}

/** The health of the machine's clock, from how much other clocks differ from it; null for those not heard yet. */
export const clockHealth = (skews_ms: (number | null)[]): Health =>
  worst(...skews_ms.map((it) => beyond(it === null ? null : Math.abs(it), CLOCK_OFF_MS)));

/** The health from the numbers of failed items that are being retried or wait for staff. */
export const leftoversHealth = (counts: number[]): Health =>
  counts.some((count) => count > 0) ? 'attention' : 'well';

/**
 * Whether emails wait because no process delivers them. An unreachable mail server or many emails at once do not count:
 * this process still attempts delivery then.
 */
export function isDeliveryStuck(facts: { due_at: Date | null; delivered_at: Date }, now: Date): boolean {
  const overdue = age(now, facts.due_at) ?? 0;
  return overdue > DELIVERY_STUCK_MS && now.getTime() - facts.delivered_at.getTime() > DELIVERY_STUCK_MS;
}

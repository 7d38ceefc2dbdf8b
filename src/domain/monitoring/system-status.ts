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
const UNANSWERED_MS: Limits = { attention: 0, failing: 15 * MINUTE };
/** The sweeper processes an event after five minutes; Stripe stops retrying after three days. */
export const EVENT_OPEN_MS: Limits = { attention: 15 * MINUTE, failing: DAY };
/** Every member who pays by card causes an event a month. */
const STRIPE_SILENT_MS: Limits = { attention: 35 * DAY, failing: null };
const EMAIL_WAITS_MS: Limits = { attention: 15 * MINUTE, failing: null };
/** Emails are stuck if one has waited for this long and none was sent in that time. */
const EMAIL_STUCK_MS = HOUR;
/** A backup a day, and two hours for it to run. */
const BACKUP_OLD_MS: Limits = { attention: 26 * HOUR, failing: 2 * DAY };
/** Authenticator apps tolerate 30 seconds, signatures of webhooks five minutes. */
export const CLOCK_OFF_MS: Limits = { attention: 5 * SECOND, failing: 60 * SECOND };
const DATABASE_SLOW_MS: Limits = { attention: SECOND, failing: 4 * SECOND };
const DISK_FREE_BYTES = { attention: 1024 * MB, failing: 256 * MB };
/** How long before its end a certificate needs attention, unless a quarter of its life is shorter. */
const CERTIFICATE_ENDS_MS = 14 * DAY;

/** Delivery is stuck if emails have been due for this long and nothing has been delivered in that time. */
const DELIVERY_STUCK_MS = 10 * MINUTE;

const RANK: Record<Health, number> = { well: 0, unknown: 1, attention: 2, failing: 3 };

const worst = (...all: Health[]): Health =>
  all.reduce((a, b) => (RANK[b] > RANK[a] ? b : a), 'well' as Health);

function beyond(amount: number | null, { attention, failing }: Limits): Health {
  if (amount === null) return 'well';
  if (failing !== null && amount >= failing) return 'failing';
  return amount >= attention ? 'attention' : 'well';
}

const age = (now: Date, since: Date | null): number | null => since && now.getTime() - since.getTime();
const isTrouble = (health: Health) => health === 'attention' || health === 'failing';

/**
 * The embedded database is meant for at most this many members, former ones included: the largest club in which its memory
 * was measured (docs/performance.md, "Memory"), ten times a venue of docs/run/grow.md.
 */
export const EMBEDDED_MEMBERS = 5_000;

interface DatabaseFacts {
  kind: 'embedded' | 'postgres';
  /** Former ones included. */
  members: number;
  answered_ms: number;
  own_version: boolean;
}

/** Whether the club is larger than its database is meant for. */
export const isOutgrown = ({ kind, members }: Pick<DatabaseFacts, 'kind' | 'members'>): boolean =>
  kind === 'embedded' && members > EMBEDDED_MEMBERS;

export const databaseHealth = (facts: DatabaseFacts): Health =>
  facts.own_version
    ? worst(beyond(facts.answered_ms, DATABASE_SLOW_MS), isOutgrown(facts) ? 'attention' : 'well')
    : 'failing';

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

/** The health of what is fetched from Stripe: requests, waiting events, and the sweeper that catches up on missed ones. */
const stripeHealth = (facts: PaymentFacts, now: Date): Health =>
  worst(
    beyond(age(now, facts.last_sweep_at ?? facts.started_at), SWEEP_LATE_MS),
    beyond(age(now, facts.unanswered_since), UNANSWERED_MS),
    beyond(age(now, facts.oldest_open_event_at), EVENT_OPEN_MS),
  );

function webhooksHealth({ has_subscriptions, last_event_at }: PaymentFacts, now: Date): Health {
  if (!has_subscriptions) return 'well';
  return beyond(last_event_at ? age(now, last_event_at) : STRIPE_SILENT_MS.attention, STRIPE_SILENT_MS);
}

export const paymentsHealth = (facts: PaymentFacts, now: Date): Health =>
  worst(stripeHealth(facts, now), webhooksHealth(facts, now));

interface EmailFacts {
  /** False without a mail server: nothing is ever sent. */
  sends: boolean;
  /** False while emails leave from an address that no club can have. */
  own_address: boolean;
  oldest_at: Date | null;
  sent_at: Date | null;
}

/** The names that RFC 2606 and 6761 reserve: an address there is a placeholder, and receives nothing. */
const RESERVED_HOST = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/i;

/** Whether an email address, or 'Name <address>', can belong to a club: it is on no reserved domain. */
export const isOwnAddress = (from: string): boolean =>
  !RESERVED_HOST.test(from.trim().replace(/>$/, '').split('@').at(-1) ?? '');

/** The health of email. One email that is refused again and again does not mean that none goes out. */
export function emailHealth({ sends, own_address, oldest_at, sent_at }: EmailFacts, now: Date): Health {
  if (!sends) return 'attention';
  const waits = age(now, oldest_at);
  const idle = age(now, sent_at) ?? Number.POSITIVE_INFINITY;
  if (waits !== null && Math.min(waits, idle) >= EMAIL_STUCK_MS) return 'failing';
  return worst(beyond(waits, EMAIL_WAITS_MS), own_address ? 'well' : 'attention');
}

/** The demo makes no backups: it can be recreated at any time. */
export const BACKUP_PLANS = ['daily', 'off', 'demo'] as const;
type BackupPlanName = (typeof BACKUP_PLANS)[number];
/** The first backup is made within a minute of the start, and takes a moment. */
const FIRST_BACKUP_MS = 10 * 60_000;

interface BackupFacts {
  /** False if backups are made outside and their folder is not named: this process cannot see them. */
  watched: boolean;
  plan: BackupPlanName;
  last_at: Date | null;
  /** The latest attempt of this process, if it failed. */
  failed_at: Date | null;
  /** The latest attempt to copy it into the second folder, if it failed. */
  copy_failed_at: Date | null;
  started_at: Date;
}

/** No backup is as bad as an old one, except just after a start; a failed attempt counts beside a fresh one. */
export function backupHealth(
  { watched, plan, last_at, failed_at, copy_failed_at, started_at }: BackupFacts,
  now: Date,
): Health {
  if (!watched) return 'unknown';
  if (plan === 'demo') return 'well';
  const comesSoon = plan === 'daily' && !failed_at && now.getTime() - started_at.getTime() < FIRST_BACKUP_MS;
  if (last_at === null) return comesSoon ? 'well' : 'attention';
  return worst(failed_at || copy_failed_at ? 'attention' : 'well', beyond(age(now, last_at), BACKUP_OLD_MS));
}

/** Whether a daily backup is missing, or the latest try failed. One that is a few hours late may still come. */
export function isBackupMissing(backup: BackupFacts, now: Date): boolean {
  if (backup.plan !== 'daily') return false;
  const { last_at, failed_at, copy_failed_at } = backup;
  const health = backupHealth(backup, now);
  const triedAndMissing = failed_at !== null || copy_failed_at !== null || last_at === null;
  return health === 'failing' || (health === 'attention' && triedAndMissing);
}

/** The health of the disk that holds the data folder. */
export function diskHealth(free_bytes: number | null): Health {
  if (free_bytes === null) return 'unknown';
  if (free_bytes < DISK_FREE_BYTES.failing) return 'failing';
  return free_bytes < DISK_FREE_BYTES.attention ? 'attention' : 'well';
}

/** A certificate that the server was seen with. */
export interface Certificate {
  starts_at: Date;
  ends_at: Date;
}

/** The health of the certificate at the public URL; null if it could not be seen. */
export function certificateHealth(certificate: Certificate | null, now: Date): Health {
  if (!certificate) return 'unknown';
  const left = certificate.ends_at.getTime() - now.getTime();
  if (left <= 0) return 'failing';
  const life = certificate.ends_at.getTime() - certificate.starts_at.getTime();
  return left <= Math.min(CERTIFICATE_ENDS_MS, life / 4) ? 'attention' : 'well';
}

/** The health of the calls to a monitor elsewhere; `failed_at` is the latest, if it failed. */
export const heartbeatHealth = ({ failed_at }: { failed_at: Date | null }): Health =>
  failed_at ? 'attention' : 'well';

/** The health of the machine's clock, from how much other clocks differ from it; null for those not heard yet. */
export const clockHealth = (skews_ms: (number | null)[]): Health =>
  worst(...skews_ms.map((it) => beyond(it === null ? null : Math.abs(it), CLOCK_OFF_MS)));

/** The health from the numbers of failed items that are being retried or wait for staff. */
export const leftoversHealth = (counts: number[]): Health =>
  counts.some((count) => count > 0) ? 'attention' : 'well';

/** Whether no process delivers emails. An unreachable mail server or many emails do not count: delivery is tried. */
export function isDeliveryStuck(facts: { due_at: Date | null; delivered_at: Date }, now: Date): boolean {
  const overdue = age(now, facts.due_at) ?? 0;
  return overdue > DELIVERY_STUCK_MS && now.getTime() - facts.delivered_at.getTime() > DELIVERY_STUCK_MS;
}

/** What the owners are emailed about. docs/run/watch.md, "Emails about problems". */
export const ALERT_CAUSES = [
  'backup',
  'disk',
  'outbox',
  'stripe',
  'webhooks',
  'certificate',
  'dispute',
] as const;
export type AlertCause = (typeof ALERT_CAUSES)[number];

export interface Alert {
  cause: AlertCause;
  /** When it began; null if unknown. */
  since: Date | null;
}

interface SystemFacts {
  backup: BackupFacts;
  free_bytes: number | null;
  email: EmailFacts;
  payments: PaymentFacts;
  /** Null if it could not be seen, or the public URL has none. */
  certificate: Certificate | null;
  /** The newest disputed payment that staff have not dealt with. */
  disputed_at: Date | null;
}

/** What is wrong now, by the health of each part. A disputed payment is listed too, though it breaks nothing. */
export function alertsOf(facts: SystemFacts, now: Date): Alert[] {
  const { backup, email, payments } = facts;
  const found: Record<AlertCause, [boolean, since: Date | null]> = {
    backup: [isBackupMissing(backup, now), backup.failed_at ?? backup.copy_failed_at ?? backup.last_at],
    disk: [isTrouble(diskHealth(facts.free_bytes)), null],
    outbox: [email.sends && emailHealth(email, now) === 'failing', email.oldest_at],
    stripe: [
      stripeHealth(payments, now) === 'failing',
      payments.unanswered_since ?? payments.oldest_open_event_at ?? payments.last_sweep_at,
    ],
    webhooks: [isTrouble(webhooksHealth(payments, now)), payments.last_event_at],
    certificate: [isTrouble(certificateHealth(facts.certificate, now)), null],
    dispute: [facts.disputed_at !== null, facts.disputed_at],
  };
  return ALERT_CAUSES.flatMap((cause) => {
    const [holds, since] = found[cause];
    return holds ? [{ cause, since }] : [];
  });
}

/** Whether the system itself works; a disputed payment is the bank's. */
export const isSystemWell = (alerts: Pick<Alert, 'cause'>[]): boolean =>
  alerts.every(({ cause }) => cause === 'dispute');

/** A problem that was not seen for this long has ended in between: servers look every five minutes. */
const ALERT_ENDED_MS = 20 * MINUTE;
const ALERTS_APART_MS = HOUR;
/** The owners are emailed again about a problem that lasts. */
const ALERT_AGAIN_MS = DAY;

/** What is stored about a cause. */
export interface KnownAlert {
  began_at: Date;
  seen_at: Date;
  /** When the owners were last emailed about this cause. */
  sent_at: Date | null;
}

/** What to store about a cause that is seen now, and whether to email the owners: at most once an hour. */
export function nextAlert(
  known: KnownAlert | null,
  { cause, since }: Alert,
  now: Date,
): KnownAlert & { send: boolean } {
  const isOnce = cause === 'dispute';
  const goesOn =
    known !== null &&
    (isOnce
      ? since !== null && since <= known.began_at
      : now.getTime() - known.seen_at.getTime() <= ALERT_ENDED_MS);
  const began_at = goesOn ? known.began_at : now;
  const sent_at = known?.sent_at ?? null;
  const quiet = age(now, sent_at);
  const wait = sent_at === null || sent_at < began_at ? ALERTS_APART_MS : isOnce ? null : ALERT_AGAIN_MS;
  // A negative time comes from a clock that was wrong.
  const send = wait !== null && (quiet === null || quiet < 0 || quiet >= wait);
  return { began_at, seen_at: now, sent_at: send ? now : sent_at, send };
}

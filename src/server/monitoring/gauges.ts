import { setTimeout as wait } from 'node:timers/promises';
import type { BillingBacklog } from '../billing/upkeep/billing-backlog.ts';
import type { PoolState } from '../db/client.ts';
import type { EmailBacklog } from '../deliveries/email-backlog.ts';
import type { TaskRun } from '../platform/task-runs.ts';

type Prom = typeof import('@prometheus-io/client');
type Registry = InstanceType<Prom['Registry']>;

const TIME_LIMIT_MS = 3_000;

export interface GaugeSources {
  version: string;
  now(): Date;
  readEmails(): Promise<EmailBacklog>;
  readBilling(): Promise<BillingBacklog>;
  /** Null with the embedded database. */
  connections(): PoolState | null;
  billingQueue(): number;
  passwordQueue(): { running: number; waiting: number };
  openStreams(): number;
  taskRuns(): TaskRun[];
}

/** Registers gauges that are read at each scrape; the returned function reads them. Never throws. */
export function registerGauges(prom: Prom, registry: Registry, sources: GaugeSources): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new prom.Gauge({ name: `cellar_door_${name}`, help, labelNames, registers: [registry] });

  gauge('build_info', 'Always 1; the version is a label.', ['version']).set({ version: sources.version }, 1);
  const billing = gauge('billing_queue_depth', 'Work on billing that runs or waits, each user’s in turn.');
  const hashing = gauge('password_hashes_running', 'Password hashes that are being computed.');
  const hashWaiting = gauge('password_hashes_waiting', 'Password hashes that wait for their turn.');
  const streams = gauge('live_streams', 'Open streams of changes to members’ pages.');
  const pool = gauge('pool_connections', 'Connections to Postgres, by state.', ['state']);
  const poolWaiting = gauge('pool_waiting', 'Statements that wait for a connection to Postgres.');
  const lastSuccess = gauge(
    'task_last_success_timestamp_seconds',
    'When each repeated task last succeeded in this process.',
    ['task'],
  );
  const failures = gauge('task_failures', 'Failed runs of each repeated task since the start.', ['task']);
  const refreshBacklogs = registerBacklogs(gauge, sources);

  return async () => {
    billing.set(sources.billingQueue());
    const passwords = sources.passwordQueue();
    hashing.set(passwords.running);
    hashWaiting.set(passwords.waiting);
    streams.set(sources.openStreams());
    const connections = sources.connections();
    pool.set({ state: 'idle' }, connections?.idle ?? 0);
    pool.set({ state: 'busy' }, connections ? connections.total - connections.idle : 0);
    poolWaiting.set(connections?.waiting ?? 0);
    for (const { name: task, succeeded_at, failures: count } of sources.taskRuns()) {
      if (succeeded_at) lastSuccess.set({ task }, succeeded_at.getTime() / 1000);
      failures.set({ task }, count);
    }
    await refreshBacklogs();
  };
}

type MakeGauge = (name: string, help: string, labelNames?: string[]) => InstanceType<Prom['Gauge']>;

/**
 * Numbers from the database, read once per scrape. Without an answer in time `database_up` is 0, and the others are NaN
 * instead of outdated.
 */
function registerBacklogs(gauge: MakeGauge, { now, readEmails, readBilling }: GaugeSources) {
  const database = gauge('database_up', '1 when the database answered this scrape.');
  const outbox = gauge('outbox_emails', 'Emails that are not sent yet, by whether they were tried.', [
    'state',
  ]);
  const outboxAge = gauge('outbox_oldest_age_seconds', 'Age of the oldest email that is not sent yet.');
  const events = gauge('stripe_events_open', 'Stored events of Stripe that are not processed yet.');
  const eventsAge = gauge('stripe_events_oldest_age_seconds', 'Age of the oldest event not processed yet.');
  const refunds = gauge('refunds_open', 'Payments that must be given back and have not been yet.');
  const notices = gauge('staff_notices_open', 'What staff must put right by hand.');
  const age = (at: Date | null) => (at ? Math.max(0, (now().getTime() - at.getTime()) / 1000) : 0);

  return async () => {
    const answer = await inTime(Promise.all([readEmails(), readBilling()]));
    const [emails, billing] = answer ?? [null, null];
    database.set(answer ? 1 : 0);
    outbox.set({ state: 'new' }, emails ? emails.waiting - emails.retrying : Number.NaN);
    outbox.set({ state: 'retrying' }, emails?.retrying ?? Number.NaN);
    outboxAge.set(emails ? age(emails.oldest_at) : Number.NaN);
    events.set(billing?.open_events ?? Number.NaN);
    eventsAge.set(billing ? age(billing.oldest_open_event_at) : Number.NaN);
    refunds.set(billing?.open_reversals ?? Number.NaN);
    notices.set(billing?.open_notices ?? Number.NaN);
  };
}

async function inTime<T>(work: Promise<T>): Promise<T | null> {
  const timeout = wait(TIME_LIMIT_MS, null, { ref: false });
  return Promise.race([work.catch(() => null), timeout]);
}

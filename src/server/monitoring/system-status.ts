import { statfs } from 'node:fs/promises';
import type { SystemStatus } from '../../contract/system.ts';
import {
  alertsOf,
  backupHealth,
  certificateHealth,
  clockHealth,
  databaseHealth,
  diskHealth,
  emailHealth,
  heartbeatHealth,
  isOwnAddress,
  leftoversHealth,
  paymentsHealth,
} from '../../domain/monitoring/system-status.ts';
import type { Db } from '../db/client.ts';
import { isOwnVersion } from '../db/migration-state.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { customers } from '../db/schema.ts';
import { readEmailBacklog } from '../deliveries/email-backlog.ts';
import { type MonitoringContext, TASKS } from './monitoring-context.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The state of each part of the system (docs/rules/pages.md, "The system page"), for staff. */
export async function getSystemStatus(ctx: MonitoringContext): Promise<SystemStatus> {
  const { db, billing, processFacts: facts, taskRuns } = ctx;
  const now = ctx.now();
  const [database, members, stripe, outbox, disk] = await Promise.all([
    askDatabase(db, ctx.wallClock ?? ctx.now),
    db.$count(customers),
    billing.readBacklog(),
    readEmailBacklog(db),
    facts.dataDir ? readDisk(facts.dataDir) : null,
  ]);
  const { answered_ms, own_version, skew_ms } = database;
  const last_sweep_at = taskRuns.get(TASKS.sweep)?.succeeded_at ?? null;
  const skews = { database_skew_ms: skew_ms, stripe_skew_ms: facts.stripeSkewMs() };
  const { made_here, folder, daily, last, failed_at, copy } = facts.backups.lastBackup();
  const backup = {
    watched: folder !== null,
    plan: facts.stripeMode === 'demo' ? ('demo' as const) : daily ? ('daily' as const) : ('off' as const),
    last_at: last?.at ?? null,
    failed_at,
    copy_failed_at: copy?.failed_at ?? null,
    started_at: facts.startedAt,
  };
  const payments = { ...stripe, ...facts.stripeCalls, last_sweep_at, started_at: facts.startedAt };
  const from = facts.emailFrom();
  const own_address = facts.stripeMode === 'demo' || isOwnAddress(from);
  const email = { ...outbox, sends: facts.sendsEmail, own_address };
  const certificate = ctx.certificate?.current() ?? null;
  const free_bytes = disk?.free_bytes ?? null;
  const heartbeat = ctx.heartbeat?.state() ?? null;
  const alerts = alertsOf(
    { backup, free_bytes, email, payments, certificate, disputed_at: stripe.disputed_at },
    now,
  );
  const leftovers = {
    events: stripe.open_events,
    emails: outbox.retrying,
    refunds: stripe.open_reversals,
    notices: stripe.open_notices,
  };
  return {
    at: now.toISOString(),
    database: {
      health: databaseHealth({ ...database, members, kind: facts.databaseKind }),
      kind: facts.databaseKind,
      own_version,
      answered_ms,
      members,
    },
    payments: {
      health: paymentsHealth(payments, now),
      mode: facts.stripeMode ?? 'off',
      last_event_at: iso(stripe.last_event_at),
      answered_at: iso(facts.stripeCalls.answered_at),
      unanswered_since: iso(facts.stripeCalls.unanswered_since),
      last_sweep_at: iso(last_sweep_at),
      oldest_open_event_at: iso(stripe.oldest_open_event_at),
    },
    email: {
      health: emailHealth(email, now),
      sends: facts.sendsEmail,
      from,
      own_address,
      waiting: outbox.waiting,
      retrying: outbox.retrying,
      oldest_at: iso(outbox.oldest_at),
    },
    backup: {
      health: backupHealth(backup, now),
      made_here,
      watched: backup.watched,
      plan: backup.plan,
      last_at: iso(backup.last_at),
      failed_at: iso(failed_at),
      copied: copy !== null,
      copy_failed_at: iso(backup.copy_failed_at),
    },
    disk: {
      health: diskHealth(free_bytes),
      free_bytes,
      total_bytes: disk?.total_bytes ?? null,
    },
    certificate: ctx.certificate && {
      health: certificateHealth(certificate, now),
      ends_at: iso(certificate?.ends_at ?? null),
    },
    alerts: alerts.map(({ cause, since }) => ({ cause, since: iso(since) })),
    heartbeat: heartbeat && {
      health: heartbeatHealth(heartbeat),
      called_at: iso(heartbeat.called_at),
      failed_at: iso(heartbeat.failed_at),
    },
    clock: { health: clockHealth(Object.values(skews)), ...skews },
    leftovers: { health: leftoversHealth(Object.values(leftovers)), ...leftovers },
    version: {
      version: facts.version,
      newer: facts.newerRelease,
      node: process.version,
      started_at: facts.startedAt.toISOString(),
    },
  };
}

/** Reads the database's clock, taken about halfway between question and answer. */
async function askDatabase(db: Db, clock: () => Date) {
  const asked = performance.now();
  const before = clock().getTime();
  const [row] = await rowsOf<{ at: number }>(
    db,
    sql`select extract(epoch from clock_timestamp())::float8 as at`,
  );
  const after = clock().getTime();
  const answered_ms = Math.round(performance.now() - asked);
  const skew_ms = row ? Math.round(row.at * 1000 - (before + after) / 2) : null;
  return { answered_ms, skew_ms, own_version: await isOwnVersion(db) };
}

/** The space on the disk; null if the operating system does not say. */
async function readDisk(folder: string) {
  try {
    const { bavail, bsize, blocks } = await statfs(folder);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}

import { statfs } from 'node:fs/promises';
import type { SystemStatus } from '../../contract/system.ts';
import type { Check } from '../../domain/monitoring/check.ts';
import { isOwnAddress } from '../../domain/monitoring/email-check.ts';
import { type SystemFacts, systemChecks } from '../../domain/monitoring/system-checks.ts';
import { readBillingBacklog } from '../billing/upkeep/billing-backlog.ts';
import type { Db } from '../db/client.ts';
import { isOwnVersion } from '../db/migration-state.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { customers } from '../db/schema.ts';
import { readEmailBacklog } from '../deliveries/email-backlog.ts';
import { type MonitoringContext, TASKS } from './monitoring-context.ts';

/** The state of each part of the system (docs/rules/pages.md, "The system page"), for staff. */
export async function getSystemStatus(ctx: MonitoringContext): Promise<SystemStatus> {
  const at = ctx.now();
  const checks = await readChecks(ctx, at);
  return { at: at.toISOString(), checks: checks.map(({ alert: _, ...row }) => row) };
}

export async function readChecks(ctx: MonitoringContext, now: Date): Promise<Check[]> {
  return systemChecks(await readFacts(ctx), now);
}

async function readFacts(ctx: MonitoringContext): Promise<SystemFacts> {
  const { db, processFacts, taskRuns } = ctx;
  const { databaseKind: kind, startedAt: started_at, stripeMode, backups, dataDir } = processFacts;
  const [{ skew_ms, ...database }, members, stripe, outbox, disk] = await Promise.all([
    askDatabase(db, ctx.wallClock ?? ctx.now),
    db.$count(customers),
    readBillingBacklog(db),
    readEmailBacklog(db),
    dataDir ? readDisk(dataDir) : null,
  ]);
  const from = processFacts.emailFrom();
  const { made_here, folder, daily, last, failed_at, copy } = backups.lastBackup();
  return {
    database: { ...database, kind, members },
    payments: {
      ...stripe,
      ...processFacts.stripeCalls,
      mode: stripeMode ?? 'off',
      started_at,
      last_sweep_at: taskRuns.get(TASKS.sweep)?.succeeded_at ?? null,
    },
    disputed_at: stripe.disputed_at,
    email: {
      ...outbox,
      sends: processFacts.sendsEmail,
      from,
      own_address: stripeMode === 'demo' || isOwnAddress(from),
    },
    backup: {
      made_here,
      watched: folder !== null,
      plan: stripeMode === 'demo' ? 'demo' : daily ? 'daily' : 'off',
      started_at,
      last_at: last?.at ?? null,
      failed_at,
      copied: copy !== null,
      copy_failed_at: copy?.failed_at ?? null,
    },
    disk,
    certificate: ctx.certificate && (ctx.certificate.current() ?? 'unseen'),
    time_zone: ctx.venue.time_zone,
    clock: {
      // The embedded database runs on the server's own clock.
      database_skew_ms: kind === 'postgres' ? skew_ms : null,
      stripe_skew_ms: processFacts.stripeSkewMs(),
    },
    leftovers: {
      events: stripe.open_events,
      emails: outbox.retrying,
      refunds: stripe.open_reversals,
      notices: stripe.open_notices,
    },
    version: {
      version: processFacts.version,
      newer: processFacts.newerRelease,
      node: process.version,
      started_at,
    },
    heartbeat: ctx.heartbeat?.state() ?? null,
  };
}

/** Reads the database's clock, taken about halfway between question and answer. */
async function askDatabase(db: Db, clock: () => Date) {
  const start = performance.now();
  const before = clock().getTime();
  const [row] = await rowsOf<{ at: number }>(
    db,
    sql`select extract(epoch from clock_timestamp())::float8 as at`,
  );
  const after = clock().getTime();
  const answered_ms = Math.round(performance.now() - start);
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

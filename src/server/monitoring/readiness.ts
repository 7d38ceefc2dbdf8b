import { setTimeout as wait } from 'node:timers/promises';
import { isDeliveryStuck } from '../../domain/monitoring/email-check.ts';
import { isOwnVersion } from '../db/migration-state.ts';
import { readEmailBacklog } from '../deliveries/email-backlog.ts';
import { type MonitoringContext, TASKS } from './monitoring-context.ts';

/** How long a probe waits for the database, and how long its answer is shared (milliseconds). */
const TIME_LIMIT_MS = 2_000;
const SHARED_MS = 1_000;

export interface ReadinessReport {
  ready: boolean;
  checks: Record<string, string>;
}

export type Readiness = ReturnType<typeof createReadiness>;

export const STARTING: ReadinessReport = { ready: false, checks: { server: 'starting' } };
const SHUTTING_DOWN: ReadinessReport = { ready: false, checks: { server: 'shutting down' } };
const SILENT: ReadinessReport = { ready: false, checks: { server: 'ok', database: 'does not answer' } };

type Needs = Pick<MonitoringContext, 'db' | 'now' | 'taskRuns' | 'processFacts'>;

/** Whether this process should get requests (docs/run/watch.md, "See it run"). */
export function createReadiness(ctx: Needs, timeLimitMs = TIME_LIMIT_MS) {
  let isClosing = false;
  let memo: { report: Promise<ReadinessReport>; until: number } | null = null;
  const ask = () => {
    // A silent database has its own time limit; the shorter one decides.
    const timeout = wait(timeLimitMs, SILENT, { ref: false });
    return Promise.race([readReport(ctx).catch(() => SILENT), timeout]);
  };
  return {
    /** Never throws. Bounded in time, and shared by all callers within a second, because anyone may call it. */
    async check(): Promise<ReadinessReport> {
      if (isClosing) return SHUTTING_DOWN;
      if (!memo || performance.now() > memo.until) {
        memo = { report: ask(), until: Number.POSITIVE_INFINITY };
        const entry = memo;
        void entry.report.then(() => {
          entry.until = performance.now() + SHARED_MS;
        });
      }
      const report = await memo.report;
      return isClosing ? SHUTTING_DOWN : report;
    },
    /** Makes the process not ready from now on, whatever the database's state. */
    shutDown(): void {
      isClosing = true;
    },
  };
}

async function readReport({ db, now, taskRuns, processFacts }: Needs): Promise<ReadinessReport> {
  const [ownVersion, outbox] = await Promise.all([isOwnVersion(db), readEmailBacklog(db)]);
  const delivered_at = taskRuns.get(TASKS.delivery)?.succeeded_at ?? processFacts.startedAt;
  const isStuck = processFacts.sendsEmail && isDeliveryStuck({ due_at: outbox.due_at, delivered_at }, now());
  const checks = {
    server: 'ok',
    database: 'ok',
    migrations: ownVersion ? 'ok' : 'those of another version',
    outbox: isStuck ? 'emails are due and nothing delivers them' : 'ok',
  };
  return { ready: Object.values(checks).every((it) => it === 'ok'), checks };
}

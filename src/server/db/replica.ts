import { drizzle } from 'drizzle-orm/node-postgres';
import { sql } from './orm.ts';
import { openPool, type PoolLimits } from './pool.ts';
import { rowsOf } from './results.ts';
import * as schema from './schema.ts';
import { takeTurn } from './task-turn.ts';
import type { Db } from './transaction.ts';

/** Runs read-only work whose data may be a few seconds old. */
export type ReadLagging = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

export interface ReplicaOptions {
  /** A replica further behind is not read. */
  maxLagSeconds: number;
  limits?: PoolLimits;
  checkEveryMs?: number;
  /** Called when reads move to the replica (true), and back to the primary. */
  moved?: (toReplica: boolean) => void;
}

/** Shorter than the primary's limits, so that the primary can still answer in time. */
const LIMITS: PoolLimits = { connect: 1_000, query: 2_000, close: 1_000 };
const CHECK_EVERY_MS = 2_000;
/** The heartbeat row on the primary, written once a second for all servers together. */
const HEARTBEAT = 'replica heartbeat';
const BEAT_EVERY_MS = 1_000;

/**
 * Reads from a replica while it is at most `maxLagSeconds` behind, otherwise from the primary, which also repeats a read
 * that the replica fails. The lag is the primary's time minus the replica's newest heartbeat, so their clocks need not
 * agree; a database that does not follow the primary has no heartbeat, and is never read.
 */
export function openReplica(primary: Db, url: string, options: ReplicaOptions) {
  const { maxLagSeconds, limits = LIMITS, checkEveryMs = CHECK_EVERY_MS, moved } = options;
  const { pool, close: closePool } = openPool(url, limits);
  const replica: Db = drizzle({ client: pool, schema });
  let isReady = false;

  const setUsable = (isUsable: boolean) => {
    if (isReady === isUsable) return;
    isReady = isUsable;
    moved?.(isUsable);
  };
  /** Checks whether the replica may be read; `read` uses the latest result. */
  const check = async () => {
    try {
      await takeTurn(primary, HEARTBEAT, BEAT_EVERY_MS);
      const [{ at: now } = { at: Number.NaN }] = await rowsOf<{ at: number }>(
        primary,
        sql`select extract(epoch from clock_timestamp())::float8 as at`,
      );
      const [heartbeat] = await rowsOf<{ at: number }>(
        replica,
        sql`select extract(epoch from began_at)::float8 as at from scheduled_task where name = ${HEARTBEAT}`,
      );
      setUsable(heartbeat !== undefined && now - heartbeat.at <= maxLagSeconds);
    } catch {
      setUsable(false);
    }
  };
  const timer = setInterval(() => void check(), checkEveryMs);
  return {
    check,
    async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
      if (!isReady) return work(primary);
      try {
        return await work(replica);
      } catch {
        // The replica is unreachable or too slow, cancelled the read for its replay, or lacks a table of this version.
        setUsable(false);
        return work(primary);
      }
    },
    async close() {
      clearInterval(timer);
      await closePool();
    },
  };
}

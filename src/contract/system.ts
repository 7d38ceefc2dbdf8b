import { z } from 'zod';
import { BACKUP_PLANS, HEALTHS } from '../domain/monitoring/system-status.ts';
import { procedure, timestamp } from './base.ts';

const health = z.enum(HEALTHS);
const count = z.number().int().nonnegative();
/** Milliseconds by which another clock is ahead of the server's; negative if it is behind. */
const skew = z.number().nullable();

const systemStatus = z.object({
  /** By the server's clock. */
  at: timestamp,
  database: z.object({
    health,
    kind: z.enum(['embedded', 'postgres']),
    /** False when its tables are those of another version. */
    own_version: z.boolean(),
    answered_ms: z.number(),
  }),
  payments: z.object({
    health,
    mode: z.enum(['live', 'test', 'demo']),
    last_event_at: timestamp.nullable(),
    /** When this process last caught up on what no event reported. */
    last_sweep_at: timestamp.nullable(),
    oldest_open_event_at: timestamp.nullable(),
  }),
  email: z.object({
    health,
    /** False without a mail server. */
    sends: z.boolean(),
    waiting: count,
    /** How many of these were tried at least once. */
    retrying: count,
    oldest_at: timestamp.nullable(),
  }),
  backup: z.object({
    health,
    /** False if the database is on a Postgres server, with backups of its own. */
    made_here: z.boolean(),
    /** Whether one is made each day; the demo makes none. */
    plan: z.enum(BACKUP_PLANS),
    /** Null before the first one. */
    last_at: timestamp.nullable(),
    /** When the last try of this process was made, if it failed. */
    failed_at: timestamp.nullable(),
  }),
  disk: z.object({ health, free_bytes: z.number().nullable(), total_bytes: z.number().nullable() }),
  clock: z.object({ health, database_skew_ms: skew, stripe_skew_ms: skew }),
  leftovers: z.object({ health, events: count, emails: count, refunds: count, notices: count }),
  version: z.object({ version: z.string(), node: z.string(), started_at: timestamp }),
});
export type SystemStatus = z.infer<typeof systemStatus>;

export const system = {
  get: procedure
    .route({
      method: 'GET',
      path: '/system',
      summary: 'Get the state of the system',
      description: 'Whether database, payments, email, backup, disk and clock are well.',
    })
    .output(systemStatus),
};

import { z } from 'zod';
import { ALERT_CAUSES, BACKUP_PLANS, HEALTHS } from '../domain/monitoring/system-status.ts';
import { GET, timestamp } from './base.ts';

const health = z.enum(HEALTHS);
const count = z.number().int().nonnegative();
/** The milliseconds that another clock is ahead of the server's; negative if behind. */
const skew = z.number().nullable();

const systemStatus = z.object({
  at: timestamp,
  database: z.object({
    health,
    kind: z.enum(['embedded', 'postgres']),
    /** False if the tables belong to another version. */
    own_version: z.boolean(),
    answered_ms: z.number(),
    /** Members, former ones included. */
    members: count,
  }),
  payments: z.object({
    health,
    /** off: members pay at the venue. */
    mode: z.enum(['live', 'test', 'demo', 'off']),
    last_event_at: timestamp.nullable(),
    /** When Stripe last answered this process. */
    answered_at: timestamp.nullable(),
    /** The first request that Stripe did not answer, until it answers one. */
    unanswered_since: timestamp.nullable(),
    /** When this process last caught up on changes that no event reported. */
    last_sweep_at: timestamp.nullable(),
    oldest_open_event_at: timestamp.nullable(),
  }),
  email: z.object({
    health,
    sends: z.boolean(),
    /** The address that emails come from, with a name if the configuration gives one. */
    from: z.string(),
    /** False if that is a placeholder. */
    own_address: z.boolean(),
    waiting: count,
    /** Emails that were tried at least once. */
    retrying: count,
    oldest_at: timestamp.nullable(),
  }),
  backup: z.object({
    health,
    /** False for a database on a Postgres server: its backups are made outside. */
    made_here: z.boolean(),
    /** False if they are made outside and BACKUP_DIR does not say where. */
    watched: z.boolean(),
    /** Says whether a backup is made each day; the demo makes none. */
    plan: z.enum(BACKUP_PLANS),
    last_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    /** Whether each backup is also copied into a second folder. */
    copied: z.boolean(),
    /** This process's last attempt to copy a backup, if it failed. */
    copy_failed_at: timestamp.nullable(),
  }),
  disk: z.object({ health, free_bytes: z.number().nullable(), total_bytes: z.number().nullable() }),
  /** The certificate at the public URL; null if that is not https. `ends_at` is null before it was seen. */
  certificate: z.object({ health, ends_at: timestamp.nullable() }).nullable(),
  /** What the owners are emailed about. `since` is null if that is not known. */
  alerts: z.array(z.object({ cause: z.enum(ALERT_CAUSES), since: timestamp.nullable() })),
  /** Calls of this process to HEARTBEAT_URL; null without one. */
  heartbeat: z
    .object({
      health,
      called_at: timestamp.nullable(),
      failed_at: timestamp.nullable(),
    })
    .nullable(),
  clock: z.object({ health, database_skew_ms: skew, stripe_skew_ms: skew }),
  leftovers: z.object({ health, events: count, emails: count, refunds: count, notices: count }),
  version: z.object({
    version: z.string(),
    /** The newest release, if it is newer than this one. Null too without UPDATE_URL, where no server is asked. */
    newer: z.string().nullable(),
    node: z.string(),
    started_at: timestamp,
  }),
});
export type SystemStatus = z.infer<typeof systemStatus>;

export const system = {
  get: GET('/system', {
    summary: 'Get the state of the system',
    description: 'Whether database, payments, email, backup, disk, certificate and clock are OK.',
  }).output(systemStatus),
};

import type { Logger } from 'pino';
import { CLOCK_SKEW_MS } from '../../domain/calendar.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, asc, eq, gt, isNull, lte, not, or, type PgColumn, type SQL, sql } from '../db/orm.ts';
import { deliveries } from '../db/schema.ts';

export type Delivery = typeof deliveries.$inferSelect;
export type DeliveryKind = Delivery['kind'];
export type Claimed = Delivery & { claim: string };

/**
 * How a try ended. failed: retried after the kind's next interval. held: due again as soon as the kind no longer pauses it.
 * A recurring delivery is due again at `next`; `sent` says whether this try sent anything.
 */
export type Outcome = 'sent' | 'failed' | 'held' | { givenUp: string } | { next: Date; sent: boolean };

/** What one kind of delivery needs. */
export interface Sender {
  /** Tries once. An error thrown counts as 'failed'. */
  send(row: Claimed): Promise<Outcome>;
  /** Seconds from each failed try to the next; the last one repeats. */
  retrySeconds: readonly number[];
  /** The furthest ahead that a right clock dates a row (milliseconds). */
  longestWaitMs: number;
  /** Rows with the same value are sent one after another, those with others at the same time. Absent: one by one. */
  lane?: PgColumn;
  /** The most rows of a lane in one turn; the rest comes with the next. */
  batch: number;
  /** Rows that are not sent for now. */
  paused?: SQL;
  /** Moves a time out of quiet hours. */
  notBefore?(at: Date): Date;
}

interface Delivered {
  sent: number;
  failed: number;
}

/** Sends what is due. Every server of a database may run it: each row is claimed. */
export interface Deliveries {
  /** All kinds, or one. A lane that is still being sent from is left out, so a slow one delays no other. */
  deliver(kind?: DeliveryKind): Promise<Delivered>;
}

interface DeliveriesDeps {
  db: Db;
  now(): Date;
  newId(): string;
  log: Logger;
}

/** 30 seconds, doubled each time, at most 6 hours. */
export const DOUBLING_SECONDS: readonly number[] = [
  ...Array.from({ length: 10 }, (_, index) => 30 * 2 ** index),
  6 * 3600,
];

const LANES = 20;
/** A claimed row is tried again after this if the process dies: longer than a try can take. */
const CLAIM_MS = 60_000;

/** The one way to send something later. Kinds without a sender stay in the database. */
export function createDeliveries(
  deps: DeliveriesDeps,
  senders: Partial<Record<DeliveryKind, Sender>>,
): Deliveries {
  const busyLanes = new Set<string>();
  const inLane = async (kind: DeliveryKind, sender: Sender, lane: string | null) => {
    const name = `${kind} ${lane}`;
    if (busyLanes.has(name)) return { sent: 0, failed: 0 };
    busyLanes.add(name);
    try {
      return await sendLane(deps, kind, sender, lane);
    } finally {
      busyLanes.delete(name);
    }
  };
  return {
    async deliver(kindOnly) {
      const kinds = Object.entries(senders) as [DeliveryKind, Sender][];
      const results = await Promise.all(
        kinds.map(async ([kind, sender]) => {
          if (kindOnly && kind !== kindOnly) return [];
          const lanes = await dueLanes(deps, kind, sender);
          return Promise.all(lanes.map((lane) => inLane(kind, sender, lane)));
        }),
      );
      const counts = results.flat();
      const total = (key: keyof Delivered) => counts.reduce((sum, it) => sum + it[key], 0);
      return { sent: total('sent'), failed: total('failed') };
    },
  };
}

type NewDelivery = typeof deliveries.$inferInsert;

/** Stores deliveries, except those whose cause was used before, in the caller's transaction. Returns how many. */
export async function enqueue(db: Db | Tx, rows: NewDelivery[]): Promise<number> {
  const storedRows = await db
    .insert(deliveries)
    .values(rows)
    .onConflictDoNothing({ target: [deliveries.kind, deliveries.cause] })
    .returning({ id: deliveries.id });
  return storedRows.length;
}

/** Sets a row back to before its first try: due at once. */
export const AS_NEW = {
  attempts: 0,
  first_attempt_at: null,
  due_at: null,
  claim: null,
  outcome: null,
  reason: null,
  finished_at: null,
} satisfies Partial<Delivery>;

/**
 * Unfinished rows whose time has come. A row further ahead than anything waits was dated by a clock that was wrong:
 * docs/rules/README.md, "A clock that was wrong".
 */
function isDue(kind: DeliveryKind, { longestWaitMs, paused }: Sender, at: Date) {
  const { due_at, outcome } = deliveries;
  const tooFarAhead = new Date(at.getTime() + longestWaitMs + CLOCK_SKEW_MS);
  return and(
    eq(deliveries.kind, kind),
    isNull(outcome),
    or(isNull(due_at), lte(due_at, at), gt(due_at, tooFarAhead)),
    paused && not(paused),
  );
}

/** The lanes with something due, the longest waiting first. */
async function dueLanes({ db, now }: DeliveriesDeps, kind: DeliveryKind, sender: Sender) {
  if (!sender.lane) return [null];
  const rows = await db
    .select({ lane: sql<string>`${sender.lane}` })
    .from(deliveries)
    .where(isDue(kind, sender, now()))
    .groupBy(sender.lane)
    .orderBy(sql`min(coalesce(${deliveries.due_at}, '-infinity'))`)
    .limit(LANES);
  return rows.map(({ lane }) => lane);
}

async function sendLane(
  deps: DeliveriesDeps,
  kind: DeliveryKind,
  sender: Sender,
  lane: string | null,
): Promise<Delivered> {
  const counts = { sent: 0, failed: 0 };
  for (let turn = 0; turn < sender.batch; turn += 1) {
    const row = await claim(deps, kind, sender, lane);
    if (!row) break;
    if (row.expires_at && row.expires_at <= deps.now()) {
      await settle(deps, sender, row, { givenUp: 'expired' });
      continue;
    }
    const outcome = await attempt(deps, sender, row);
    await settle(deps, sender, row, outcome);
    if (outcome === 'sent' || (typeof outcome === 'object' && 'sent' in outcome && outcome.sent)) {
      counts.sent += 1;
    } else if (typeof outcome === 'string' || 'givenUp' in outcome) counts.failed += 1;
  }
  return counts;
}

/** Claims the oldest due row of a lane by postponing it; null when there is none that no other process claimed. */
async function claim(
  { db, now, newId }: DeliveriesDeps,
  kind: DeliveryKind,
  sender: Sender,
  lane: string | null,
): Promise<Claimed | null> {
  const at = now();
  const claim = newId();
  const { id, attempts, first_attempt_at, due_at, created_at } = deliveries;
  const next = db
    .select({ id })
    .from(deliveries)
    .where(and(isDue(kind, sender, at), sender.lane && eq(sender.lane, lane)))
    .orderBy(sql`${due_at} asc nulls first`, asc(created_at), asc(id))
    .limit(1)
    .for('update', { skipLocked: true });
  const [row] = await db
    .update(deliveries)
    .set({
      claim,
      attempts: sql`${attempts} + 1`,
      first_attempt_at: sql`coalesce(${first_attempt_at}, ${at.toISOString()}::timestamptz)`,
      due_at: later(sender, at, CLAIM_MS),
    })
    .where(eq(id, sql`(${next})`))
    .returning();
  return row ? { ...row, claim } : null;
}

async function attempt({ log }: DeliveriesDeps, sender: Sender, row: Claimed): Promise<Outcome> {
  try {
    return await sender.send(row);
  } catch (error) {
    const { id, kind, attempts } = row;
    log.warn({ err: error, delivery_id: id, kind, attempts }, 'delivery failed');
    return 'failed';
  }
}

/** Writes down how a try ended, unless the row was made due again meanwhile. */
async function settle({ db, now }: DeliveriesDeps, sender: Sender, row: Claimed, outcome: Outcome) {
  const isOurs = and(eq(deliveries.id, row.id), eq(deliveries.claim, row.claim));
  await db
    .update(deliveries)
    .set(changeOf(sender, row, outcome, now()))
    .where(isOurs);
}

function changeOf(sender: Sender, row: Claimed, outcome: Outcome, at: Date): Partial<NewDelivery> {
  if (outcome === 'held') return { due_at: null };
  if (outcome === 'failed') {
    const { retrySeconds } = sender;
    const seconds = retrySeconds[Math.min(row.attempts, retrySeconds.length) - 1] ?? 0;
    return { due_at: later(sender, at, seconds * 1000) };
  }
  if (typeof outcome === 'object' && 'next' in outcome) return { attempts: 0, due_at: outcome.next };
  return {
    ...(outcome === 'sent' ? { outcome } : { outcome: 'given_up', reason: outcome.givenUp }),
    finished_at: at,
    payload: null,
    ...(row.user_id === null && { recipient: null }),
  };
}

function later({ notBefore }: Sender, at: Date, ms: number): Date {
  const time = new Date(at.getTime() + ms);
  return notBefore ? notBefore(time) : time;
}

import type { Db } from '../../db/client.ts';
import { billing_act } from '../../db/schema.ts';
import { isOpenMove, type MoveAct } from './acts.ts';
import {
  type MoveContext,
  type MoveReport,
  membersOf,
  NOBODY,
  stepOf,
  tierCalled,
} from './announce-moves.ts';

/** The effect of announcing a move, without doing it. */
export interface MovePreview extends MoveReport {
  price_cents: number;
  monthly_pours: number;
  /** The first and last renewals at the new price; null if nobody would pay it. */
  first_at: Date | null;
  last_at: Date | null;
}

/** The members whom a move of a whole tier would notify, and when it would take effect. Throws Refusal NOT_FOUND. */
export async function previewMoves(
  ctx: Pick<MoveContext, 'db' | 'currency' | 'now'>,
  { tier, to = tier }: { tier: string; to?: string | undefined },
): Promise<MovePreview> {
  const { db } = ctx;
  const target = await tierCalled(db, to);
  const announced = new Set((await openMoves(db)).map(({ user_id }) => user_id));
  const report: MoveReport = { ...NOBODY };
  const days: number[] = [];
  for (const { subscription } of await membersOf(db, { tier })) {
    const step = subscription ? stepOf(subscription, target, ctx) : 'at_venue';
    const isAnnounced = announced.has(subscription?.user_id ?? '');
    if (step instanceof Date && !isAnnounced) days.push(step.getTime());
    report[step instanceof Date ? (isAnnounced ? 'already_announced' : 'announced') : step] += 1;
  }
  const { monthly_price_cents: price_cents, monthly_pours } = target;
  days.sort((a, b) => a - b);
  const at = (day: number | undefined) => (day === undefined ? null : new Date(day));
  return { ...report, price_cents, monthly_pours, first_at: at(days[0]), last_at: at(days.at(-1)) };
}

async function openMoves(db: Db): Promise<{ user_id: string; to: string; effective_at: Date }[]> {
  const moves = await db.select().from(billing_act).where(isOpenMove).orderBy(billing_act.starts_at);
  return (moves as MoveAct[]).map(({ user_id, terms, starts_at }) => ({
    user_id,
    to: terms.to_tier,
    effective_at: starts_at,
  }));
}

/** Open moves per tier, and when they take effect. */
export async function countMoves(
  db: Db,
): Promise<Map<string, { count: number; first_at: Date; last_at: Date }>> {
  const counts = new Map<string, { count: number; first_at: Date; last_at: Date }>();
  for (const { to, effective_at } of await openMoves(db)) {
    const { count, first_at } = counts.get(to) ?? { count: 0, first_at: effective_at };
    counts.set(to, { count: count + 1, first_at, last_at: effective_at });
  }
  return counts;
}

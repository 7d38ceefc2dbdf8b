import { Refusal } from '../../../contract/refusals.ts';
import { localDate } from '../../../domain/calendar.ts';
import { duesState, YEAR_MONTHS } from '../../../domain/membership/dues.ts';
import { type LastYear, type TierUp, tiersUp } from '../../../domain/membership/year.ts';
import { venueTierObstacle } from '../../../domain/tier-change.ts';
import type { Db, Tx } from '../../db/client.ts';
import { asc, sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { type memberships, tier_definitions } from '../../db/schema.ts';

type Membership = typeof memberships.$inferSelect;

/** The year that an active membership is paid with, if nothing paid follows it; null without one. */
export async function lastYear(
  db: Db | Tx,
  { id, tier, start_date, paid_until, paid_months }: Membership,
): Promise<LastYear | null> {
  if (paid_until === null || paid_months !== YEAR_MONTHS) return null;
  const [paid] = await rowsOf<{ year_cents: number }>(
    db,
    sql`select (${YEAR_MONTHS}::integer * p.month_cents)::float8 as year_cents from last_payment(${id}) p`,
  );
  return paid ? { start_date, paid_until, tier, ...paid } : null;
}

/**
 * What a dearer tier costs for the rest of a member's year, online or at the till. Throws Refusal DUES_REFUSED,
 * TIER_CHANGE_REFUSED or TIER_NOT_AVAILABLE. docs/rules/years.md, "Up within the year".
 */
export async function priceTierUp(ctx: OfferContext, membership: Membership, to: string): Promise<TierUp> {
  if (membership.paid_until === null) throw new Refusal('DUES_REFUSED', { reason: 'by_card' });
  const state = duesState(membership, localDate(ctx.now(), ctx.venue.time_zone));
  const isUnpaid = state === 'overdue' || state === 'ended';
  const reason = isUnpaid ? 'payment_open' : venueTierObstacle(membership, to, ctx.now());
  if (reason) throw new Refusal('TIER_CHANGE_REFUSED', { reason });
  const offer = (await offerTiersUp(ctx, membership)).find(({ tier }) => tier === to);
  if (!offer) throw new Refusal('TIER_NOT_AVAILABLE');
  return offer;
}

type OfferContext = { db: Db | Tx; now(): Date; venue: { time_zone: string } };

/** The dearer tiers that a member at the venue can have for the rest of their year, in the venue's order. */
export async function offerTiersUp(
  { db, now, venue }: OfferContext,
  membership: Membership,
): Promise<TierUp[]> {
  if (venueTierObstacle(membership, null, now())) return [];
  const year = await lastYear(db, membership);
  if (!year) return [];
  const tiers = await db
    .select()
    .from(tier_definitions)
    .orderBy(asc(tier_definitions.sort_order), asc(tier_definitions.monthly_price_cents));
  return tiersUp(year, tiers, localDate(now(), venue.time_zone));
}

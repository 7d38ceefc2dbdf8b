import { Refusal } from '../../contract/refusals.ts';
import type { TierDefinition, TierName } from '../../contract/tiers.ts';
import { toMajorUnits } from '../../domain/money.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, asc, eq } from '../db/orm.ts';
import { tier_definitions } from '../db/schema.ts';
import { benefitsOfTiers } from './tier-benefits.ts';
import { rolloverOfTiers } from './tier-rollover.ts';

type Row = typeof tier_definitions.$inferSelect;

interface TierContext {
  db: Db;
  /** ISO code in lowercase. */
  currency: string;
}

async function toTiers(rows: Row[], { db, currency }: TierContext): Promise<TierDefinition[]> {
  const rollover = await rolloverOfTiers(db);
  const benefits = await benefitsOfTiers(db);
  return rows.map((row) => ({
    ...toTier(row, currency),
    rollover_glasses: rollover.get(row.tier_name) ?? 0,
    benefits: benefits.get(row.tier_name) ?? [],
  }));
}

/** The API gives dollars (or another currency) per month, the table holds cents. */
function toTier(row: Row, currency: string) {
  const { monthly_price_cents, yearly_price_cents, sort_order: _, ...rest } = row;
  return {
    ...rest,
    monthly_price: toMajorUnits(monthly_price_cents, currency),
    yearly_price: yearly_price_cents === null ? null : toMajorUnits(yearly_price_cents, currency),
  };
}

/** Tiers on offer, in the venue's order, or by price if it set none, cheapest first. */
export async function listTiers(ctx: TierContext): Promise<TierDefinition[]> {
  const rows = await ctx.db
    .select()
    .from(tier_definitions)
    .where(eq(tier_definitions.is_active, true))
    .orderBy(asc(tier_definitions.sort_order), asc(tier_definitions.monthly_price_cents));
  return toTiers(rows, ctx);
}

export async function listTierNames({ db }: TierContext): Promise<TierName[]> {
  return db
    .select({ tier_name: tier_definitions.tier_name, display_name: tier_definitions.display_name })
    .from(tier_definitions)
    .orderBy(asc(tier_definitions.sort_order), asc(tier_definitions.monthly_price_cents));
}

/** Throws Refusal NOT_FOUND. */
export async function getTier(
  ctx: TierContext,
  { tier_name }: { tier_name: string },
): Promise<TierDefinition> {
  const rows = await ctx.db.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tier_name));
  const [tier] = await toTiers(rows, ctx);
  if (!tier) throw new Refusal('NOT_FOUND', { what: 'tier' });
  return tier;
}

/** Throws Refusal TIER_NOT_AVAILABLE for a tier that is not on offer. */
export async function assertOffered(tx: Tx, tier_name: string): Promise<void> {
  const isOffered = and(eq(tier_definitions.tier_name, tier_name), eq(tier_definitions.is_active, true));
  if ((await tx.$count(tier_definitions, isOffered)) === 0) throw new Refusal('TIER_NOT_AVAILABLE');
}

import { asc, eq } from 'drizzle-orm';
import type { TierDefinition } from '../../contract/tiers.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Db } from '../db/client.ts';
import { tier_definitions } from '../db/schema.ts';

type Row = typeof tier_definitions.$inferSelect;

/** The API gives dollars per month, the table holds cents. */
function toTier({ monthly_price_cents, ...rest }: Row): TierDefinition {
  return { ...rest, monthly_price: monthly_price_cents / 100 };
}

/** Tiers on offer, cheapest first. */
export async function listTiers({ db }: { db: Db }): Promise<TierDefinition[]> {
  const rows = await db
    .select()
    .from(tier_definitions)
    .where(eq(tier_definitions.is_active, true))
    .orderBy(asc(tier_definitions.monthly_price_cents));
  return rows.map(toTier);
}

/** Throws Refusal NOT_FOUND. */
export async function getTier(
  { db }: { db: Db },
  { tier_name }: { tier_name: string },
): Promise<TierDefinition> {
  const [row] = await db.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tier_name));
  if (!row) throw new Refusal('NOT_FOUND', { what: 'tier' });
  return toTier(row);
}

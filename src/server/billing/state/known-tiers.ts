import type { Db, Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { tier_definitions, tier_price } from '../../db/schema.ts';
import { productId } from '../catalog.ts';
import type { KnownTiers } from './membership-item.ts';

/**
 * The tiers with their prices, retired and archived ones too. `locked`: held, in a transaction, against a change of their
 * glasses, which corrects existing grants: it happens before the grants written here, or after.
 */
export async function readTiers(db: Db | Tx, { locked } = { locked: false }): Promise<KnownTiers> {
  const tiers = db
    .select({
      name: tier_definitions.tier_name,
      monthly_pours: tier_definitions.monthly_pours,
      price: tier_price,
    })
    .from(tier_definitions)
    .leftJoin(tier_price, eq(tier_price.tier_name, tier_definitions.tier_name));
  const rows = await (locked ? tiers.for('key share', { of: tier_definitions }) : tiers);
  const monthlyPours = new Map(rows.map(({ name, monthly_pours }) => [name, monthly_pours]));
  const prices = rows.flatMap(({ price }) => price ?? []);
  return {
    monthlyPours,
    tierOfPrice: new Map(prices.map((it) => [it.stripe_price_id, it])),
    tierOfProduct: tiersByProduct(monthlyPours.keys(), prices),
  };
}

/** Our tiers by product at Stripe. A product that sells several tiers, as adopted ones may, is left out. */
export function tiersByProduct(
  tiers: Iterable<string>,
  prices: { stripe_product_id: string; tier_name: string }[],
): Map<string, string> {
  const named = new Map<string, string | null>([...tiers].map((tier) => [productId(tier), tier]));
  for (const { stripe_product_id, tier_name } of prices) {
    const known = named.has(stripe_product_id) ? named.get(stripe_product_id) : tier_name;
    named.set(stripe_product_id, known === tier_name ? tier_name : null);
  }
  return new Map([...named].flatMap(([product, tier]) => (tier ? [[product, tier] as const] : [])));
}

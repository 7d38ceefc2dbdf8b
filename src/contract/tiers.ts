import { z } from 'zod';
import { procedure, text } from './base.ts';
import { refusals } from './refusals.ts';

const tier = z.object({
  tier_name: z.string(),
  display_name: z.string(),
  /** Per month, in dollars or whatever the venue's currency is. */
  monthly_price: z.number(),
  monthly_pours: z.number().int(),
  description: z.string(),
  is_active: z.boolean(),
  /** The venue recommends it; one tier at most. */
  is_featured: z.boolean(),
});
export type TierDefinition = z.infer<typeof tier>;

const tierName = tier.pick({ tier_name: true, display_name: true });
export type TierName = z.infer<typeof tierName>;

export const tiers = {
  /** Tiers on offer, in the venue's order; without one, cheapest first. */
  list: procedure.route({ method: 'GET', path: '/tiers' }).output(z.array(tier)),
  /** What every tier is called, those no longer on offer too, in the venue's order. */
  listNames: procedure.route({ method: 'GET', path: '/tier-names' }).output(z.array(tierName)),
  /** Any tier by name, even one no longer on offer. */
  get: procedure
    .route({ method: 'GET', path: '/tiers/{tier_name}' })
    .input(z.strictObject({ tier_name: text(50) }))
    .errors(refusals('NOT_FOUND'))
    .output(tier),
};

import { z } from 'zod';
import { procedure, text } from './base.ts';
import { refusals } from './refusals.ts';

const tier = z.object({
  tier_name: z.string(),
  display_name: z.string(),
  /** Dollars per month. */
  monthly_price: z.number(),
  monthly_pours: z.number().int(),
  description: z.string(),
  is_active: z.boolean(),
});
export type TierDefinition = z.infer<typeof tier>;

export const tiers = {
  /** Tiers on offer, cheapest first. */
  list: procedure.route({ method: 'GET', path: '/tiers' }).output(z.array(tier)),
  /** Any tier by name, even one no longer on offer. */
  get: procedure
    .route({ method: 'GET', path: '/tiers/{tier_name}' })
    .input(z.strictObject({ tier_name: text(50) }))
    .errors(refusals('NOT_FOUND'))
    .output(tier),
};

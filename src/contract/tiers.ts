import { z } from 'zod';
import { BENEFIT_UNITS } from '../domain/membership/benefit.ts';
import { cents, day, GET, id } from './base.ts';
import { refusals } from './refusals.ts';
import { text } from './text.ts';

/** What a tier gives beside its pours: docs/rules/benefits.md. */
export const benefit = z.object({
  id,
  words: z.string(),
  /** For how long the number counts; null, like the number, for a standing one. */
  every: z.enum(BENEFIT_UNITS).nullable(),
  number: z.number().int().nullable(),
});

export const tier = z.object({
  tier_name: z.string(),
  display_name: z.string(),
  /** Price per month, in the venue's currency. */
  monthly_price: z.number(),
  /** Price of twelve months paid at once; null if the tier is sold by the month only. */
  yearly_price: z.number().nullable(),
  monthly_pours: z.number().int(),
  description: z.string(),
  /** The number of adults who share it: 2 for a household. */
  people: z.number().int(),
  guest_glasses: z.number().int(),
  /** The limit for billing periods that begin from now on. */
  rollover_glasses: z.number().int(),
  /** In the tier's order. */
  benefits: z.array(benefit),
  /** Whether the tier is on offer. A retired one keeps its members and takes no new ones. */
  is_active: z.boolean(),
  /** Recommended by the venue; at most one tier is. */
  is_featured: z.boolean(),
});
export type TierDefinition = z.infer<typeof tier>;

const tierName = tier.pick({ tier_name: true, display_name: true });
export type TierName = z.infer<typeof tierName>;

/** Another tier that staff scheduled for a membership at the venue: its first day, and its price a month. */
export const pendingTier = z.object({ tier: z.string(), from: day, price_cents: cents });

/** A dearer tier for the rest of a year that is paid once: the months that have not begun, and the difference for them. */
export const tierUp = z.object({ tier: z.string(), months: z.number().int(), amount_cents: cents });

export const tiers = {
  list: GET('/tiers', {
    summary: 'List the tiers on offer',
    description: "In the venue's order; without one, cheapest first.",
  }).output(z.array(tier)),
  listNames: GET('/tier-names', {
    summary: 'List what every tier is called',
    description: "Those no longer on offer too, in the venue's order.",
  }).output(z.array(tierName)),
  get: GET('/tiers/{tier_name}', {
    summary: 'Get a tier',
    description: 'Any tier by name, even one no longer on offer.',
  })
    .input(z.strictObject({ tier_name: text(50) }))
    .errors(refusals('NOT_FOUND'))
    .output(tier),
  getOnOffer: GET('/tiers/{tier_name}/offer', {
    summary: 'Get a tier that a visitor can join by card',
    description: 'Without a session: the club’s page shows the same.',
  })
    .input(z.strictObject({ tier_name: text(50) }))
    .errors(refusals('TIER_NOT_AVAILABLE', 'PAYMENTS_OFF', 'JOINING_CLOSED'))
    .output(tier),
};

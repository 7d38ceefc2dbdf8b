/** Tiers a customer can choose when joining (spec section 3, customer side). */
export const JOINABLE_TIERS = ['select', 'premier', 'elite', 'household'] as const;

/** Tiers only old applications still carry (spec section 3, staff side); kept inactive so they read well. */
export const LEGACY_TIERS = ['reserve', 'connoisseur'] as const;

export const TIERS = [...JOINABLE_TIERS, ...LEGACY_TIERS] as const;

export type JoinableTier = (typeof JOINABLE_TIERS)[number];
export type Tier = (typeof TIERS)[number];

/** An application without a tier is read as this one (spec section 3). */
export const DEFAULT_TIER: Tier = 'select';

/** The badge label of a tier: 'premier' -> 'Premier'. Unknown names are shown capitalised, never dropped. */
export function tierLabel(tier: string): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1);
}

export function isJoinable(tier: string | null | undefined): tier is JoinableTier {
  return JOINABLE_TIERS.some((name) => name === tier);
}

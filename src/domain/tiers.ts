/** Tiers a member can choose when joining (docs/rules.md, "Tiers"). */
export const JOINABLE_TIERS = ['select', 'premier', 'elite', 'household'] as const;

/** Tiers that only old applications name; kept as inactive so that those still show a label. */
const LEGACY_TIERS = ['reserve', 'connoisseur'] as const;

export const TIERS = [...JOINABLE_TIERS, ...LEGACY_TIERS] as const;

export type JoinableTier = (typeof JOINABLE_TIERS)[number];
export type Tier = (typeof TIERS)[number];

/** The tier of an application that names none. */
export const DEFAULT_TIER: Tier = 'select';

/** The badge label of a tier: 'premier' -> 'Premier'. Unknown names are capitalized too. */
export function tierLabel(tier: string): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1);
}

export function isJoinable(tier: string | null | undefined): tier is JoinableTier {
  return JOINABLE_TIERS.some((name) => name === tier);
}

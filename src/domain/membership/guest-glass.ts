import type { BillingPeriod } from '../glasses.ts';

/** The time a guest has, unless the billing period ends first: docs/rules/glasses.md, "A glass for a guest". */
const GUEST_GLASS_DAYS = 7;
const DAY_MS = 86_400_000;

/** The highest number of guest glasses per period that a tier can have. */
export const MAX_GUEST_GLASSES = 20;

/**
 * Why a guest glass cannot be poured. unknown: the member has no such glass. used: it was poured. withdrawn: by the member.
 * expired: the week, or the billing period, is over. age_not_stated: the guest has not confirmed the minimum age.
 */
export const GUEST_GLASS_OBSTACLES = ['unknown', 'used', 'withdrawn', 'expired', 'age_not_stated'] as const;
export type GuestGlassObstacle = (typeof GUEST_GLASS_OBSTACLES)[number];

export interface GuestGlass {
  created_at: Date;
  expires_at: Date;
  age_stated: boolean;
  withdrawn: boolean;
  poured: boolean;
}

/** The instant at which a glass given now returns to the member: after a week, but never after the period that gave it. */
export function guestGlassExpiry(now: Date, periodEnd: Date): Date {
  const week = new Date(now.getTime() + GUEST_GLASS_DAYS * DAY_MS);
  return periodEnd < week ? periodEnd : week;
}

/** The reason a guest glass cannot be poured in this period; null if it can. In production record_pour decides. */
export function guestGlassObstacle(
  glass: GuestGlass | null,
  period: Pick<BillingPeriod, 'start'>,
  now: Date,
): GuestGlassObstacle | null {
  if (!glass) return 'unknown';
  if (glass.poured) return 'used';
  if (glass.withdrawn) return 'withdrawn';
  if (glass.expires_at <= now || glass.created_at < period.start) return 'expired';
  return glass.age_stated ? null : 'age_not_stated';
}

import type { BillingPeriod } from '../glasses.ts';

/** How long a guest has, unless the billing period ends before: docs/rules/glasses.md, "A glass for a guest". */
const GUEST_GLASS_DAYS = 7;
const DAY_MS = 86_400_000;

/** A tier's members can give at most this many glasses per period. */
export const MAX_GUEST_GLASSES = 20;

/**
 * Why a glass that was given cannot be poured. unknown: there is none of this member. used: it was poured. withdrawn: by the
 * member. expired: the week, or the billing period, is over. age_not_stated: the guest has not said that they are old enough.
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

/** When a glass given now is the member's again: after a week, and never after the period that gave it. */
export function guestGlassExpiry(now: Date, periodEnd: Date): Date {
  const week = new Date(now.getTime() + GUEST_GLASS_DAYS * DAY_MS);
  return periodEnd < week ? periodEnd : week;
}

/** Whether a glass waits for its guest, and is not the member's meanwhile. */
export function isHeld(glass: GuestGlass, period: BillingPeriod, now: Date): boolean {
  const { created_at, expires_at, withdrawn, poured } = glass;
  return !withdrawn && !poured && expires_at > now && created_at >= period.start && created_at < period.end;
}

/** Why a glass cannot be poured in this period; null when it can. In production record_pour decides. */
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

/**
 * Serving responsibly: what a member was poured lately, and from when on staff are reminded (docs/rules/pours.md,
 * "Serving responsibly").
 */

/** How far back it is counted (hours). */
export const SERVICE_HOURS = 2;
const WINDOW_MS = SERVICE_HOURS * 3_600_000;

/** From how many glasses within the last two hours on staff see a warning, and are reminded of water. */
export interface ServiceLimits {
  amber: number;
  water: number;
}

/** A pour that was not voided. */
export interface ServedPour {
  quantity: number;
  /** ISO 8601. */
  created_at: string;
}

/** The glasses of these pours within the last two hours; on a device whose clock is behind, those ahead of it too. */
export function glassesLately(pours: readonly ServedPour[], now: Date): number {
  const since = now.getTime() - WINDOW_MS;
  return pours.reduce(
    (sum, { quantity, created_at }) => sum + (Date.parse(created_at) > since ? quantity : 0),
    0,
  );
}

/** fine: nothing to say. amber: staff see a warning. water: they are reminded of water, and say what they did. */
export type ServiceLevel = 'fine' | 'amber' | 'water';

/**
 * What this many glasses in the last two hours mean. If the water reminder is set below the warning, the
 * reminder wins.
 */
export function serviceLevel(glasses: number, { amber, water }: ServiceLimits): ServiceLevel {
  if (glasses >= water) return 'water';
  return glasses >= amber ? 'amber' : 'fine';
}

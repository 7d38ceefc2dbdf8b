/** Recent glasses, and the limits from which staff are reminded (docs/rules/pours.md, "Serving responsibly"). */

export const SERVICE_HOURS = 2;
const WINDOW_MS = SERVICE_HOURS * 3_600_000;

/** The numbers of glasses within the last two hours from which staff see a warning, and are reminded of water. */
export interface ServiceLimits {
  amber: number;
  water: number;
}

export interface ServedPour {
  quantity: number;
  /** ISO 8601. */
  created_at: string;
}

/** The glasses poured within the last two hours. A device whose clock is behind also counts those ahead of it. */
export function recentGlasses(pours: readonly ServedPour[], now: Date): number {
  const since = now.getTime() - WINDOW_MS;
  return pours.reduce(
    (sum, { quantity, created_at }) => sum + (Date.parse(created_at) > since ? quantity : 0),
    0,
  );
}

/** fine: no message. amber: staff see a warning. water: staff are reminded of water, and say what they did. */
export type ServiceLevel = 'fine' | 'amber' | 'water';

/** The level of so many glasses in two hours. With the water limit below the warning limit, the reminder wins. */
export function serviceLevel(glasses: number, { amber, water }: ServiceLimits): ServiceLevel {
  if (glasses >= water) return 'water';
  return glasses >= amber ? 'amber' : 'fine';
}

import { CLUB_NUMBERS } from '../../../domain/club/club-settings.ts';
import { recentGlasses, serviceLevel } from '../../../domain/membership/service.ts';
import { serverTime } from '../../api/server-clock.ts';
import { isWaiting, pouredAt } from '../offline-queue/queued-pour.ts';
import { useQueue } from '../offline-queue/use-queue.ts';

const { service_amber, service_water } = CLUB_NUMBERS;
/** For a member about whom this device has no report from the server. */
const NO_REPORT = { pours: [], limits: { amber: service_amber.preset, water: service_water.preset } };

export type RecentGlasses = ReturnType<typeof useRecentGlasses>;

/** The member's glasses of the last two hours: as the server last reported them, and those queued on this device. */
export function useRecentGlasses(customerId: string) {
  const { pours, balances } = useQueue();
  const reported = balances[customerId]?.service;
  const waiting = pours
    .filter((pour) => pour.customer_id === customerId && isWaiting(pour))
    .map((pour) => ({
      quantity: pour.quantity,
      created_at: new Date(pouredAt(pour)).toISOString(),
    }));
  const { pours: poured, limits } = reported ?? NO_REPORT;
  const glasses = recentGlasses([...poured, ...waiting], new Date(serverTime()));
  // Without a report, only what was poured here is known.
  const known = reported !== undefined || glasses > 0;
  return { glasses, level: serviceLevel(glasses, limits), limits, known };
}

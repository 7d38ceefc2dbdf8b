import { CLUB_NUMBERS } from '../../../domain/club/club-settings.ts';
import { glassesLately, serviceLevel } from '../../../domain/membership/service.ts';
import { isWaiting } from '../offline-queue/queued-pour.ts';
import { useQueue } from '../offline-queue/use-queue.ts';

const { service_amber, service_water } = CLUB_NUMBERS;
/** Used on a device without any record of the member. */
const UNHEARD = { pours: [], limits: { amber: service_amber.preset, water: service_water.preset } };

export type Service = ReturnType<typeof useService>;

/** The member's glasses of the last two hours: as the server last reported them, and those queued on this device. */
export function useService(customerId: string) {
  const { pours, balances } = useQueue();
  const heard = balances[customerId]?.service;
  const waiting = pours
    .filter((pour) => pour.customer_id === customerId && isWaiting(pour))
    .map(({ quantity, queued_at }) => ({ quantity, created_at: new Date(queued_at).toISOString() }));
  const { pours: poured, limits } = heard ?? UNHEARD;
  const glasses = glassesLately([...poured, ...waiting], new Date());
  // Without a report, only what was poured here is known.
  const known = heard !== undefined || glasses > 0;
  return { glasses, level: serviceLevel(glasses, limits), limits, known };
}

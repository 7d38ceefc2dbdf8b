import { CLUB_NUMBERS } from '../../../../domain/club/club-settings.ts';
import { glassesLately, type ServiceLevel, serviceLevel } from '../../../../domain/membership/service.ts';
import { isWaiting } from '../../offline-queue/queued-pour.ts';
import { useQueue } from '../../offline-queue/use-queue.ts';

const { service_amber, service_water } = CLUB_NUMBERS;
/** On a device that never heard of the member. */
const UNHEARD = { pours: [], limits: { amber: service_amber.preset, water: service_water.preset } };

export interface Service {
  glasses: number;
  level: ServiceLevel;
  /** False on a device that knows nothing of the member's last two hours. */
  known: boolean;
}

/**
 * What the member was poured within the last two hours: what this device last heard from the server, also without a
 * network, and what waits here to be sent.
 */
export function useService(customerId: string): Service {
  const { pours, balances } = useQueue();
  const heard = balances[customerId]?.service;
  const waiting = pours
    .filter((pour) => pour.customer_id === customerId && isWaiting(pour))
    .map(({ quantity, queued_at }) => ({ quantity, created_at: new Date(queued_at).toISOString() }));
  const { pours: poured, limits } = heard ?? UNHEARD;
  const glasses = glassesLately([...poured, ...waiting], new Date());
  return { glasses, level: serviceLevel(glasses, limits), known: heard !== undefined || glasses > 0 };
}

import { Refusal } from '../../../contract/refusals.ts';
import type { PauseObstacle } from '../../../domain/membership/pause.ts';

/** Throws Refusal PAUSE_REFUSED. */
export function refusePause(reason: PauseObstacle): never {
  throw new Refusal('PAUSE_REFUSED', { reason });
}

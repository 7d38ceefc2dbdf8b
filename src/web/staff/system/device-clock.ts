import { type CheckRow, isInTrouble } from '../../../domain/monitoring/check.ts';
import { clockText } from '../../../domain/monitoring/machine-checks.ts';

/** A device's clock is compared through answers that take a moment, so that less than this is nothing. */
const DEVICE_OFF_MS = 60_000;

/**
 * Compares the server's clock with this device's in the row about it, unless that already names a difference.
 * `device_skew_ms`: how far the server's clock is ahead.
 */
export function compareDevice(checks: CheckRow[], device_skew_ms: number): CheckRow[] {
  return checks.map((check) => {
    if (check.name !== 'Clock' || isInTrouble(check)) return check;
    if (Math.abs(device_skew_ms) < DEVICE_OFF_MS)
      return { ...check, health: 'well', facts: [...check.facts, 'Agrees with this device’s'] };
    return {
      ...check,
      health: 'attention',
      text: clockText([{ whose: 'this device’s', ms: device_skew_ms }]),
      next: 'One of the two is wrong: look at a clock you trust. If it is the server’s, turn on time synchronization there (timedatectl set-ntp true).',
    };
  });
}

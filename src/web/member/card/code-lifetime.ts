import { CARD_REFRESH_SECONDS, CARD_TTL_SECONDS } from '../../../domain/card.ts';

/** Milliseconds after which a failed request for a new code is repeated. */
const RETRY_MS = 15_000;

// All times count from the arrival of the code, on this device's clock: otherwise a phone with the wrong time would show a
// valid code as expired.

export function validForMs(arrivedAt: number, now: number): number {
  return Math.max(0, arrivedAt + CARD_TTL_SECONDS * 1000 - now);
}

export function nextRequestInMs(arrivedAt: number, failedAt: number, now: number): number {
  if (failedAt > arrivedAt) return Math.max(0, failedAt + RETRY_MS - now);
  return Math.max(0, arrivedAt + CARD_REFRESH_SECONDS * 1000 - now);
}

export function isOverdue(arrivedAt: number, now: number): boolean {
  // Allows five seconds for the new code to arrive.
  return now > arrivedAt + CARD_REFRESH_SECONDS * 1000 + 5_000;
}

/** '6 more minutes', '40 more seconds' */
export function validForLabel(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [count, unit] = seconds > 60 ? [Math.floor(seconds / 60), 'minute'] : [seconds, 'second'];
  return `${count} more ${unit}${count === 1 ? '' : 's'}`;
}

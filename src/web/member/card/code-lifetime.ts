import { CARD_REFRESH_SECONDS, CARD_TTL_SECONDS } from '../../../domain/card.ts';

/** How soon a failed request for a new code is repeated. */
const retryAfterMs = 15_000;

// Everything is counted from when the code arrived, by this device's clock: a phone whose clock is wrong would
// otherwise call a good code expired.

/** Milliseconds for which the code is still accepted; 0 when it is over. */
export function lifeLeft(arrivedAt: number, now: number): number {
  return Math.max(0, arrivedAt + CARD_TTL_SECONDS * 1000 - now);
}

/** Milliseconds until the next code is asked for. */
export function nextRequestIn(arrivedAt: number, failedAt: number, now: number): number {
  if (failedAt > arrivedAt) return Math.max(0, failedAt + retryAfterMs - now);
  return Math.max(0, arrivedAt + CARD_REFRESH_SECONDS * 1000 - now);
}

/** The code should have been replaced by now, and was not. */
export function isOverdue(arrivedAt: number, now: number): boolean {
  // A little patience: the new one is on its way.
  return now > arrivedAt + CARD_REFRESH_SECONDS * 1000 + 5_000;
}

/** 'another 6 minutes', 'another 40 seconds' */
export function lifeInWords(left: number): string {
  const seconds = Math.ceil(left / 1000);
  const [count, unit] = seconds > 60 ? [Math.floor(seconds / 60), 'minute'] : [seconds, 'second'];
  return `another ${count} ${unit}${count === 1 ? '' : 's'}`;
}

import { CARD_REFRESH_SECONDS, CARD_TTL_SECONDS } from '../../../domain/card.ts';

/** Milliseconds after which a failed request for a new code is repeated. */
export const RETRY_MS = 15_000;

/** The difference between the two clocks, in milliseconds, beyond which one of them jumped or the device slept. */
const JUMP_MS = 5_000;

/**
 * One moment on both clocks of a device, in milliseconds. The time of day can be set; the steady clock cannot, but stops
 * on some devices while they sleep.
 */
export interface Moment {
  time: number;
  steady: number;
}

export const readSteady = (): number => performance.now();

export const momentNow = (): Moment => ({ time: Date.now(), steady: readSteady() });

export interface CodeAge {
  /** The greatest age that either clock suggests, in milliseconds: the device may have slept. */
  ms: number;
  /** The clocks disagree, so that only a new code is certain to be valid. */
  isDoubtful: boolean;
}

// An age counts from the arrival of the code, on this device's clocks: otherwise a phone with the wrong time would show a
// valid code as expired.

export function codeAge(arrived: Moment, now: Moment): CodeAge {
  const steady = now.steady - arrived.steady;
  const time = now.time - arrived.time;
  return { ms: Math.max(steady, time), isDoubtful: Math.abs(time - steady) > JUMP_MS };
}

export function validForMs(ageMs: number): number {
  return Math.max(0, CARD_TTL_SECONDS * 1000 - ageMs);
}

export function nextRequestInMs(ageMs: number): number {
  return Math.max(0, CARD_REFRESH_SECONDS * 1000 - ageMs);
}

export function isOverdue(ageMs: number): boolean {
  // Allows five seconds for the new code to arrive.
  return ageMs > CARD_REFRESH_SECONDS * 1000 + 5_000;
}

/** '6 more minutes', '40 more seconds' */
export function validForLabel(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [count, unit] = seconds > 60 ? [Math.floor(seconds / 60), 'minute'] : [seconds, 'second'];
  return `${count} more ${unit}${count === 1 ? '' : 's'}`;
}

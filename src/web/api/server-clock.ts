/** A Date header has whole seconds, and an answer takes a while to arrive. */
const TOLERANCE_MS = 15_000;

/** Milliseconds; null before the first answer. */
let ahead: number | null = null;

/** Compares this device's clock with the Date header of an answer. Answers of the API are never cached. */
export function noteServerTime(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now();
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
}

/**
 * The server's time at a time of this device, both in milliseconds since 1970: times that the server reports are compared
 * with it, because a device's clock may be hours off.
 */
export function serverTime(deviceTime = Date.now()): number {
  return deviceTime + (ahead ?? 0);
}

/** Whether an answer of the server has named its time since the page loaded. */
export const isServerTimeKnown = (): boolean => ahead !== null;

import type { OwnMembership } from '../../../contract/members.ts';
import { takeJson } from './take-json.ts';

let given = takeJson<OwnMembership>('own-membership');

/**
 * The user's own membership, if the server wrote it into this document, and the earliest time it may have been read; null
 * for any other user.
 */
export function givenMembership(userId: string): { membership: OwnMembership; at: number } | null {
  if (given?.profile.id !== userId) return null;
  // Measured on this device's clock, not the server's.
  return { membership: given, at: performance.timeOrigin };
}

/** Call once the membership is used, and when another user may be signed in. */
export function forgetMembership(): void {
  given = null;
}

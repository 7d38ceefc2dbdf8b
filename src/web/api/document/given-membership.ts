import type { OwnMembership } from '../../../contract/members.ts';
import { takeJson } from './take-json.ts';

let membership = takeJson<OwnMembership>('own-membership');

/** The membership in this document, if it is this user's, and the earliest time at which the server may have read it. */
export function givenMembership(userId: string): { membership: OwnMembership; at: number } | null {
  if (membership?.profile.id !== userId) return null;
  // Measured on this device's clock, not the server's.
  return { membership, at: performance.timeOrigin };
}

/** Call once the membership is used, and when another user may be signed in. */
export function forgetMembership(): void {
  membership = null;
}

import type { OwnMembership } from '../../../contract/members.ts';
import { takeJson } from './take-json.ts';

let given = takeJson<OwnMembership>('own-membership');

/** The membership in this document, if it is this user's, and the earliest time at which the server may have read it. */
export function givenMembership(userId: string): { membership: OwnMembership; at: number } | null {
  if (given?.profile.id !== userId) return null;
  // Measured on this device's clock, not the server's.
  return { membership: given, at: performance.timeOrigin };
}

/** Call once the membership is used, and when another user may be signed in. */
export function forgetMembership(): void {
  given = null;
}

import type { OwnMembership } from '../../../contract/members.ts';
import { takeJson } from './take-json.ts';

let given = takeJson<OwnMembership>('own-membership');

/**
 * The user's own membership, if the server wrote it into this document, and the earliest time at which it may have been
 * read; null for any other user.
 */
export function givenMembership(userId: string): { membership: OwnMembership; at: number } | null {
  if (given?.profile.id !== userId) return null;
  // By this device's clock, not by the server's.
  return { membership: given, at: performance.timeOrigin };
}

/** Call once it is used, and when another user may be signed in. */
export function forgetMembership(): void {
  given = null;
}

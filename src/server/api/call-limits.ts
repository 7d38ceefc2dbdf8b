import type { Actor } from '../platform/actor.ts';
import { CALL_LIMIT_KINDS, type CallLimitKind, CLIENT_IP_LIMIT } from '../platform/call-limit-kinds.ts';
import type { FloodLimit } from '../platform/flood-limit.ts';

/**
 * Counts a call per account (per client IP for visitors), and all calls of a client IP together. Staff are not counted per
 * client IP: guests on the venue's network must not block a pour. Throws Refusal TOO_MANY_ATTEMPTS.
 */
export function countCall(
  flood: FloodLimit,
  name: string,
  limit: CallLimitKind,
  actor: Actor | null,
  clientIp: string,
): void {
  if (actor?.role !== 'staff') flood.take(`any call|${clientIp}`, CLIENT_IP_LIMIT);
  flood.take(`${name}|${actor?.user_id ?? clientIp}`, CALL_LIMIT_KINDS[limit]);
}

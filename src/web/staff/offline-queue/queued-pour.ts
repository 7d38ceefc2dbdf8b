import type { RecordPourInput } from '../../../contract/pours.ts';
import { MAX_PLACE_ID_LENGTH, PLACE_ID } from '../../../domain/club/places.ts';
import { isPourTime, MAX_POUR_QUANTITY, pourCount } from '../../../domain/pour.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { serverTime } from '../../api/server-clock.ts';

export interface QueuedPour extends RecordPourInput {
  /** The member's name, to show if the pour is refused. */
  member: string;
  /** The staff user who poured; the pour is sent only in their session. */
  staff_id: string;
  /** The staff user's first name. */
  staff: string;
  /** Milliseconds since 1970, on this device's clock. `poured_at` is by the server's, if that was known then. */
  queued_at: number;
  /** The pour was sent at least once, so the server may have recorded it. */
  attempted: boolean;
  /** Staff undid the pour while it was queued. */
  withdrawn?: boolean;
  /** The reason the server refused the pour, which stays until dismissed and is not sent again. */
  refused?: string;
}

/** When it was poured by the server's clock, in milliseconds since 1970. */
export const pouredAt = ({ poured_at, queued_at }: Pick<QueuedPour, 'poured_at' | 'queued_at'>): number =>
  poured_at === undefined ? serverTime(queued_at) : Date.parse(poured_at);

/** What is sent. A pour whose time cannot be right counts when it is recorded. */
export function recordInput(queued: QueuedPour): RecordPourInput {
  const { member, staff_id, staff, queued_at, attempted, withdrawn, refused, poured_at, ...input } = queued;
  const at = new Date(pouredAt(queued));
  return isPourTime(at, new Date(serverTime())) ? { ...input, poured_at: at.toISOString() } : input;
}

/** Reads a stored value; null if it is not a queued pour. An older release or a person may have written it. */
export function parseQueuedPour(value: unknown): QueuedPour | null {
  if (typeof value !== 'object' || value === null) return null;
  const pour = value as Partial<QueuedPour>;
  const texts = [pour.request_id, pour.customer_id, pour.member, pour.staff_id, pour.staff];
  if (texts.some((text) => typeof text !== 'string')) return null;
  const { quantity, location, queued_at } = pour;
  const valid = Number.isInteger(quantity) && Number(quantity) >= 1 && Number(quantity) <= MAX_POUR_QUANTITY;
  // Accepts any place, even one unknown to this page: the server knows all places ever used.
  if (!valid || typeof location !== 'string' || location.length > MAX_PLACE_ID_LENGTH) return null;
  if (!PLACE_ID.test(location)) return null;
  if (typeof queued_at !== 'number') return null;
  const { wine_id, offered_water, poured_at, ...base } = pour as QueuedPour;
  const rest = {
    ...base,
    ...(offered_water === true && { offered_water }),
    ...(typeof poured_at === 'string' && !Number.isNaN(Date.parse(poured_at)) && { poured_at }),
  };
  // An invalid id would make the server refuse the pour, and the glass matters more than its wine.
  return typeof wine_id === 'string' && isUuid(wine_id) ? { ...rest, wine_id } : rest;
}

export function inOrder(pours: readonly QueuedPour[]): QueuedPour[] {
  return pours.toSorted((a, b) => a.queued_at - b.queued_at || (a.request_id < b.request_id ? -1 : 1));
}

/** Whether the pour is still to be sent and counts against the balance. */
export function isWaiting(pour: QueuedPour): boolean {
  return pour.refused === undefined && !pour.withdrawn;
}

/** A member's glasses left on this device: the server's balance, less the pours queued here by all staff. */
export function balanceAfterQueue(
  serverBalance: number,
  customerId: string,
  pours: readonly QueuedPour[],
): number {
  // A guest glass was already held and is not part of the balance.
  const counts = (pour: QueuedPour) => pour.guest_glass_id === undefined && isWaiting(pour);
  const waiting = pours.filter((pour) => pour.customer_id === customerId && counts(pour));
  return Math.max(0, serverBalance - totalQuantity(waiting));
}

const totalQuantity = (pours: readonly QueuedPour[]) => pours.reduce((sum, pour) => sum + pour.quantity, 0);

const FIRST_RETRY_MS = 1_000;
export const LONGEST_RETRY_MS = 30_000;

/** Milliseconds before the next attempt: doubled after each failure, up to half a minute. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);
}

/** '2 pours waiting': glasses, not entries. */
export function waitingLabel(pours: readonly QueuedPour[]): string {
  return `${pourCount(totalQuantity(pours))} waiting`;
}

/** 'Not recorded: Ada Vine and 2 more' */
export function refusedLabel(refused: readonly { member: string }[]): string {
  const [first, ...others] = [...new Set(refused.map(({ member }) => member))];
  return `Not recorded: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
}

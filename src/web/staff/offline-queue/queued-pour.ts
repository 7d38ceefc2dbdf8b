import type { BarBenefit, TakeBenefitInput } from '../../../contract/benefits.ts';
import type { RecordPourInput } from '../../../contract/pours.ts';
import { MAX_PLACE_ID_LENGTH, PLACE_ID } from '../../../domain/club/places.ts';
import { isPourTime, MAX_POUR_QUANTITY, pourCount } from '../../../domain/pour.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { serverTime } from '../../api/server-clock.ts';

/** What each entry of the offline queue has. */
interface Queued extends Pick<RecordPourInput, 'request_id' | 'customer_id' | 'poured_at'> {
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

export type QueuedPour = RecordPourInput & Queued;

/** A benefit that a member took; its `poured_at` is when. */
export interface QueuedUse extends Queued {
  benefit_id: string;
  words: string;
}

export type QueuedEntry = QueuedPour | QueuedUse;

export const isUse = (entry: QueuedEntry): entry is QueuedUse => 'benefit_id' in entry;
export const isPour = (entry: QueuedEntry): entry is QueuedPour => !isUse(entry);

/** When it was poured by the server's clock, in milliseconds since 1970. */
export const pouredAt = ({ poured_at, queued_at }: Pick<QueuedPour, 'poured_at' | 'queued_at'>): number =>
  poured_at === undefined ? serverTime(queued_at) : Date.parse(poured_at);

/** What is sent for a benefit. The server counts one whose time cannot be right when it is recorded. */
export const takeInput = (queued: QueuedUse): TakeBenefitInput => ({
  request_id: queued.request_id,
  customer_id: queued.customer_id,
  benefit_id: queued.benefit_id,
  taken_at: new Date(pouredAt(queued)).toISOString(),
});

/** What is sent. A pour whose time cannot be right counts when it is recorded. */
export function recordInput(queued: QueuedPour): RecordPourInput {
  const { member, staff_id, staff, queued_at, attempted, withdrawn, refused, poured_at, ...input } = queued;
  const at = new Date(pouredAt(queued));
  return isPourTime(at, new Date(serverTime())) ? { ...input, poured_at: at.toISOString() } : input;
}

/** Reads a stored value; null if it is no entry of the queue. An older release or a person may have written it. */
export function parseQueued(value: unknown): QueuedEntry | null {
  if (typeof value !== 'object' || value === null) return null;
  const { benefit_id, words, ...entry } = value as Partial<QueuedUse>;
  const texts = [entry.request_id, entry.customer_id, entry.member, entry.staff_id, entry.staff];
  if (texts.some((text) => typeof text !== 'string') || typeof entry.queued_at !== 'number') return null;
  if (benefit_id === undefined) return parsePour(entry as Partial<QueuedPour>);
  return isUuid(benefit_id) && typeof words === 'string' ? (value as QueuedUse) : null;
}

function parsePour(pour: Partial<QueuedPour>): QueuedPour | null {
  const { quantity, location } = pour;
  const valid = Number.isInteger(quantity) && Number(quantity) >= 1 && Number(quantity) <= MAX_POUR_QUANTITY;
  // Accepts any place, even one unknown to this page: the server knows all places ever used.
  if (!valid || typeof location !== 'string' || location.length > MAX_PLACE_ID_LENGTH) return null;
  if (!PLACE_ID.test(location)) return null;
  const { wine_id, offered_water, poured_at, ...base } = pour as QueuedPour;
  const rest = {
    ...base,
    ...(offered_water === true && { offered_water }),
    ...(typeof poured_at === 'string' && !Number.isNaN(Date.parse(poured_at)) && { poured_at }),
  };
  // An invalid id would make the server refuse the pour, and the glass matters more than its wine.
  return typeof wine_id === 'string' && isUuid(wine_id) ? { ...rest, wine_id } : rest;
}

export function inOrder<Entry extends QueuedEntry>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => a.queued_at - b.queued_at || (a.request_id < b.request_id ? -1 : 1));
}

/** Whether the entry is still to be sent and counts against what is left. */
export function isWaiting({ refused, withdrawn }: QueuedEntry): boolean {
  return refused === undefined && !withdrawn;
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

/** Benefits with what is left on this device: as the server reported them, less those queued here by all staff. */
export function benefitsAfterQueue(
  benefits: readonly BarBenefit[],
  customerId: string,
  entries: readonly QueuedEntry[],
): BarBenefit[] {
  const waiting = entries.filter(isUse).filter((it) => it.customer_id === customerId && isWaiting(it));
  return benefits.map((benefit) => {
    const queued = waiting.filter((it) => it.benefit_id === benefit.id).length;
    return benefit.left === null ? benefit : { ...benefit, left: Math.max(0, benefit.left - queued) };
  });
}

const totalQuantity = (pours: readonly QueuedPour[]) => pours.reduce((sum, pour) => sum + pour.quantity, 0);

const FIRST_RETRY_MS = 1_000;
export const LONGEST_RETRY_MS = 30_000;

/** Milliseconds before the next attempt: doubled after each failure, up to half a minute. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS);
}

/** '2 pours, 1 benefit waiting': glasses, not entries. */
export function waitingLabel(entries: readonly QueuedEntry[]): string {
  const pours = totalQuantity(entries.filter(isPour));
  const uses = entries.filter(isUse).length;
  const parts = [pours > 0 && pourCount(pours), uses > 0 && `${uses} ${uses === 1 ? 'benefit' : 'benefits'}`];
  return `${parts.filter(Boolean).join(', ')} waiting`;
}

/** 'Not recorded: Ada Vine and 2 more' */
export function refusedLabel(refused: readonly { member: string }[]): string {
  const [first, ...others] = [...new Set(refused.map(({ member }) => member))];
  return `Not recorded: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
}

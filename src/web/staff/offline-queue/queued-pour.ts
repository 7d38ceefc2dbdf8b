import type { PourLocation } from '../../../domain/pour.ts';
import { MAX_POUR_QUANTITY, POUR_LOCATIONS, pourCount } from '../../../domain/pour.ts';

/** A pour that could not be sent, as it waits on this device. */
export interface QueuedPour {
  request_id: string;
  customer_id: string;
  quantity: number;
  location: PourLocation;
  notes?: string;
  /** The member's name: a refusal comes back by it. */
  member: string;
  /** Who poured. Sent with this person's session or not at all. */
  staff_id: string;
  staff: string;
  queued_at: number;
  /** It went out at least once: the server may have counted it without our knowing. */
  attempted: boolean;
  /** Staff took it back while it waited. */
  withdrawn?: boolean;
  /** Why the server would not have it. It stays, to be read, and is not sent again. */
  refused?: string;
}

/** What waits was written by an older release, or by hand: anything else is not a pour. */
export function parseQueuedPour(value: unknown): QueuedPour | null {
  if (typeof value !== 'object' || value === null) return null;
  const pour = value as Partial<QueuedPour>;
  const texts = [pour.request_id, pour.customer_id, pour.member, pour.staff_id, pour.staff];
  if (texts.some((text) => typeof text !== 'string')) return null;
  const { quantity, location, queued_at } = pour;
  const counts = Number.isInteger(quantity) && Number(quantity) >= 1 && Number(quantity) <= MAX_POUR_QUANTITY;
  if (!counts || !POUR_LOCATIONS.some((place) => place === location)) return null;
  return typeof queued_at === 'number' ? (pour as QueuedPour) : null;
}

/** First poured, first sent. */
export function inOrder(pours: readonly QueuedPour[]): QueuedPour[] {
  return pours.toSorted((a, b) => a.queued_at - b.queued_at || (a.request_id < b.request_id ? -1 : 1));
}

export function isWaiting(pour: QueuedPour): boolean {
  return pour.refused === undefined && !pour.withdrawn;
}

/** What this device may still pour for a member: the last balance the server told, less what waits, whoever poured it. */
export function glassesLeft(told: number, customerId: string, pours: readonly QueuedPour[]): number {
  const queued = pours
    .filter((pour) => pour.customer_id === customerId && isWaiting(pour))
    .reduce((sum, pour) => sum + pour.quantity, 0);
  return Math.max(0, told - queued);
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** How long to wait before the next try, after so many failed ones. */
export function waitBeforeTry(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
}

/** '2 pours waiting'; each glass counts, as staff count glasses. */
export function waitingWords(pours: readonly QueuedPour[]): string {
  return `${pourCount(pours.reduce((sum, pour) => sum + pour.quantity, 0))} waiting`;
}

/** 'Not recorded: Ada Vine and 2 more' */
export function refusedWords(pours: readonly QueuedPour[]): string {
  const [first, ...others] = [...new Set(pours.map((pour) => pour.member))];
  return `Not recorded: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
}

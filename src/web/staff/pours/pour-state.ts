import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { PourLocation } from '../../../domain/pour.ts';

/** One filled-in form. */
export interface PourOrder {
  quantity: number;
  location: PourLocation;
  notes?: string;
}

/** What has become of the one pour of a visit. */
export interface PouredGlass {
  quantity: number;
  location: PourLocation;
  /** Null while it waits on this device. */
  pour_id: string | null;
  /** Milliseconds since 1970, by this device's clock. */
  undo_until: number;
  undone?: boolean;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The member staff are pouring for. */
    customer?: VerifiedCustomer;
    /** Made once per opened form; the server counts it once, however often it is sent. */
    request_id?: string;
    /** Sent without an answer so far: the glass may have been counted. */
    unanswered?: PourOrder & { sent_at: number };
    /** Recorded, or waiting: this form is done. */
    poured?: PouredGlass;
  }
}

/** History outlives releases and can be edited: what is not a customer record is no customer. */
export function customerOf(state: { customer?: unknown }): VerifiedCustomer | null {
  const record = state.customer;
  if (typeof record !== 'object' || record === null) return null;
  const { id, first_name, last_name, tier, pours_balance } = record as Partial<VerifiedCustomer>;
  const named = typeof first_name === 'string' && typeof last_name === 'string' && typeof tier === 'string';
  if (typeof id !== 'string' || !named || typeof pours_balance !== 'number') return null;
  return { id, first_name, last_name, tier, pours_balance };
}

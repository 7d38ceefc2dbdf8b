import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { PourDraft } from '../../../contract/pours.ts';

/** The pour of this page, recorded or in the offline queue. */
export interface FinishedPour extends PourDraft {
  /** Null while it is in the offline queue. */
  pour_id: string | null;
  /** Milliseconds since 1970, by this device's clock. */
  undo_until: number;
  undone?: boolean;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The member to pour for. */
    customer?: VerifiedCustomer;
    /** The member's code was scanned, so the scanner reopens once the pour is done. */
    scanned?: boolean;
    /** The code was a printed card's, and which. */
    paper_card_id?: string | undefined;
    /** The code was of a glass for a guest, and which. */
    guest_glass_id?: string | undefined;
    /** Created when the page opens. The server counts it once, however often it is sent. */
    request_id?: string;
    /** Sent, but no answer so far: the pour may have been recorded. Milliseconds since 1970. */
    unanswered?: { draft: PourDraft; sent_at: number };
    /** This page's pour is finished. */
    poured?: FinishedPour;
  }
}

/**
 * Reads the member from the history entry; null if it holds none. Entries may come from an earlier release or have been
 * edited.
 */
export function customerFromState(state: { customer?: unknown }): VerifiedCustomer | null {
  const record = state.customer;
  if (typeof record !== 'object' || record === null) return null;
  const { id, first_name, last_name, tier, pours_balance } = record as Partial<VerifiedCustomer>;
  const named = typeof first_name === 'string' && typeof last_name === 'string' && typeof tier === 'string';
  if (typeof id !== 'string' || !named || typeof pours_balance !== 'number') return null;
  return { id, first_name, last_name, tier, pours_balance };
}

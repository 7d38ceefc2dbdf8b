import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { PourDraft } from '../../../contract/pours.ts';

/** The pour of this page, recorded or in the offline queue. */
export interface FinishedPour extends PourDraft {
  /** Null while in the offline queue. */
  pour_id: string | null;
  /** Milliseconds since 1970, on this device's clock. */
  undo_until: number;
  undone?: boolean;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The member to pour for. */
    customer?: VerifiedCustomer;
    /** The member's code was scanned, so the scanner reopens once the pour is done. */
    scanned?: boolean;
    /** The id of the printed card, if one was scanned. */
    paper_card_id?: string | undefined;
    /** The id of the guest glass, if its code was scanned. */
    guest_glass_id?: string | undefined;
    /** Created when the page opens. The server counts it once, even if sent several times. */
    request_id?: string;
    /** Sent, but without a response so far: the pour may have been recorded. Milliseconds since 1970. */
    unanswered?: { draft: PourDraft; sent_at: number };
    poured?: FinishedPour;
  }
}

/**
 * Reads the member from the history entry; null if there is none. Entries may come from an earlier release or have been
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

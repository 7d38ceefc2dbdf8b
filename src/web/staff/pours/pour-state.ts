import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { PourDraft } from '../../../contract/pours.ts';

export interface FinishedPour extends PourDraft {
  /** Null while in the offline queue. */
  pour_id: string | null;
  /** Milliseconds since 1970, on this device's clock. */
  undo_until: number;
  undone?: boolean;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    customer?: VerifiedCustomer;
    /** The member's code was scanned, so the scanner reopens once the pour is done. */
    scanned?: boolean;
    paper_card_id?: string | undefined;
    guest_glass_id?: string | undefined;
    /** Created when the page opens. The server counts it once, even if sent several times. */
    request_id?: string;
    /** Sent, but without a response so far: the pour may have been recorded. Milliseconds since 1970. */
    unanswered?: { draft: PourDraft; sent_at: number };
    poured?: FinishedPour;
  }
}

/** The member in the history entry, which an earlier release may have written; null if there is none. */
export function customerFromState(state: { customer?: unknown }): VerifiedCustomer | null {
  const record = state.customer;
  if (typeof record !== 'object' || record === null) return null;
  const { id, first_name, last_name, tier, pours_balance } = record as Partial<VerifiedCustomer>;
  const named = typeof first_name === 'string' && typeof last_name === 'string' && typeof tier === 'string';
  if (typeof id !== 'string' || !named || typeof pours_balance !== 'number') return null;
  return { id, first_name, last_name, tier, pours_balance };
}

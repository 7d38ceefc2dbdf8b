import type { CollectionFailure } from './membership/collection.ts';
import type { EndTime } from './membership/end.ts';
import type { NamedMethod } from './payment-method.ts';

/**
 * Changes that are asked for here and carried out at Stripe: a pause, an end by staff or before a year, a move to another
 * price, the collection of a due invoice by a new payment method.
 */
export const ACT_KINDS = ['pause', 'end', 'price_move', 'collection'] as const;
export type ActKind = (typeof ACT_KINDS)[number];

/**
 * asked: committed, and Stripe may not have it yet. set: Stripe has it, and it is upcoming or under way. withdrawing: it is
 * taken back here, and Stripe may not know yet. withdrawn: it was taken back, or something else came first. done: it took
 * effect and is over. refused: Stripe refused it, or it came too late.
 */
export const ACT_STATES = ['asked', 'set', 'withdrawing', 'withdrawn', 'done', 'refused'] as const;
export type ActState = (typeof ACT_STATES)[number];
/** A cause has at most one act in these states; a move to another price that is withdrawing makes room at once. */
export const OPEN_ACTS = ['asked', 'set', 'withdrawing'] as const satisfies ActState[];

/** What each kind has of its own. Amounts in cents. */
export interface ActTerms {
  pause: {
    months: number;
    /** Returns whose invoice was voided or written off; part of the next return's key, so that each is charged once. */
    declined_returns: number;
    /** The end before an extension that Stripe may not have yet, in ISO 8601. */
    extended_from?: string;
  };
  /** year: with the period, because a year follows that the member has paid. */
  end: { ends: EndTime | 'year' };
  price_move: {
    from_tier: string;
    /** The price paid when it was announced; if that changed since, the move is off. */
    from_price_id: string;
    to_tier: string;
    /** As announced, whatever the tier costs later. */
    to_amount_cents: number;
    currency: string;
    to_price_id: string | null;
    stripe_schedule_id: string | null;
  };
  collection: {
    stripe_invoice_id: string;
    /** The new payment method's id at Stripe, and its name for the member. */
    payment_method: string;
    method: NamedMethod;
    /** Why the money was not collected, with the bank's code; null until it is known. */
    failure: { why: CollectionFailure; code: string | null } | null;
  };
}

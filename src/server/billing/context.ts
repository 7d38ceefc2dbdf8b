import type { Logger } from 'pino';
import type Stripe from 'stripe';
import type { ReversalReason } from '../../domain/billing.ts';
import type { Db, Tx } from '../db/client.ts';

/** What happened to a member's money or access; `cause` is the same for the same cause, however often told. */
export type BillingNotice = { cause: string; user_id: string } & (
  | { type: 'membership_started'; renewed: boolean; tier: string; amount_cents: number; next_billing: Date }
  | { type: 'access_restored'; tier: string }
  | { type: 'tier_changed'; from: string; to: string }
  | { type: 'tier_change_scheduled'; to: string; amount_cents: number; effective_at: Date }
  | { type: 'tier_change_withdrawn'; tier: string }
  | { type: 'payment_received'; invoice: string; amount_cents: number; currency: string }
  | { type: 'payment_failed'; grace_until: Date }
  | { type: 'cancellation_scheduled'; ends_at: Date }
  | { type: 'cancellation_withdrawn' }
  | { type: 'membership_ended' }
  | { type: 'payment_returned'; reason: ReversalReason; amount_cents: number; currency: string }
);

export interface BillingDeps {
  db: Db;
  stripe: Stripe;
  /** Signing secrets in force: two while one is being replaced. */
  webhookSecrets: string[];
  /** How a browser reaches the product, without a trailing slash. */
  publicUrl: string;
  currency: 'usd';
  now(): Date;
  /** The machine's own clock, where `now` is another one: the age of a signature is measured by it. */
  wallClock?(): Date;
  newId(): string;
  /** IANA name of the zone in which the venue's days begin. */
  timeZone: string;
  log: Logger;
  /**
   * Writes the notice down inside the transaction of its cause: both are kept, or neither. Throwing undoes
   * the cause. The same cause may come again.
   */
  post?(tx: Tx, event: BillingNotice): Promise<void>;
  /** Told after the commit; may throw, nobody waits for it. */
  notify?: (event: BillingNotice) => void;
}

export type LocalStatus = 'active' | 'inactive' | 'none';

export interface Reconciliation {
  /** Something that a member or staff can see is different from before. */
  changed: boolean;
  localStatus: LocalStatus;
  /** A payment that must go back is still with us: Stripe did not take the order. */
  reversalsOpen: boolean;
}

/** What the modules of billing share: the dependencies, and what is serialised per user. */
export interface BillingContext extends BillingDeps {
  /** Makes our copy of one user say what Stripe says (sync.ts). Throws when either side fails. */
  converge(userId: string): Promise<Reconciliation>;
  /** Runs checkout work of one user, one piece at a time within this process. */
  inCheckoutOrder<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

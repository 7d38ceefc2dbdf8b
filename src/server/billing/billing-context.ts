import type { Logger } from 'pino';
import type Stripe from 'stripe';
import type { EndingReason, ReversalReason } from '../../domain/billing.ts';
import type { BillingRules } from '../../domain/club/club-settings.ts';
import type { TaxBehavior } from '../../domain/money.ts';
import type { IdentifiedKey } from '../config/purpose-key.ts';
import type { StripeKey } from '../config/stripe-mode.ts';
import type { Db, Tx } from '../db/client.ts';
import type { Venue } from '../mail/email.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Observe } from '../platform/observe.ts';

/** Another price that a membership pays from a charge on. */
export interface PriceChange {
  tier: string;
  monthly_cents: number;
  currency: string;
  tax_behavior: TaxBehavior;
  from: Date;
}

/** A change of a member's money or access. `cause` identifies it, however often it is reported. */
export type BillingNotice = { cause: string; user_id: string } & (
  | {
      type: 'membership_started';
      renewed: boolean;
      tier: string;
      monthly_cents: number;
      currency: string;
      tax_behavior: TaxBehavior;
      next_billing: Date;
      /** Pours of an unpaid period that count in the first one. */
      carried_pours: number;
    }
  | { type: 'access_restored'; tier: string }
  | {
      type: 'tier_changed';
      from: string;
      to: string;
      /** What the change adds to the running period; null for one that takes effect with the period. */
      added_pours: number | null;
      monthly_pours: number;
      next_billing: Date;
    }
  | {
      type: 'tier_change_scheduled';
      to: string;
      amount_cents: number;
      currency: string;
      tax_behavior: TaxBehavior;
      effective_at: Date;
    }
  | { type: 'tier_change_withdrawn'; tier: string }
  /** The venue moves the member to another price; `from` and `to` are the same tier or two. */
  | {
      type: 'price_move_announced';
      from: string;
      from_amount_cents: number;
      to: string;
      to_amount_cents: number;
      currency: string;
      tax_behavior: TaxBehavior;
      /** A discount stays, and is taken off both prices. */
      discounted: boolean;
      /** Of the tier moved to. */
      monthly_pours: number;
      effective_at: Date;
    }
  | { type: 'price_move_withdrawn'; tier: string }
  | {
      type: 'payment_received';
      /** What the member sees on it: its number. */
      invoice: string;
      /** Its page at Stripe. Whoever has the URL can read the invoice, so it is kept out of logs. */
      invoice_url: string | null;
      /** The tier paid for; null for a subscription that is no membership. */
      tier: string | null;
      /** Null if it paid for no period as such, but for a change within one. */
      period: { start: Date; end: Date } | null;
      amount_cents: number;
      currency: string;
      /** Written again by staff: when it was paid, and what was given back of it since, in cents. */
      again?: { paid_at: Date; refunded_cents: number };
    }
  | {
      type: 'payment_failed';
      grace_until: Date;
      /** What can be poured until the period is paid, of all that it gives then, rolled-over and given glasses included. */
      available_pours: number;
      period_pours: number;
    }
  /** `paused`: there is no access until then. `by_venue`: staff ended it, not the member. */
  | { type: 'cancellation_scheduled'; ends_at: Date; paused: boolean; by_venue: boolean }
  | { type: 'cancellation_withdrawn'; price_change: PriceChange | null }
  /** `until` is null for a pause without an end, made at Stripe. */
  | { type: 'pause_scheduled'; from: Date; until: Date | null; begun: boolean }
  | { type: 'pause_withdrawn'; next_billing: Date; price_change: PriceChange | null }
  /** The member came back before the pause was over. */
  | { type: 'pause_ended'; tier: string; next_billing: Date; price_change: PriceChange | null }
  /** A pause is about to end, and the membership to be charged again. */
  | {
      type: 'return_reminder';
      tier: string;
      /** The charge of that day, and what each month costs. */
      amount_cents: number;
      monthly_cents: number;
      currency: string;
      tax_behavior: TaxBehavior;
      returns_at: Date;
      /** After that charge. */
      price_change: PriceChange | null;
    }
  /** A canceled membership is about to end. */
  | { type: 'ending_reminder'; tier: string; ends_at: Date }
  /** `why` is null if it ended as planned, or at Stripe. */
  | { type: 'membership_ended'; why: EndingReason | null }
  /** No access for now. Stripe may still charge the member, and a payment brings the membership back. */
  | { type: 'membership_suspended' }
  | {
      type: 'renewal_reminder';
      tier: string;
      /** The charge of that day, and what each month costs. */
      amount_cents: number;
      monthly_cents: number;
      currency: string;
      tax_behavior: TaxBehavior;
      renews_at: Date;
      /** After that charge. */
      price_change: PriceChange | null;
    }
  | {
      type: 'annual_notice';
      tier: string;
      /** The next charge, and what each month costs from then on. */
      amount_cents: number;
      monthly_cents: number;
      currency: string;
      tax_behavior: TaxBehavior;
      /** When the subscription began. */
      since: Date;
      next_billing: Date;
      /** After that charge. */
      price_change: PriceChange | null;
    }
  /** To the buyer. `amount_cents` is what was paid, with tax; `send_on` is null for a card. */
  | {
      type: 'gift_bought';
      tier: string;
      months: number;
      amount_cents: number;
      currency: string;
      send_on: Date | null;
    }
  /** To the buyer. */
  | { type: 'gift_refunded'; tier: string; months: number; amount_cents: number; currency: string }
  /** To whom it was given, whose membership it is now. */
  | { type: 'gift_started'; tier: string; months: number; last_day: Date }
  | { type: 'gift_ending'; tier: string; last_day: Date }
  | { type: 'gift_ended'; tier: string }
  | { type: 'payment_returned'; reason: ReversalReason; amount_cents: number; currency: string }
  /** Staff gave back a payment, or a part of it. */
  | { type: 'payment_refunded'; amount_cents: number; paid_cents: number; paid_at: Date; currency: string }
);

/** How long a request waits for the payments service in all, retries included, in milliseconds. */
export interface PaymentLimits {
  member_ms: number;
  staff_ms: number;
}

/** What billing gets from the composition. */
export interface BillingDeps {
  db: Db;
  stripe: Stripe;
  /** What the key of `stripe` says about itself. */
  key: StripeKey;
  /** Signing secrets in use: two while one is being replaced. */
  webhookSecrets: string[];
  /** Keeps the secret of a webhook endpoint that is made here; null where it is only told, as on the command line. */
  sealing: { key: Buffer; newSecret(): string } | null;
  /** Our URL as a browser reaches it, without a trailing slash. */
  publicUrl: string;
  /** What consents and emails say about the club. */
  venue: Venue;
  /** What the club has set of this moment. */
  rules(): BillingRules;
  /** ISO code in lowercase, as at Stripe. */
  currency: string;
  /** Of the prices we sell; 'unspecified' while Stripe calculates no tax. */
  taxBehavior: TaxBehavior;
  /** card: cards, also in wallets. automatic: everything the venue turned on at Stripe. */
  paymentMethods: 'card' | 'automatic';
  now(): Date;
  /** The real time where `now` is simulated: the age of a signature is measured by it. */
  wallClock?(): Date;
  newId(): string;
  /** Makes the codes of gifts; null where none are made, as on the command line. */
  giftKey: IdentifiedKey | null;
  /** For what goes to someone without an account. */
  outbox: Pick<Outbox, 'sends' | 'enqueue'>;
  /** IANA name of the zone in which the venue's days begin. */
  timeZone: string;
  log: Logger;
  observe?: Observe | undefined;
  /**
   * Stores the notice in the transaction of its cause, so that both are committed or neither. If it throws, the
   * cause is rolled back. The same cause may be posted again.
   */
  post?(tx: Tx, notice: BillingNotice): Promise<void>;
  /** How long requests wait for Stripe; by default PAYMENT_LIMITS. */
  limits?: PaymentLimits;
  /** Called after the commit, and not awaited; errors are logged. */
  notify?: (notice: BillingNotice) => void;
}

export type LocalStatus = 'active' | 'inactive' | 'none';

export interface Reconciliation {
  /** Something that a member or staff can see has changed. */
  changed: boolean;
  localStatus: LocalStatus;
  /** A payment that must be refunded is not refunded yet: Stripe failed or refused. */
  hasOpenReversals: boolean;
  /** The same for what staff asked to give back. It holds up nothing but the deletion of the account. */
  hasOpenRefunds: boolean;
  /** Stripe failed or refused to do what was asked for here: a pause, an end by staff, a move to another price. */
  hasOpenActs: boolean;
}

/** What billing's verbs need. */
export interface BillingContext extends BillingDeps {
  /** Brings our copy of a user in line with Stripe (sync/reconcile.ts). Throws if Stripe or the database fails. */
  reconcile(userId: string): Promise<Reconciliation>;
  /** Runs a user's work after the work queued before it. Covers this process only. */
  runInUserQueue<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

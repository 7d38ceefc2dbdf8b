import type { Logger } from 'pino';
import type Stripe from 'stripe';
import type { EndingReason, Payments, ReversalReason } from '../../domain/billing.ts';
import type { BillingRules } from '../../domain/club/club-settings.ts';
import type { CollectionFailure } from '../../domain/membership/collection.ts';
import type { TaxBehavior } from '../../domain/money.ts';
import type { NamedMethod } from '../../domain/payment-method.ts';
import type { VerifyEmailMode } from '../config/env.ts';
import type { IdentifiedKey } from '../config/purpose-key.ts';
import type { StripeKey } from '../config/stripe-mode.ts';
import type { Db, Tx } from '../db/client.ts';
import type { Venue } from '../mail/email.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Actor } from '../platform/actor.ts';
import type { Observe } from '../platform/observe.ts';

export interface TierPrice {
  tier: string;
  monthly_cents: number;
  currency: string;
  tax_behavior: TaxBehavior;
}

/** A different price that a membership pays from a charge on. */
export interface PriceChange extends TierPrice {
  from: Date;
}

/** The next charge, which may differ from the monthly price. */
interface NextCharge extends TierPrice {
  amount_cents: number;
  /** Takes effect after that charge. */
  price_change: PriceChange | null;
}

export interface NamedCharge {
  amount_cents: number;
  currency: string;
  tax_behavior: TaxBehavior;
}

/** A month's price at the venue. */
interface Dues {
  tier: string;
  amount_cents: number;
  currency: string;
}

/** A change of a member's money or access. `cause` identifies it, even if reported several times. */
export type BillingNotice = { cause: string; user_id: string } & (
  | ({
      type: 'membership_started';
      renewed: boolean;
      next_billing: Date;
      monthly_pours: number;
      /** Pours in an unpaid period that count in the first one. */
      carried_pours: number;
    } & TierPrice)
  /** `is_paid`: by a payment; otherwise what was due was forgiven at Stripe. */
  | { type: 'access_restored'; tier: string; is_paid: boolean }
  | {
      type: 'tier_changed';
      from: string;
      to: string;
      /** Pours added to the running period; null if the change takes effect with the next one. */
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
      /** Staff scheduled it at the venue, and only they take it back. */
      by_venue?: boolean;
    }
  | { type: 'tier_change_withdrawn'; tier: string }
  /** The venue moves the member to another price; `from` and `to` are the same tier or different ones. */
  | {
      type: 'price_move_announced';
      from: string;
      from_amount_cents: number;
      to: string;
      to_amount_cents: number;
      currency: string;
      tax_behavior: TaxBehavior;
      /** A discount continues, and is taken off both prices. */
      discounted: boolean;
      monthly_pours: number;
      effective_at: Date;
    }
  | { type: 'price_move_withdrawn'; tier: string }
  | {
      type: 'payment_received';
      /** The invoice's number, as the member sees it. */
      invoice: string;
      /** The invoice's page at Stripe. Anyone with the URL can read it, so it stays out of logs. */
      invoice_url: string | null;
      /** The tier paid for; null if the subscription is not a membership. */
      tier: string | null;
      /** Null if it paid for a change within a period. */
      period: { start: Date; end: Date } | null;
      amount_cents: number;
      currency: string;
      /** Present when staff resend it: when it was paid, and the cents refunded since. */
      again?: { paid_at: Date; refunded_cents: number };
    }
  | {
      type: 'payment_failed';
      tier: string;
      /** The cents that the open invoice asks for; null if they are unknown. */
      open_cents: number | null;
      /** The month itself is paid, and something else is due, such as an add-on. */
      is_paid: boolean;
      /** Stripe sends the invoice, and charges no payment method. */
      is_sent: boolean;
      currency: string;
      method: NamedMethod | null;
      grace_until: Date;
      /** Pours available until the period is paid, including rolled-over and given glasses. */
      available_pours: number;
      period_pours: number;
    }
  /** A new payment method did not pay what is due; `code` is the bank's. */
  | {
      type: 'payment_refused';
      tier: string;
      open_cents: number;
      currency: string;
      method: NamedMethod;
      why: CollectionFailure;
      code: string | null;
      /** The invoice's page at Stripe, as in a receipt. */
      invoice_url: string | null;
      /** The end of access while unpaid; null if it has ended. */
      grace_until: Date | null;
    }
  /**
   * `paused`: there is no access until the end. `by_venue`: staff ended it, not the member. `last_charge`: at the end, for what
   * waits for an invoice by then. `charging`: within the hour, for the month that has begun. `overdue`: what is due stays due,
   * and unpaid, access ends then.
   */
  | {
      type: 'cancellation_scheduled';
      ends_at: Date;
      paused: boolean;
      by_venue: boolean;
      last_charge: NamedCharge | null;
      charging?: NamedCharge | null;
      overdue?: { access_until: Date } | null;
    }
  /** The membership will end after the paid period, and is charged until then. */
  | ({ type: 'end_scheduled'; ends_at: Date; charged_at: Date } & NamedCharge)
  | { type: 'cancellation_withdrawn'; price_change: PriceChange | null }
  /** `until` is null for a pause without an end, made at Stripe. `paid_until`, here and below: only at the venue. */
  | { type: 'pause_scheduled'; from: Date; until: Date | null; begun: boolean; paid_until?: Date }
  | { type: 'pause_withdrawn'; next_billing: Date; price_change: PriceChange | null; paid_until?: Date }
  /** The member came back before the pause was over. */
  | {
      type: 'pause_ended';
      tier: string;
      next_billing: Date;
      price_change: PriceChange | null;
      paid_until?: Date;
    }
  /** A pause is about to end, and the membership to be charged again. */
  | ({ type: 'return_reminder'; returns_at: Date } & NextCharge)
  /** A canceled membership is about to end. */
  | {
      type: 'ending_reminder';
      tier: string;
      ends_at: Date;
      last_charge: NamedCharge | null;
      /** Staff ended it at the venue, and the member cannot keep it. */
      by_venue?: boolean;
    }
  /** `why` is null if it ended as planned, or at Stripe; only then is there a `last_charge` that is still open. */
  | { type: 'membership_ended'; why: null; last_charge: NamedCharge | null }
  | { type: 'membership_ended'; why: EndingReason }
  /** Dues, which are paid at the venue: in the days before the first unpaid one, on it, and after the days of grace. */
  | ({ type: 'dues_reminder'; paid_until: Date } & Dues)
  | ({ type: 'dues_overdue'; paid_until: Date; grace_until: Date; available_pours: number } & Dues)
  | { type: 'dues_ended'; tier: string; paid_until: Date }
  /** A year is over soon. `year_cents`: another one, if the tier has a price for it. */
  | ({ type: 'year_ending'; last_day: Date; year_cents: number | null } & Dues)
  /** A member by card paid for a year, which begins once the paid month is over. */
  | { type: 'year_ordered'; tier: string; begins_at: Date }
  /** A membership began with a year that was paid online. */
  | { type: 'year_started'; tier: string; monthly_pours: number; last_day: Date }
  /** A member at the venue changes to a card: from the first unpaid day, or at once. */
  | ({ type: 'card_ordered'; first_charge: Date } & TierPrice)
  /** A membership that the club gives. */
  | { type: 'house_ending'; tier: string; last_day: Date }
  /** No access for now. Stripe may still charge the member, and a payment brings the membership back. */
  | { type: 'membership_suspended' }
  /** `skip_until`: the renewal after it, if the member can skip this one; otherwise null. */
  | ({ type: 'renewal_reminder'; renews_at: Date; skip_until: Date | null } & NextCharge)
  /** `since`: the start of the subscription. */
  | ({ type: 'annual_notice'; since: Date; next_billing: Date } & NextCharge)
  /** To the buyer. `amount_cents` is the amount paid, with tax; `send_on` is null for a card. */
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
  /** To the recipient, who now holds the membership. */
  | { type: 'gift_started'; tier: string; months: number; last_day: Date }
  | { type: 'gift_ending'; tier: string; last_day: Date }
  | { type: 'gift_ended'; tier: string }
  | { type: 'payment_returned'; reason: ReversalReason; amount_cents: number; currency: string }
  | { type: 'payment_refunded'; amount_cents: number; paid_cents: number; paid_at: Date; currency: string }
);

/** How long a request waits for the payments service in total, retries included, in milliseconds. */
export interface PaymentLimits {
  member_ms: number;
  staff_ms: number;
}

/** What billing gets from the composition. */
export interface BillingDeps {
  db: Db;
  /** Off without a key: `stripe` and `key` then refuse every use with PAYMENTS_OFF, and no row names anything at Stripe. */
  payments: Payments;
  stripe: Stripe;
  key: StripeKey;
  /** Signing secrets in use: two while one is being replaced. */
  webhookSecrets: string[];
  /** Stores the secret of a webhook endpoint that is made here; null if it is only printed, as on the command line. */
  sealing: { key: Buffer; newSecret(): string } | null;
  /** Our URL as a browser reaches it, without a trailing slash. */
  publicUrl: string;
  venue: Venue;
  /** What users with an unconfirmed email can do. */
  verifyEmail: VerifyEmailMode;
  rules(): BillingRules;
  /** ISO code in lowercase, as at Stripe. */
  currency: string;
  /** The tax behavior of the prices we sell; 'unspecified' while Stripe calculates no tax. */
  taxBehavior: TaxBehavior;
  /** card: cards, also in wallets. automatic: everything the venue turned on at Stripe. */
  paymentMethods: 'card' | 'automatic';
  now(): Date;
  /** The real time where `now` is simulated, for checking the age of a signature. */
  wallClock?(): Date;
  newId(): string;
  /** Makes gift codes; null if none are made, as on the command line. */
  giftKey: IdentifiedKey | null;
  /** For emails to people without an account. */
  outbox: Pick<Outbox, 'sends' | 'enqueue'>;
  log: Logger;
  observe?: Observe | undefined;
  /** Stores the notice in its cause's transaction, or throws to roll back. The same cause may be posted again. */
  post(tx: Tx, notice: BillingNotice): Promise<void>;
  /** How long requests wait for Stripe; by default PAYMENT_LIMITS. */
  limits?: PaymentLimits;
}

/** docs/rules/api.md, "Other limits". */
export const PAYMENT_LIMITS: PaymentLimits = { member_ms: 8000, staff_ms: 4000 };

export type LocalStatus = 'active' | 'inactive' | 'none';

export interface Reconciliation {
  /** Whether anything visible to the member or staff has changed. */
  changed: boolean;
  localStatus: LocalStatus;
  /**
   * What Stripe failed to do, or refused for now. reversals: a subscription to cancel. returns: refunds of reversals.
   * refunds: by staff. acts: what was asked for here, such as a pause.
   */
  open: ('reversals' | 'returns' | 'refunds' | 'gifts' | 'acts')[];
}

export interface BillingContext extends BillingDeps {
  limits: PaymentLimits;
  /** Brings our copy of a user in line with Stripe (reconcile/reconcile.ts). Throws if Stripe or the database fails. */
  reconcile(userId: string): Promise<Reconciliation>;
  /** Runs a user's work after the work queued before it. Covers this process only. */
  runInUserQueue<T>(userId: string, work: () => Promise<T>): Promise<T>;
  /** Work on users' billing that runs or waits in this process. */
  queueDepth(): number;
}

/** What a verb of billing gets from a call. The user comes from the session, never from a body. */
export interface BillingCall {
  billing: BillingContext;
  actor: Actor;
}

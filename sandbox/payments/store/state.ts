import type * as w from '../http/wire.ts';
import type { CardBehavior } from '../resources/cards.ts';

/** The stored part of a checkout session that is not public. */
interface Cart {
  items: { id: string; price: string; quantity: number }[];
  /** When the trial of the subscription ends, in seconds; null without one. */
  trial_end: number | null;
  subscription_metadata: Record<string, string>;
  /** For a one-time payment; absent in older data. */
  payment_metadata?: Record<string, string>;
  /** What the shop puts on the invoice of a one-time payment; without it, there is none. */
  invoice?: { description: string | null; metadata: Record<string, string> } | null;
  /** Seconds on the sandbox clock at which the session expires. */
  expires_on: number;
  automatic_tax: boolean;
  /** The card whose 3-D Secure step is open. */
  challenge: { token: string; payment_method: string; email: string; name: string } | null;
}

/** A proration that was not invoiced at once, or an invoice item: it waits for the next invoice. */
export interface PendingItem {
  /** Null for any invoice of the customer. */
  subscription: string | null;
  customer?: string;
  line: w.InvoiceLine;
  /** Absent for a proration in older data. */
  invoice_item?: string;
}

/** A resumption with an unpaid invoice; until it is paid, the subscription stays paused. In seconds. */
export interface Resumption {
  invoice: string;
  period: { start: number; end: number };
  expires_at: number;
  /** Whether a payment attempt is enough to resume, or only a successful payment. */
  on: 'attempt' | 'success';
}

interface Attempt {
  at: number;
  status: number | null;
  error: string | null;
}

/** A delivery of one event. Times in milliseconds on the real clock. */
export interface Delivery {
  id: string;
  event: string;
  /** The endpoint, made over the API, that gets this delivery; absent for the one configured at the start. */
  endpoint?: string;
  state: 'pending' | 'held' | 'delivered' | 'failed' | 'dropped';
  due: number;
  attempts: Attempt[];
}

export interface IdempotentResponse {
  method: string;
  path: string;
  fingerprint: string;
  status: number;
  body: string;
  request: string;
  at: number;
}

export interface Settings {
  /** Days from each failed renewal to the next attempt; after the last comes `dunning_end`. */
  dunning_days: number[];
  dunning_end: 'canceled' | 'unpaid' | 'past_due' | 'paused';
  /** How long a renewal invoice stays a draft. Stripe takes about an hour; 0 finalizes and charges at once. */
  draft_seconds: number;
  /** Whether renewal invoices can be finalized; automatic tax fails without a usable address. */
  finalization: 'succeeds' | 'fails';
  /** The single rate of automatic tax. */
  tax_percent: number;
  account_name: string;
  /** What card statements show; null until the shop has set it. */
  statement_descriptor: string | null;
  /** Whether the account may take payments; false for an account that is not activated. */
  charges_enabled: boolean;
  tax_status: 'active' | 'pending';
  /** The first status of refunds; a pending refund is settled by hand. */
  refunds: 'succeeded' | 'pending';
  /** Whether invoices are paid at once, or later as by a bank debit; a charge under way is settled or failed by hand. */
  charges: 'succeeded' | 'pending';
  /** Whether what is available is paid out daily, or only by a request. */
  payout_interval: 'daily' | 'manual';
  /** When payouts are made, with their events: when someone reads them, which costs nothing before, or on time. */
  payouts: 'when_read' | 'on_time';
  /** The payment methods that checkout offers if the session names none. */
  payment_methods: string[];
}

const table = <T>(): Record<string, T> => ({});

/** Stored on disk. Tables keep the order of creation. */
export type State = ReturnType<typeof emptyState>;

/** All data of the payments service, before anything happened. */
export function emptyState(apiVersion: string) {
  const settings: Settings = {
    dunning_days: [3, 5, 7],
    dunning_end: 'canceled',
    draft_seconds: 0,
    finalization: 'succeeds',
    tax_percent: 20,
    account_name: 'Cellar Door',
    statement_descriptor: 'CELLAR DOOR',
    charges_enabled: true,
    tax_status: 'pending',
    refunds: 'succeeded',
    charges: 'succeeded',
    payout_interval: 'daily',
    payouts: 'when_read',
    payment_methods: ['card', 'apple_pay', 'google_pay', 'link'],
  };
  return {
    format: 1,
    api_version: apiVersion,
    /** Milliseconds the sandbox clock runs ahead of the real one. */
    clock_offset: 0,
    next_invoice_number: 1,
    settings,
    coupons: table<w.Coupon>(),
    discounts: table<w.Discount>(),
    customers: table<w.Customer>(),
    deleted_customers: table<w.DeletedCustomer>(),
    products: table<w.Product>(),
    prices: table<w.Price>(),
    /** Keyed by price. */
    price_tiers: table<w.PriceTier[]>(),
    tax_rates: table<w.TaxRate>(),
    sessions: table<w.CheckoutSession>(),
    carts: table<Cart>(),
    payment_methods: table<w.PaymentMethod>(),
    cards: table<CardBehavior>(),
    subscriptions: table<w.Subscription>(),
    schedules: table<w.Schedule>(),
    /** The trial end, by subscription, that was announced. */
    trial_warnings: table<number>(),
    /** Sent invoices whose due date has passed. */
    overdue_invoices: table<true>(),
    pending_items: [] as PendingItem[],
    invoice_items: table<w.InvoiceItem>(),
    credit_notes: table<w.CreditNote>(),
    /** Keyed by subscription. */
    resumptions: table<Resumption>(),
    invoices: table<w.Invoice>(),
    /** Automatic attempts to charge each open invoice; the customer's own do not count. */
    automatic_attempts: table<number>(),
    invoice_payments: table<w.InvoicePayment>(),
    payment_intents: table<w.PaymentIntent>(),
    charges: table<w.Charge>(),
    refunds: table<w.Refund>(),
    disputes: table<w.Dispute>(),
    balance_transactions: table<w.BalanceTransaction>(),
    payouts: table<w.Payout>(),
    /** The automatic payout of each balance transaction. */
    paid_out: table<string>(),
    /** The last day of automatic payouts, in seconds. */
    payout_day: 0,
    portal_sessions: table<w.PortalSession>(),
    portal_configurations: table<w.PortalConfiguration>(),
    /** Cards entered in the portal whose 3-D Secure step is open, by portal session. */
    portal_challenges: table<{ token: string; payment_method: string }>(),
    test_clocks: table<w.TestClock>(),
    webhook_endpoints: table<w.WebhookEndpoint>(),
    /** The signing secrets of webhook endpoints; only the response to their creation shows them. */
    webhook_secrets: table<string>(),
    events: table<w.StoredEvent>(),
    deliveries: [] as Delivery[],
    idempotent_responses: table<IdempotentResponse>(),
  };
}

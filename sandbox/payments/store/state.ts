import type * as w from '../http/wire.ts';
import type { CardBehavior } from '../resources/cards.ts';

/** The stored part of a checkout session that is not public. */
interface Cart {
  items: { id: string; price: string; quantity: number }[];
  subscription_metadata: Record<string, string>;
  subscription_description: string | null;
  /** For a one-time payment; absent in older data. */
  payment_metadata?: Record<string, string>;
  payment_description?: string | null;
  trial_days: number | null;
  trial_end: number | null;
  /** Seconds on the sandbox clock at which the session expires. */
  expires_on: number;
  automatic_tax: boolean;
  /** The card whose 3-D Secure step is open. */
  challenge: { token: string; payment_method: string; email: string; name: string } | null;
}

/** A proration that was not invoiced at once and waits for the subscription's next invoice. */
interface PendingItem {
  subscription: string;
  line: w.InvoiceLine;
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
  /** The payment methods that checkout offers if the session names none. */
  payment_methods: string[];
}

/** All data of the payments service, as stored on disk. Tables keep the order of creation. */
export interface State {
  format: 1;
  api_version: string;
  /** Milliseconds the sandbox clock runs ahead of the real one. */
  clock_offset: number;
  next_invoice_number: number;
  settings: Settings;
  coupons: Record<string, w.Coupon>;
  discounts: Record<string, w.Discount>;
  customers: Record<string, w.Customer>;
  deleted_customers: Record<string, w.DeletedCustomer>;
  balance_transactions: Record<string, w.BalanceTransaction>;
  products: Record<string, w.Product>;
  prices: Record<string, w.Price>;
  sessions: Record<string, w.CheckoutSession>;
  carts: Record<string, Cart>;
  payment_methods: Record<string, w.PaymentMethod>;
  cards: Record<string, CardBehavior>;
  subscriptions: Record<string, w.Subscription>;
  schedules: Record<string, w.Schedule>;
  pending_items: PendingItem[];
  /** Keyed by subscription. */
  resumptions: Record<string, Resumption>;
  invoices: Record<string, w.Invoice>;
  /** Automatic attempts to charge each open invoice; the customer's own do not count. */
  automatic_attempts: Record<string, number>;
  invoice_payments: Record<string, w.InvoicePayment>;
  payment_intents: Record<string, w.PaymentIntent>;
  charges: Record<string, w.Charge>;
  refunds: Record<string, w.Refund>;
  disputes: Record<string, w.Dispute>;
  portal_sessions: Record<string, w.PortalSession>;
  portal_configurations: Record<string, w.PortalConfiguration>;
  /** Cards entered in the portal whose 3-D Secure step is open, by portal session. */
  portal_challenges: Record<string, { token: string; payment_method: string }>;
  test_clocks: Record<string, w.TestClock>;
  webhook_endpoints: Record<string, w.WebhookEndpoint>;
  /** The signing secrets of webhook endpoints; only the response to their creation shows them. */
  webhook_secrets: Record<string, string>;
  events: Record<string, w.StoredEvent>;
  deliveries: Delivery[];
  idempotent_responses: Record<string, IdempotentResponse>;
}

export function emptyState(apiVersion: string): State {
  return {
    format: 1,
    api_version: apiVersion,
    clock_offset: 0,
    next_invoice_number: 1,
    settings: {
      dunning_days: [3, 5, 7],
      dunning_end: 'canceled',
      draft_seconds: 0,
      tax_percent: 20,
      account_name: 'Cellar Door',
      statement_descriptor: 'CELLAR DOOR',
      charges_enabled: true,
      tax_status: 'pending',
      refunds: 'succeeded',
      charges: 'succeeded',
      payment_methods: ['card', 'apple_pay', 'google_pay', 'link'],
    },
    coupons: {},
    discounts: {},
    customers: {},
    deleted_customers: {},
    balance_transactions: {},
    products: {},
    prices: {},
    sessions: {},
    carts: {},
    payment_methods: {},
    cards: {},
    subscriptions: {},
    schedules: {},
    pending_items: [],
    resumptions: {},
    invoices: {},
    automatic_attempts: {},
    invoice_payments: {},
    payment_intents: {},
    charges: {},
    refunds: {},
    disputes: {},
    portal_sessions: {},
    portal_configurations: {},
    portal_challenges: {},
    test_clocks: {},
    webhook_endpoints: {},
    webhook_secrets: {},
    events: {},
    deliveries: [],
    idempotent_responses: {},
  };
}

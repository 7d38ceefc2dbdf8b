import type Stripe from 'stripe';

type Expandable = { id: string; object: string };

/** The SDK types a field as an id or the expanded object. The id is what is stored and sent. */
type Collapsed<V> = string extends Extract<V, string> ? Exclude<V, Expandable> : V;

/**
 * An SDK type as sent: references are ids unless expanded, decimals are strings. Names, nullability and nesting are the
 * SDK's, so that the compiler checks our responses.
 */
export type Wire<T> = T extends Stripe.Decimal
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends Array<infer U>
      ? Array<Wire<Collapsed<U>>>
      : T extends object
        ? { [K in keyof T]: Wire<Collapsed<T[K]>> }
        : T;

export type Coupon = Wire<Stripe.Coupon>;
export type Discount = Wire<Stripe.Discount>;
export type Customer = Wire<Stripe.Customer>;
export type BalanceTransaction = Wire<Stripe.CustomerBalanceTransaction>;
export type DeletedCustomer = Wire<Stripe.DeletedCustomer>;
export type Product = Wire<Stripe.Product>;
export type Price = Wire<Stripe.Price>;
export type Plan = Wire<Stripe.Plan>;
export type CheckoutSession = Wire<Stripe.Checkout.Session>;
export type LineItem = Wire<Stripe.LineItem>;
export type PaymentMethod = Wire<Stripe.PaymentMethod>;
export type Subscription = Wire<Stripe.Subscription>;
export type SubscriptionItem = Wire<Stripe.SubscriptionItem>;
export type Schedule = Wire<Stripe.SubscriptionSchedule>;
export type SchedulePhase = Schedule['phases'][number];
export type Invoice = Wire<Stripe.Invoice>;
export type InvoiceLine = Wire<Stripe.InvoiceLineItem>;
export type InvoicePayment = Wire<Stripe.InvoicePayment>;
export type PaymentIntent = Wire<Stripe.PaymentIntent>;
export type Charge = Wire<Stripe.Charge>;
export type Refund = Wire<Stripe.Refund>;
export type Dispute = Wire<Stripe.Dispute>;
export type PortalSession = Wire<Stripe.BillingPortal.Session>;
export type PortalConfiguration = Wire<Stripe.BillingPortal.Configuration>;
export type WebhookEndpoint = Wire<Stripe.WebhookEndpoint>;
export type Account = Wire<Stripe.Account>;
export type TaxSettings = Wire<Stripe.Tax.Settings>;
export type PaymentMethodConfiguration = Wire<Stripe.PaymentMethodConfiguration>;
export type TestClock = Wire<Stripe.TestHelpers.TestClock>;
export type EventType = Stripe.Event['type'];

/** An event as stored, with a copy of its object at the time. */
export interface StoredEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: EventType;
}

/** A page of a list, as Stripe sends it. */
export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

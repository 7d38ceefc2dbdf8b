import type Stripe from 'stripe';
import { invalid } from './errors.ts';

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
export type DeletedCustomer = Wire<Stripe.DeletedCustomer>;
export type Product = Wire<Stripe.Product>;
export type TaxRate = Wire<Stripe.TaxRate>;
export type Price = Wire<Stripe.Price>;
export type PriceTier = Wire<Stripe.Price.Tier>;
export type Plan = Wire<Stripe.Plan>;
export type CheckoutSession = Wire<Stripe.Checkout.Session>;
export type LineItem = Wire<Stripe.LineItem>;
export type PaymentMethod = Wire<Stripe.PaymentMethod>;
export type Subscription = Wire<Stripe.Subscription>;
export type SubscriptionItem = Wire<Stripe.SubscriptionItem>;
export type Schedule = Wire<Stripe.SubscriptionSchedule>;
export type SchedulePhase = Schedule['phases'][number];
export type Invoice = Wire<Stripe.Invoice>;
export type CreditNote = Wire<Stripe.CreditNote>;
export type InvoiceItem = Wire<Stripe.InvoiceItem>;
export type InvoiceLine = Wire<Stripe.InvoiceLineItem>;
export type InvoicePayment = Wire<Stripe.InvoicePayment>;
export type PaymentIntent = Wire<Stripe.PaymentIntent>;
/** A card of the older Sources API. */
export type SourceCard = Wire<Stripe.Card>;
export type Charge = Wire<Stripe.Charge>;
export type Refund = Wire<Stripe.Refund>;
export type BalanceTransaction = Wire<Stripe.BalanceTransaction>;
export type Payout = Wire<Stripe.Payout>;
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
  /** Only the list inside an invoice or a subscription has it. The SDK's type lacks it. */
  total_count?: number;
}

interface Paging {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
}

/** A page of `objects`, newest first. Throws 400 for a limit outside 1 to 100 and for an unknown cursor. */
export function page<T extends { id: string }>(objects: T[], paging: Paging, url: string): List<T> {
  return pageInOrder(objects.toReversed(), paging, url);
}

/** A page of `objects` in its own order, for the parts of an object. Throws as `page` does. */
export function pageInOrder<T extends { id: string }>(objects: T[], paging: Paging, url: string): List<T> {
  const limit = paging.limit ?? 10;
  if (limit < 1 || limit > 100)
    throw invalid('Invalid limit: must be between 1 and 100', 'limit', 'parameter_invalid_integer');
  if (paging.starting_after && paging.ending_before)
    throw invalid('You may only specify one of these parameters: ending_before, starting_after.');
  const indexOf = (id: string, param: string) => {
    const index = objects.findIndex((entry) => entry.id === id);
    if (index < 0) throw invalid(`No such object: '${id}'`, param, 'resource_missing');
    return index;
  };
  if (paging.ending_before) {
    const end = indexOf(paging.ending_before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: objects.slice(start, end), has_more: start > 0, url };
  }
  const start = paging.starting_after ? indexOf(paging.starting_after, 'starting_after') + 1 : 0;
  return {
    object: 'list',
    data: objects.slice(start, start + limit),
    has_more: objects.length > start + limit,
    url,
  };
}

/** A whole list in its own order, to embed in another object. */
export function whole<T>(data: T[], url: string): List<T> {
  return { object: 'list', data, has_more: false, url };
}

const EMBEDDED = 10;

/** The JSON of an object as Stripe sends it: a list inside it has at most ten entries. */
export function serialize(object: object): string {
  return JSON.stringify(object, (name, value) => {
    if (name === '' || value?.object !== 'list') return value;
    const { data, ...rest } = value as List<unknown>;
    const counts = name === 'lines' || name === 'items';
    return {
      ...rest,
      data: data.slice(0, EMBEDDED),
      has_more: data.length > EMBEDDED,
      ...(counts && { total_count: data.length }),
    };
  });
}

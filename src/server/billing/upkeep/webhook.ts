import Stripe from 'stripe';
import { eq } from '../../db/orm.ts';
import { stripe_event } from '../../db/schema.ts';
import type { Observation } from '../../platform/observe.ts';
import type { BillingContext } from '../billing-context.ts';
import { adoptCustomer, findUserId } from '../customers/customer.ts';
import { lookAtUnknownCustomer } from '../customers/unknown-notices.ts';
import type { GiftRow } from '../gifts/gift-code.ts';
import { followOrphan, giftOfPayment } from '../gifts/gift-payment.ts';
import { webhookSecretsOf } from '../setup/webhook-secrets.ts';
import { API_VERSION } from '../stripe-client.ts';
import { unlessMissing } from '../stripe-errors.ts';
import { idOf } from '../stripe-objects.ts';
import { isHandled } from '../webhook-events.ts';

export interface WebhookResponse {
  status: 200 | 400 | 503;
  body: { received: true; duplicate?: true } | { code: 'BAD_SIGNATURE' | 'NOT_PROCESSED'; message: string };
}

/**
 * Handles a webhook (docs/rules/billing.md, "Billing: what happens when"). The event only says which customer changed; the
 * changes are fetched from Stripe. `rawBody` must be exactly as received. Responds 400 unless it is JSON that one of our
 * secrets signed within the last 300 seconds, and 503 if it could not be processed, so that Stripe retries. Throws only if
 * the database fails while the signing secrets are read.
 */
export async function handleWebhook(
  ctx: BillingContext,
  rawBody: string,
  signature: string | undefined,
): Promise<WebhookResponse> {
  const event = await verifySignature(ctx, rawBody, signature);
  if (event === 'thin') {
    ctx.observe?.({ type: 'webhook', event: 'other', outcome: 'ignored' });
    ctx.log.warn('Stripe sends thin events to this endpoint: choose the snapshot payload style for it');
    return { status: 200, body: { received: true } };
  }
  const observe = (outcome: Extract<Observation, { type: 'webhook' }>['outcome']) => {
    // An unhandled type can be any text, so it must not become a metric's label.
    const type = event && isHandled(event.type) ? event.type : 'other';
    ctx.observe?.({ type: 'webhook', event: type, outcome });
  };
  if (!event) {
    observe('refused');
    return {
      status: 400,
      body: { code: 'BAD_SIGNATURE', message: 'The signature is missing, wrong, or too old.' },
    };
  }
  if (!isHandled(event.type)) {
    observe('ignored');
    return { status: 200, body: { received: true } };
  }
  if (event.api_version !== API_VERSION) {
    ctx.log.warn(
      { event: event.id, api_version: event.api_version },
      'Webhook event has another API version',
    );
  }
  try {
    const stored = await storeEvent(ctx, event, await customerOfEvent(ctx, event));
    if (!stored) {
      observe('duplicate');
      return { status: 200, body: { received: true, duplicate: true } };
    }
    if (!(await processEvent(ctx, stored))) throw new Error('A refund is still open');
    observe('done');
    return { status: 200, body: { received: true } };
  } catch (error) {
    observe('failed');
    ctx.log.error({ err: error, event: event.id, type: event.type }, 'Webhook event could not be processed');
    return { status: 503, body: { code: 'NOT_PROCESSED', message: 'Send this event again later.' } };
  }
}

export type StoredEvent = Pick<
  typeof stripe_event.$inferSelect,
  'id' | 'stripe_customer_id' | 'stripe_payment_intent_id'
>;

/** Processes a stored event. False while a payment must still be refunded. Throws Stripe's and the database's errors. */
export async function processEvent(
  ctx: BillingContext,
  { id, stripe_customer_id, stripe_payment_intent_id }: StoredEvent,
): Promise<boolean> {
  const gift = stripe_payment_intent_id ? await giftOfPayment(ctx, stripe_payment_intent_id) : null;
  if (gift && !gift.buyer_id) await followOrphan(ctx, gift);
  const outcome = await reconcileStripeCustomer(ctx, stripe_customer_id, gift);
  if (outcome === 'open') return false;
  await markProcessed(ctx, id, outcome);
  return true;
}

async function verifySignature(
  ctx: BillingContext,
  rawBody: string,
  signature: string | undefined,
): Promise<Stripe.Event | 'thin' | null> {
  const { stripe, now, wallClock = now, log } = ctx;
  if (!signature) return null;
  for await (const secret of webhookSecretsOf(ctx)) {
    try {
      const receivedAt = wallClock().getTime();
      return await stripe.webhooks.constructEventAsync(
        rawBody,
        signature,
        secret,
        undefined,
        undefined,
        receivedAt,
      );
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      if (isThin(rawBody)) return 'thin';
      log.warn({ err: error }, 'Webhook body is not valid JSON');
      return null;
    }
  }
  return null;
}

/** Whether a body is a thin event, which names no object of the API that we use (docs.stripe.com/event-destinations). */
function isThin(rawBody: string): boolean {
  try {
    return (JSON.parse(rawBody) as { object?: unknown } | null)?.object === 'v2.core.event';
  } catch {
    return false;
  }
}

type EventObject = {
  id?: unknown;
  object?: unknown;
  customer?: unknown;
  charge?: unknown;
  payment_intent?: unknown;
};

/** The customer that an event is about; null without one. Throws Stripe's errors. */
export async function customerOfEvent(
  { stripe }: BillingContext,
  event: Stripe.Event,
): Promise<string | null> {
  const object = event.data.object as EventObject;
  if (object.object === 'customer') return String(object.id);
  if (typeof object.customer === 'string') return object.customer;
  // A detached payment method has no customer any more; the event names the previous one.
  const before = (event.data.previous_attributes as EventObject | undefined)?.customer;
  if (typeof before === 'string') return before;
  // A dispute names only its charge.
  if (typeof object.charge !== 'string') return null;
  const charge = await unlessMissing(stripe.charges.retrieve(object.charge));
  return idOf(charge?.customer);
}

/** The payment that an event names; null without one. */
export function paymentOfEvent(event: Stripe.Event): string | null {
  const { payment_intent } = event.data.object as EventObject;
  return typeof payment_intent === 'string' ? payment_intent : null;
}

/** Stores the event. Null if it was processed before. */
async function storeEvent(
  { db, now }: BillingContext,
  event: Stripe.Event,
  customer: string | null,
): Promise<StoredEvent | null> {
  const [row] = await db
    .insert(stripe_event)
    .values({
      id: event.id,
      type: event.type,
      stripe_customer_id: customer,
      stripe_payment_intent_id: paymentOfEvent(event),
      created_at: new Date(event.created * 1000),
      received_at: now(),
    })
    .onConflictDoUpdate({ target: stripe_event.id, set: { type: event.type } })
    .returning();
  return row?.processed_at === null ? row : null;
}

/** 'open': a payment must still be refunded. 'unknown_customer': the customer is not ours. */
export type Outcome = 'done' | 'open' | 'unknown_customer';

/**
 * Reconciles the user of a Stripe customer, or the buyer of the gift that an event was about. A customer that neither
 * our records nor its metadata connect to a user belongs to another product or a deleted account, unless it pays for one
 * of our prices: then staff get a notice. Throws Stripe's and the database's errors.
 */
export async function reconcileStripeCustomer(
  ctx: BillingContext,
  customer: string | null,
  gift: GiftRow | null = null,
): Promise<Outcome> {
  const known = customer && ((await findUserId(ctx, customer)) ?? (await adoptCustomer(ctx, customer)));
  const userId = known || gift?.buyer_id;
  if (userId) {
    const { open } = await ctx.reconcile(userId);
    return open.includes('reversals') || open.includes('returns') ? 'open' : 'done';
  }
  if (gift) return 'done';
  // Usual: the venue's account can sell other things too. The event itself is stored.
  ctx.log.debug({ customer }, 'Webhook event is about an unknown customer');
  if (customer) await lookAtUnknownCustomer(ctx, customer);
  return 'unknown_customer';
}

async function markProcessed(
  { db, now, observe }: BillingContext,
  id: string,
  outcome: Outcome,
): Promise<void> {
  // Data minimization: an event that is not about our members is stored without its customer and payment.
  const forget =
    outcome === 'unknown_customer' ? { stripe_customer_id: null, stripe_payment_intent_id: null } : {};
  const at = now();
  const [event] = await db
    .update(stripe_event)
    .set({ processed_at: at, ...forget })
    .where(eq(stripe_event.id, id))
    .returning({ created_at: stripe_event.created_at });
  if (!event) return;
  const seconds = Math.max(0, (at.getTime() - event.created_at.getTime()) / 1000);
  observe?.({ type: 'event processed', seconds });
}

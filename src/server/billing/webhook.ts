import { eq, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { checkout_attempt, stripe_event } from '../db/schema.ts';
import { settleAttempt } from './checkout/checkout-attempts.ts';
import type { BillingContext } from './context.ts';
import { adoptCustomer, userOfCustomer } from './customer.ts';
import { API_VERSION } from './stripe-client.ts';

/** The events to which a webhook endpoint must be subscribed; any other is answered and forgotten. */
export const WEBHOOK_EVENTS: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'customer.updated',
  'customer.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'payment_method.attached',
  'payment_method.detached',
  'payment_method.updated',
  'payment_method.automatically_updated',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
];
const HANDLED: ReadonlySet<string> = new Set(WEBHOOK_EVENTS);

export interface WebhookAnswer {
  status: 200 | 400 | 503;
  body: { received: true; duplicate?: true } | { code: 'BAD_SIGNATURE' | 'NOT_CONVERGED'; message: string };
}

/**
 * Answers a webhook: the event is only a hint about whom to look at, the truth is fetched. rawBody must be
 * exactly as received. 400 when no secret in force signed it lately (300 s); 503 when the user could not be
 * converged, so that Stripe sends it again. Never throws.
 */
export async function handleWebhook(
  context: BillingContext,
  rawBody: string,
  signature: string | undefined,
): Promise<WebhookAnswer> {
  const event = await verified(context, rawBody, signature);
  if (!event) {
    context.log.warn({ security: 'webhook', outcome: 'refused', code: 'BAD_SIGNATURE' }, 'webhook');
    return {
      status: 400,
      body: { code: 'BAD_SIGNATURE', message: 'The signature is missing, wrong or too old.' },
    };
  }
  if (!HANDLED.has(event.type)) return { status: 200, body: { received: true } };
  if (event.api_version !== API_VERSION) {
    context.log.warn({ event: event.id, api_version: event.api_version }, 'Event of another API version');
  }
  try {
    const customer = await customerOfEvent(context, event);
    if (!(await remember(context, event, customer))) {
      return { status: 200, body: { received: true, duplicate: true } };
    }
    const outcome = await act(context, customer, sessionOf(event));
    if (outcome === 'open') throw new Error('A payment could not be given back yet');
    await markProcessed(context, event.id, outcome);
    return { status: 200, body: { received: true } };
  } catch (error) {
    context.log.error({ err: error, event: event.id, type: event.type }, 'Event could not be carried out');
    return { status: 503, body: { code: 'NOT_CONVERGED', message: 'Please send this event again later.' } };
  }
}

/** Looks again at the customer of an event that was kept but not carried out. False when it still is not. */
export async function repeatEvent(
  context: BillingContext,
  event: { id: string; stripe_customer_id: string | null },
): Promise<boolean> {
  const outcome = await lookAt(context, event.stripe_customer_id);
  if (outcome === 'open') return false;
  await markProcessed(context, event.id, outcome);
  return true;
}

/** Converges whoever this customer is to us. */
export function lookAt(context: BillingContext, stripeCustomer: string | null): Promise<Outcome> {
  return act(context, stripeCustomer, null);
}

async function verified(
  { stripe, webhookSecrets, now, wallClock = now, log }: BillingContext,
  rawBody: string,
  signature: string | undefined,
): Promise<Stripe.Event | null> {
  if (!signature) return null;
  for (const secret of webhookSecrets) {
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
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) {
        log.warn({ err: error }, 'Webhook body cannot be read');
        return null;
      }
    }
  }
  return null;
}

type EventObject = { id?: unknown; object?: unknown; customer?: unknown; charge?: unknown };

async function customerOfEvent({ stripe }: BillingContext, event: Stripe.Event): Promise<string | null> {
  const about = event.data.object as EventObject;
  if (about.object === 'customer') return String(about.id);
  if (typeof about.customer === 'string') return about.customer;
  if (typeof about.charge !== 'string') return null;
  // A dispute names only its charge.
  const { customer } = await stripe.charges.retrieve(about.charge);
  return typeof customer === 'string' ? customer : (customer?.id ?? null);
}

function sessionOf(event: Stripe.Event): string | null {
  const about = event.data.object as EventObject;
  return about.object === 'checkout.session' ? String(about.id) : null;
}

/** Keeps the event. False when it was carried out before. */
async function remember(
  { db, now }: BillingContext,
  event: Stripe.Event,
  customer: string | null,
): Promise<boolean> {
  const [row] = await db
    .insert(stripe_event)
    .values({
      id: event.id,
      type: event.type,
      stripe_customer_id: customer,
      created_at: new Date(event.created * 1000),
      received_at: now(),
    })
    .onConflictDoUpdate({ target: stripe_event.id, set: { type: sql`excluded.type` } })
    .returning();
  return row?.processed_at === null;
}

/** 'open': a payment must still go back. 'stranger': it was about nobody we know. */
export type Outcome = 'done' | 'open' | 'stranger';

/**
 * A customer who is neither on record nor ours by metadata belongs to somebody else's product, or deleted
 * their account.
 */
async function act(
  context: BillingContext,
  customer: string | null,
  session: string | null,
): Promise<Outcome> {
  const userId = customer
    ? ((await userOfCustomer(context, customer)) ?? (await adoptCustomer(context, customer)))
    : null;
  if (!userId) {
    context.log.info({ customer }, 'Event about no customer of ours');
    return 'stranger';
  }
  const [attempt] = session
    ? await context.db.select().from(checkout_attempt).where(eq(checkout_attempt.stripe_session_id, session))
    : [];
  if (attempt?.user_id === userId && attempt.status === 'open') {
    await settleAttempt(context, attempt);
  }
  return (await context.converge(userId)).reversalsOpen ? 'open' : 'done';
}

async function markProcessed({ db, now }: BillingContext, id: string, outcome: Outcome): Promise<void> {
  // Nothing to find a stranger by is kept.
  const whose = outcome === 'stranger' ? { stripe_customer_id: null } : {};
  await db
    .update(stripe_event)
    .set({ processed_at: now(), ...whose })
    .where(eq(stripe_event.id, id));
}

import { and, eq, inArray } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { Db, Tx } from '../../db/client.ts';
import { violatedConstraint } from '../../db/results.ts';
import { checkout_attempt, membership_applications } from '../../db/schema.ts';
import { priceForTier } from '../catalog.ts';
import type { BillingContext } from '../context.ts';
import { ensureCustomer } from '../customer.ts';
import { isFinal, isMissing } from '../stripe-errors.ts';

export type CheckoutAttempt = typeof checkout_attempt.$inferSelect;

/** What became of a try at paying, by Stripe's word: still payable, paid, or over without payment. */
export type AttemptState = { state: 'open'; url: string } | { state: 'completed' } | { state: 'expired' };

/** A payment page lives 23 hours: less than Stripe keeps an idempotency key, so the key outlives the page. */
const LIFE_MS = 23 * 3_600_000;
/** Stripe opens no page that would expire sooner. */
const SHORTEST_LIFE_MS = 31 * 60_000;

const UNSETTLED = ['creating', 'open'] as const;

/** The user's one try at paying that is not settled; null for none. */
export async function unsettledAttempt(
  { db }: { db: Db | Tx },
  userId: string,
): Promise<CheckoutAttempt | null> {
  const [row] = await db
    .select()
    .from(checkout_attempt)
    .where(and(eq(checkout_attempt.user_id, userId), inArray(checkout_attempt.status, [...UNSETTLED])));
  return row ?? null;
}

/** Commits a new try, before Stripe hears of it. Null when another process was first. */
export async function beginAttempt(
  { db, now, newId }: BillingContext,
  wanted: { user_id: string; application_id: string; tier_name: string; amount_cents: number },
): Promise<CheckoutAttempt | null> {
  const created_at = now();
  try {
    const [row] = await db
      .insert(checkout_attempt)
      .values({
        id: newId(),
        ...wanted,
        status: 'creating',
        created_at,
        expires_at: new Date(created_at.getTime() + LIFE_MS),
      })
      .returning();
    return row ?? null;
  } catch (error) {
    if (violatedConstraint(error) === 'checkout_attempt_one_open') return null;
    throw error;
  }
}

/**
 * Asks Stripe what became of an attempt and writes it down; one that never got its page gets it now, under
 * the same idempotency key as before. A completed one makes the user converge. Throws Stripe's errors.
 */
export async function settleAttempt(
  context: BillingContext,
  attempt: CheckoutAttempt,
): Promise<AttemptState> {
  if (attempt.status === 'completed' || attempt.status === 'expired') return { state: attempt.status };
  if (attempt.stripe_session_id === null) return openPage(context, attempt);
  return follow(context, attempt, await context.stripe.checkout.sessions.retrieve(attempt.stripe_session_id));
}

/** Makes sure that an attempt cannot be paid any more, unless it was. Throws Stripe's errors. */
export async function closeAttempt(
  context: BillingContext,
  attempt: CheckoutAttempt,
): Promise<'completed' | 'expired'> {
  const now = await settleAttempt(context, attempt);
  if (now.state !== 'open') return now.state;
  const [row] = await context.db.select().from(checkout_attempt).where(eq(checkout_attempt.id, attempt.id));
  const id = row?.stripe_session_id;
  if (!row || !id) throw new Error('An open attempt has a session');
  const { sessions } = context.stripe.checkout;
  try {
    const closed = await follow(
      context,
      row,
      await sessions.expire(id, {}, { idempotencyKey: `expire:${row.id}` }),
    );
    return closed.state === 'completed' ? 'completed' : 'expired';
  } catch (error) {
    if (!isFinal(error)) throw error;
    // Paid, or expired by itself, between the two calls.
    const after = await follow(context, row, await sessions.retrieve(id));
    if (after.state === 'open') throw error;
    return after.state;
  }
}

async function follow(
  context: BillingContext,
  attempt: CheckoutAttempt,
  session: Stripe.Checkout.Session,
): Promise<AttemptState> {
  if (session.status === 'complete') {
    await context.converge(attempt.user_id);
    await mark(context, attempt, 'completed');
    return { state: 'completed' };
  }
  if (session.status === 'open' && session.url) return { state: 'open', url: session.url };
  await mark(context, attempt, 'expired');
  return { state: 'expired' };
}

async function mark(
  { db }: BillingContext,
  { id }: CheckoutAttempt,
  status: 'completed' | 'expired',
): Promise<void> {
  await db
    .update(checkout_attempt)
    .set({ status })
    .where(and(eq(checkout_attempt.id, id), inArray(checkout_attempt.status, [...UNSETTLED])));
}

async function openPage(context: BillingContext, attempt: CheckoutAttempt): Promise<AttemptState> {
  if (attempt.expires_at.getTime() - context.now().getTime() < SHORTEST_LIFE_MS) {
    await mark(context, attempt, 'expired');
    return { state: 'expired' };
  }
  let session: Stripe.Checkout.Session;
  try {
    session = await createSession(context, attempt);
  } catch (error) {
    // The answer to this key stays an error. Should a page exist after all, nobody was ever sent to it.
    if (isFinal(error)) await mark(context, attempt, 'expired');
    throw error;
  }
  const opened = await context.db.transaction(async (tx) => {
    const [row] = await tx
      .update(checkout_attempt)
      .set({ status: 'open', stripe_session_id: session.id, url: session.url })
      .where(and(eq(checkout_attempt.id, attempt.id), inArray(checkout_attempt.status, [...UNSETTLED])))
      .returning();
    if (!row) return null;
    await tx
      .update(membership_applications)
      .set({ stripe_session_id: session.id, selected_tier: attempt.tier_name, updated_at: context.now() })
      .where(
        and(
          eq(membership_applications.id, attempt.application_id),
          eq(membership_applications.status, 'pending'),
        ),
      );
    return row;
  });
  if (opened) return follow(context, opened, session);
  // Given up elsewhere while Stripe was answering: the page must not stay payable.
  if (session.status === 'open')
    await context.stripe.checkout.sessions.expire(session.id).catch(() => undefined);
  return { state: 'expired' };
}

/** The same attempt always sends the same request, so that its key brings back the same page. */
async function createSession(
  context: BillingContext,
  attempt: CheckoutAttempt,
): Promise<Stripe.Checkout.Session> {
  const { stripe, publicUrl } = context;
  const price = await priceForTier(context, attempt);
  const metadata = {
    user_id: attempt.user_id,
    application_id: attempt.application_id,
    tier: attempt.tier_name,
    attempt_id: attempt.id,
  };
  const create = (customer: string) =>
    stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer,
        line_items: [{ price, quantity: 1 }],
        success_url: `${publicUrl}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${publicUrl}/apply`,
        client_reference_id: attempt.user_id,
        expires_at: Math.floor(attempt.expires_at.getTime() / 1000),
        metadata,
        subscription_data: { metadata },
      },
      { idempotencyKey: `checkout:${attempt.id}:${customer}` },
    );
  const customer = await ensureCustomer(context, attempt.user_id);
  try {
    return await create(customer);
  } catch (error) {
    if (!isMissing(error, 'customer')) throw error;
    return create(await ensureCustomer(context, attempt.user_id, customer));
  }
}

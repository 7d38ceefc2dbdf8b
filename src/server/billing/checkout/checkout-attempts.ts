import type Stripe from 'stripe';
import { CLOCK_SKEW_MS } from '../../../domain/calendar.ts';
import type { ConsentWords } from '../../../domain/consent.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, inArray, isNull } from '../../db/orm.ts';
import { violatedConstraint } from '../../db/results.ts';
import { checkout_attempt, membership_applications, tier_definitions } from '../../db/schema.ts';
import { storeConsent } from '../../membership/consents.ts';
import type { BillingContext } from '../billing-context.ts';
import { ensureProduct, withPrice } from '../catalog.ts';
import { withCustomer } from '../customers/customer.ts';
import { withKey } from '../idempotency-key.ts';
import { afterPayment, membershipPage, yearPage } from '../page-params.ts';
import { isFinal } from '../stripe-errors.ts';
import { idOf } from '../stripe-objects.ts';

export type CheckoutAttempt = typeof checkout_attempt.$inferSelect;

/** An attempt's state at Stripe: open for payment, paid, or over without payment. */
export type AttemptState = { state: 'open'; url: string } | { state: 'completed' | 'expired' };

/** 23 hours: Stripe keeps an idempotency key for 24, so the key outlives the page. */
const SESSION_LIFETIME_MS = 23 * 3_600_000;
/** Stripe requires at least 30 minutes; one more covers the request itself. */
const MIN_SESSION_LIFETIME_MS = 31 * 60_000;

/** Each round of opening a page clears one obstacle; needing more than a few means a bug. */
export const MAX_ROUNDS = 5;

const UNSETTLED = ['creating', 'open'] as const;

/** The user's attempt that is neither completed nor expired, at most one; null if there is none. */
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

/** Commits an attempt before Stripe is asked. Null if another process was first, or the application is gone. */
export async function createAttempt(
  ctx: BillingContext,
  input: Pick<
    CheckoutAttempt,
    | 'user_id'
    | 'application_id'
    | 'tier_name'
    | 'amount_cents'
    | 'months'
    | 'from_tier'
    | 'by_link'
    | 'first_charge_at'
  >,
  words: ConsentWords | null,
): Promise<CheckoutAttempt | null> {
  const created_at = ctx.now();
  try {
    return await ctx.db.transaction(async (tx) => {
      // Lock order as in reviews and erasure: the insert alone would lock the profile first.
      if (input.application_id && !(await holdApplication(tx, input.application_id))) return null;
      const [row] = await tx
        .insert(checkout_attempt)
        .values({
          id: ctx.newId(),
          ...input,
          status: 'creating',
          created_at,
          expires_at: new Date(created_at.getTime() + SESSION_LIFETIME_MS),
        })
        .returning();
      if (row) await storeAttemptConsent(ctx, tx, row, words);
      return row ?? null;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'checkout_attempt_one_open') return null;
    throw error;
  }
}

async function holdApplication(tx: Tx, id: string): Promise<boolean> {
  const applications = await tx
    .select({ id: membership_applications.id })
    .from(membership_applications)
    .where(eq(membership_applications.id, id))
    .for('key share');
  return applications.length > 0;
}

/** Stores the consent that the user gave when requesting this page. */
export async function storeAttemptConsent(
  ctx: BillingContext,
  tx: Db | Tx,
  { id: act_id, user_id }: CheckoutAttempt,
  words: ConsentWords | null,
): Promise<void> {
  await storeConsent(ctx, tx, { user_id, what: 'subscription', act_id, words });
}

/**
 * Brings an attempt in line with its page at Stripe: one without a page gets it under the same key, and if the page was
 * paid, the user is reconciled. Throws Stripe's errors.
 */
export async function settleAttempt(ctx: BillingContext, attempt: CheckoutAttempt): Promise<AttemptState> {
  if (attempt.status === 'completed' || attempt.status === 'expired') return { state: attempt.status };
  if (attempt.stripe_session_id === null) return createPage(ctx, attempt);
  return applySession(ctx, attempt, await ctx.stripe.checkout.sessions.retrieve(attempt.stripe_session_id));
}

/** Expires an attempt's page unless it was paid already. Throws Stripe's errors. */
export async function closeAttempt(
  ctx: BillingContext,
  attempt: CheckoutAttempt,
): Promise<'completed' | 'expired'> {
  const current = await settleAttempt(ctx, attempt);
  if (current.state !== 'open') return current.state;
  const [row] = await ctx.db.select().from(checkout_attempt).where(eq(checkout_attempt.id, attempt.id));
  const id = row?.stripe_session_id;
  if (!row || !id) throw new Error(`Open checkout attempt has no session: ${attempt.id}`);
  const { sessions } = ctx.stripe.checkout;
  try {
    const closed = await applySession(ctx, row, await sessions.expire(id));
    return closed.state === 'completed' ? 'completed' : 'expired';
  } catch (error) {
    if (!isFinal(error)) throw error;
    // The page was paid or expired between the two calls.
    const after = await applySession(ctx, row, await sessions.retrieve(id));
    if (after.state === 'open') throw error;
    return after.state;
  }
}

async function applySession(
  ctx: BillingContext,
  attempt: CheckoutAttempt,
  session: Stripe.Checkout.Session,
): Promise<AttemptState> {
  if (session.status === 'complete') {
    await ctx.reconcile(attempt.user_id);
    if (attempt.months !== null) return settleYear(ctx, attempt, session);
    await setStatus(ctx, attempt, 'completed');
    return { state: 'completed' };
  }
  if (session.status === 'open' && session.url) return { state: 'open', url: session.url };
  await setStatus(ctx, attempt, 'expired');
  return { state: 'expired' };
}

/**
 * The state of a year whose page was submitted: completed once its payment counts or goes back, expired if the bank declined.
 * Until then it is open, and leads to the page after the payment.
 */
async function settleYear(
  ctx: BillingContext,
  attempt: CheckoutAttempt,
  session: Stripe.Checkout.Session,
): Promise<AttemptState> {
  const [row] = await ctx.db.select().from(checkout_attempt).where(eq(checkout_attempt.id, attempt.id));
  if (row?.status === 'completed') return { state: 'completed' };
  const url = afterPayment(ctx, attempt).replace('{CHECKOUT_SESSION_ID}', session.id);
  // The invoice follows the payment.
  if (session.payment_status === 'paid') return { state: 'open', url };
  const intent = idOf(session.payment_intent);
  const status = intent && (await ctx.stripe.paymentIntents.retrieve(intent)).status;
  // Bank transfers and similar methods settle days later, or never.
  if (status !== 'canceled' && status !== 'requires_payment_method') {
    const isNew = and(eq(checkout_attempt.id, attempt.id), isNull(checkout_attempt.submitted_at));
    await ctx.db.update(checkout_attempt).set({ submitted_at: ctx.now() }).where(isNew);
    return { state: 'open', url };
  }
  await setStatus(ctx, attempt, 'expired');
  return { state: 'expired' };
}

async function setStatus(
  { db }: BillingContext,
  { id }: CheckoutAttempt,
  status: 'completed' | 'expired',
): Promise<void> {
  await db
    .update(checkout_attempt)
    .set({ status })
    .where(and(eq(checkout_attempt.id, id), inArray(checkout_attempt.status, [...UNSETTLED])));
}

async function createPage(ctx: BillingContext, attempt: CheckoutAttempt): Promise<AttemptState> {
  const left = attempt.expires_at.getTime() - ctx.now().getTime();
  // More time is left than any attempt gets: a clock was wrong, and Stripe would refuse such a long-lived page.
  if (left < MIN_SESSION_LIFETIME_MS || left > SESSION_LIFETIME_MS + CLOCK_SKEW_MS) {
    await setStatus(ctx, attempt, 'expired');
    return { state: 'expired' };
  }
  let session: Stripe.Checkout.Session;
  try {
    session = await createSession(ctx, attempt);
  } catch (error) {
    // Stripe would answer this key with the same error forever. If a page exists after all, no one has its URL.
    if (isFinal(error)) await setStatus(ctx, attempt, 'expired');
    throw error;
  }
  const opened = await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(checkout_attempt)
      .set({ status: 'open', stripe_session_id: session.id, url: session.url })
      .where(and(eq(checkout_attempt.id, attempt.id), inArray(checkout_attempt.status, [...UNSETTLED])))
      .returning();
    if (!row || !attempt.application_id) return row ?? null;
    await tx
      .update(membership_applications)
      .set({ stripe_session_id: session.id, selected_tier: attempt.tier_name, updated_at: ctx.now() })
      .where(
        and(
          eq(membership_applications.id, attempt.application_id),
          eq(membership_applications.status, 'pending'),
        ),
      );
    return row;
  });
  if (opened) return applySession(ctx, opened, session);
  // The attempt was closed while Stripe created the page, so the page must be closed too.
  if (session.status === 'open') await ctx.stripe.checkout.sessions.expire(session.id).catch(() => undefined);
  return { state: 'expired' };
}

/** Sends the same request for the same attempt every time, so that its key returns the same page. */
async function createSession(
  ctx: BillingContext,
  attempt: CheckoutAttempt,
): Promise<Stripe.Checkout.Session> {
  if (attempt.months !== null) return createYearSession(ctx, attempt);
  return withPrice(ctx, attempt, (price) =>
    withCustomer(ctx, attempt.user_id, (customer) =>
      withKey(ctx, `checkout:${attempt.id}:${customer}:${price}`, (options) =>
        ctx.stripe.checkout.sessions.create(membershipPage(ctx, attempt, { customer, price }), options),
      ),
    ),
  );
}

async function createYearSession(
  ctx: BillingContext,
  attempt: CheckoutAttempt,
): Promise<Stripe.Checkout.Session> {
  const { tier_name } = attempt;
  const [tier] = await ctx.db
    .select()
    .from(tier_definitions)
    .where(eq(tier_definitions.tier_name, tier_name));
  const product = await ensureProduct(ctx, tier_name);
  const label = tier?.display_name ?? tier_name;
  return withCustomer(ctx, attempt.user_id, (customer) =>
    withKey(ctx, `year:${attempt.id}:${customer}:${label}`, (options) =>
      ctx.stripe.checkout.sessions.create(
        yearPage(ctx, attempt, { customer, product, currency: ctx.currency, tier: label }),
        options,
      ),
    ),
  );
}

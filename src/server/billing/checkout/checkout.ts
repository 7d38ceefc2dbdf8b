import { Refusal } from '../../../contract/refusals.ts';
import { readyToPay } from '../../../domain/application.ts';
import { type ConsentWords, subscriptionConsent, yearConsent } from '../../../domain/consent.ts';
import { YEAR_MONTHS } from '../../../domain/membership/dues.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { and, eq } from '../../db/orm.ts';
import { membership_applications, tier_definitions } from '../../db/schema.ts';
import { agreedWords } from '../../membership/consents.ts';
import type { PaymentOrder, PaymentPages } from '../../membership/membership-context.ts';
import type { Actor } from '../../platform/actor.ts';
import type { BillingCall, BillingContext, LocalStatus } from '../billing-context.ts';
import { refuseWhileClosed } from '../joining.ts';
import { localStatusOf } from '../state/local-state.ts';
import { isStripeError, orUnavailable } from '../stripe-errors.ts';
import { waitAtMost, withinLimit } from '../time-limit.ts';
import {
  closeAttempt,
  createAttempt,
  MAX_ROUNDS,
  settleAttempt,
  storeAttemptConsent,
  unsettledAttempt,
} from './checkout-attempts.ts';
import { refuseSecondPayment } from './existing-subscription.ts';

export interface ClosedCheckout {
  /**
   * none: no page was open. expired: the page can no longer be paid. completed: it was paid, and the user is
   * reconciled. unreachable: Stripe failed; the sweeper closes the page, and a payment until then is refunded.
   */
  outcome: 'none' | 'expired' | 'completed' | 'unreachable';
}

/**
 * Returns the URL of the page where a user pays for a tier, by the month or once for a year. A repeated call returns the same page; for another tier or period, or after
 * a price change, the old page is closed and a new one returned. Throws Refusal NOT_FOUND (application), ALREADY_MEMBER,
 * APPLICATION_NOT_PENDING, APPLICATION_NOT_READY, TIER_NOT_AVAILABLE, CONSENT_OUTDATED, PAYMENTS_OFF, JOINING_CLOSED,
 * SUBSCRIPTION_EXISTS, EMAIL_NOT_VERIFIED or PAYMENTS_UNAVAILABLE.
 */
export async function createCheckout(
  { billing: ctx, actor: { user_id: userId } }: UserCall,
  { userId: named, ...input }: PaymentOrder & { userId?: string | undefined },
): Promise<{ url: string }> {
  // A body that names another user is refused, not corrected.
  if (named && named !== userId) throw new Refusal('NOT_ALLOWED');
  return ctx.runInUserQueue(userId, () =>
    orUnavailable(ctx.log, 'checkout', async () => {
      const by_link = input.byLink ?? false;
      let reconciled = false;
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const { words, ...tier } = await validateCheckout(ctx, userId, input);
        const open = await unsettledAttempt(ctx, userId);
        const same =
          open?.tier_name === tier.tier_name &&
          open.amount_cents === tier.amount_cents &&
          open.months === tier.months &&
          open.application_id === input.applicationId &&
          open.by_link === by_link;
        if (open && !same) {
          await closeAttempt(ctx, open);
          continue;
        }
        if (!open && !reconciled) {
          // The user may have paid without us knowing yet, and must not pay twice.
          await refuseSecondPayment(ctx, userId, { byLink: by_link });
          await ctx.reconcile(userId);
          reconciled = true;
          continue;
        }
        const attempt =
          open ??
          (await createAttempt(
            ctx,
            {
              user_id: userId,
              application_id: input.applicationId,
              by_link,
              from_tier: null,
              first_charge_at: null,
              ...tier,
            },
            words,
          ));
        if (!attempt) continue;
        // The page is the earlier one, but the consent may be new.
        if (open) await storeAttemptConsent(ctx, ctx.db, open, words);
        const current = await settleAttempt(ctx, attempt);
        if (current.state !== 'open') continue;
        if (await isPending(ctx, input.applicationId)) return { url: current.url };
        // Staff reviewed the application while Stripe created the page.
        const obsolete = await unsettledAttempt(ctx, userId);
        if (obsolete) await closeAttempt(ctx, obsolete);
      }
      ctx.log.error({ user_id: userId }, 'Checkout gave up after too many rounds');
      throw new Refusal('PAYMENTS_UNAVAILABLE');
    }),
  );
}

/** Closes the payment page; a user who has just paid is reconciled instead. Never throws Stripe's errors. */
export async function closeOpenCheckout(ctx: BillingContext, userId: string): Promise<ClosedCheckout> {
  return ctx.runInUserQueue(userId, async () => {
    const open = await unsettledAttempt(ctx, userId);
    if (!open) return { outcome: 'none' };
    try {
      return { outcome: await closeAttempt(ctx, open) };
    } catch (error) {
      if (!isStripeError(error)) throw error;
      ctx.log.warn(
        { err: error, user_id: userId },
        'Payment page could not be closed; the sweeper retries it',
      );
      return { outcome: 'unreachable' };
    }
  });
}

type UserCall = Pick<BillingCall, 'billing'> & { actor: Pick<Actor, 'user_id'> };

/**
 * Reconciles the actor after the payment page, and sees whether a bank still has a year's payment. 'updated' if our copy
 * changed. Throws Refusal PAYMENTS_UNAVAILABLE.
 */
export async function verifySubscriptionStatus({
  billing,
  actor,
}: UserCall): Promise<{ status: 'updated' | 'unchanged'; localStatus: LocalStatus }> {
  const { changed, localStatus } = await orUnavailable(billing.log, 'reconcile', async () => {
    const reconciled = await billing.reconcile(actor.user_id);
    const open = await unsettledAttempt(billing, actor.user_id);
    if (open?.stripe_session_id && open.months !== null)
      await billing.runInUserQueue(actor.user_id, () => settleAttempt(billing, open));
    return reconciled;
  });
  return { status: changed ? 'updated' : 'unchanged', localStatus };
}

/** What rooms below billing need of a user's payment page. */
export const createPaymentPages = (billing: BillingContext): PaymentPages => ({
  open: (user_id: string, input: PaymentOrder) =>
    withinLimit(billing, billing.limits.member_ms, (limited) =>
      createCheckout({ billing: limited, actor: { user_id } }, input),
    ),
  /** Staff wait only briefly. The page is closed anyway: in the background, or by the sweeper. */
  close: (user_id: string): Promise<ClosedCheckout> =>
    waitAtMost(billing.limits.staff_ms, closeOpenCheckout(billing, user_id), () => ({
      outcome: 'unreachable',
    })),
  /** Whether it was paid. Throws Refusal PAYMENTS_UNAVAILABLE. */
  look: (user_id: string) =>
    withinLimit(billing, billing.limits.member_ms, (limited) =>
      verifySubscriptionStatus({ billing: limited, actor: { user_id } }),
    ),
});

async function validateCheckout(
  ctx: BillingContext,
  userId: string,
  { tierName, applicationId, consentVersion, period }: PaymentOrder,
): Promise<{ tier_name: string; amount_cents: number; months: number | null; words: ConsentWords | null }> {
  const { db } = ctx;
  await refuseWhileClosed(ctx);
  const [application] = isUuid(applicationId)
    ? await db
        .select()
        .from(membership_applications)
        .where(
          and(eq(membership_applications.id, applicationId), eq(membership_applications.user_id, userId)),
        )
    : [];
  if (!application) throw new Refusal('NOT_FOUND', { what: 'application' });
  if ((await localStatusOf(ctx, userId)) === 'active') throw new Refusal('ALREADY_MEMBER');
  if (application.status !== 'pending') {
    throw new Refusal('APPLICATION_NOT_PENDING', { status: application.status });
  }
  if (!readyToPay(application)) throw new Refusal('APPLICATION_NOT_READY');
  const [tier] = await db.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tierName));
  if (!tier?.is_active) throw new Refusal('TIER_NOT_AVAILABLE');
  const { tier_name, display_name, monthly_price_cents, yearly_price_cents } = tier;
  const isYear = period === 'year';
  const amount_cents = isYear ? yearly_price_cents : monthly_price_cents;
  if (amount_cents === null) throw new Refusal('TIER_NOT_AVAILABLE');
  const price = amountWithTax(amount_cents, ctx.currency, ctx.taxBehavior);
  const current = (isYear ? yearConsent : subscriptionConsent)(ctx.venue, { tier: display_name, price });
  const words = agreedWords(consentVersion, current);
  return { tier_name, amount_cents, months: isYear ? YEAR_MONTHS : null, words };
}

async function isPending({ db }: BillingContext, applicationId: string): Promise<boolean> {
  const [application] = await db
    .select({ status: membership_applications.status })
    .from(membership_applications)
    .where(eq(membership_applications.id, applicationId));
  return application?.status === 'pending';
}

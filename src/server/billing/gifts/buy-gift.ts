import type { InputOf } from '../../../contract/base.ts';
import type { gifts } from '../../../contract/gifts/gifts.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { type ConsentWords, giftConsent } from '../../../domain/consent.ts';
import { canSendOn, giftPrice } from '../../../domain/membership/gift.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { and, eq } from '../../db/orm.ts';
import { violatedConstraint } from '../../db/results.ts';
import { gift_membership, tier_definitions } from '../../db/schema.ts';
import { agreedWords, storeConsent } from '../../membership/consents.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { refuseWhileClosed } from '../joining.ts';
import { isFinal, orUnavailable } from '../stripe-errors.ts';
import type { GiftRow } from './gift-code.ts';
import { readGift } from './gift-lists.ts';
import { GIFT_PAGE_MS, openGiftPage } from './gift-page.ts';
import { dropOrder } from './gift-payment.ts';

export type GiftDraft = InputOf<typeof gifts.buy>;

const MAX_ROUNDS = 5;

/**
 * Orders a gift, and returns the URL of the page where it is paid, null once it is paid; the same request_id again returns
 * the same page. A buyer has one unpaid order at a time: the page of an earlier one is closed first. Throws Refusal
 * PAYMENTS_OFF, TIER_NOT_AVAILABLE, JOINING_CLOSED, CONSENT_OUTDATED, EMAIL_SENDING_OFF, GIFT_DAY_REFUSED, REQUEST_ID_REUSED
 * or PAYMENTS_UNAVAILABLE.
 */
export async function buyGift(
  { billing: ctx, actor: { user_id: buyer } }: BillingCall,
  draft: GiftDraft,
): Promise<{ url: string | null }> {
  return ctx.runInUserQueue(buyer, () =>
    orUnavailable(ctx.log, 'gift', async () => {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const [open] = await ctx.db.select().from(gift_membership).where(orderedBy(buyer));
        if (open && open.id !== draft.request_id) {
          await closeOrder(ctx, buyer, open);
          continue;
        }
        const gift = open ?? (await storeOrder(ctx, buyer, draft));
        if (!gift) continue;
        if (gift.buyer_id !== buyer) throw new Refusal('REQUEST_ID_REUSED');
        const page = await payablePage(ctx, buyer, gift);
        if (page) return { url: page.url };
      }
      ctx.log.error({ user_id: buyer }, 'Buying a gift gave up after too many rounds');
      throw new Refusal('PAYMENTS_UNAVAILABLE');
    }),
  );
}

/** The gift's payment page; without a URL once it is paid. Null if the order is gone. */
async function payablePage(
  ctx: BillingContext,
  buyer: string,
  gift: GiftRow,
): Promise<{ url: string | null } | null> {
  if (gift.status !== 'ordered') return { url: null };
  if (!gift.stripe_session_id) return openGiftPage(ctx, gift);
  await ctx.reconcile(buyer);
  return readGift(ctx, gift.id);
}

/** Closes an order's payment page and drops the order; a gift paid meanwhile stays. Throws Stripe's errors. */
export async function closeOrder(ctx: BillingContext, buyer: string, gift: GiftRow): Promise<void> {
  // An unstored page was never shown; the request that makes it closes it.
  if (!gift.stripe_session_id) return dropOrder(ctx.db, gift);
  try {
    await ctx.stripe.checkout.sessions.expire(gift.stripe_session_id);
  } catch (error) {
    // The page was paid, or has expired.
    if (!isFinal(error)) throw error;
  }
  await ctx.reconcile(buyer);
}

const orderedBy = (buyer: string) =>
  and(eq(gift_membership.buyer_id, buyer), eq(gift_membership.status, 'ordered'));

/** Commits the order with the buyer's consent. Null if another process has just stored an order of this buyer. */
async function storeOrder(ctx: BillingContext, buyer: string, draft: GiftDraft): Promise<GiftRow | null> {
  const [before] = await ctx.db
    .select()
    .from(gift_membership)
    .where(eq(gift_membership.id, draft.request_id));
  if (before) return before;
  const { words, ...terms } = await validatedTerms(ctx, draft);
  const created_at = ctx.now();
  const isEmail = draft.delivery === 'email';
  try {
    return await ctx.db.transaction(async (tx) => {
      const [row] = await tx
        .insert(gift_membership)
        .values({
          id: draft.request_id,
          buyer_id: buyer,
          ...terms,
          months: draft.months,
          from_name: draft.from_name,
          to_name: draft.to_name,
          message: draft.message || null,
          delivery: draft.delivery,
          recipient_email: isEmail ? (draft.recipient_email ?? null) : null,
          send_on: isEmail ? (draft.send_on ?? null) : null,
          status: 'ordered',
          created_at,
          expires_at: new Date(created_at.getTime() + GIFT_PAGE_MS),
        })
        .returning();
      await storeConsent(ctx, tx, { user_id: buyer, what: 'gift', act_id: draft.request_id, words });
      return row ?? null;
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === 'gift_membership_one_ordered' || constraint === 'gift_membership_pkey') return null;
    throw error;
  }
}

async function validatedTerms(
  ctx: BillingContext,
  draft: GiftDraft,
): Promise<
  Pick<GiftRow, 'tier' | 'monthly_price_cents' | 'amount_cents' | 'currency' | 'tax_behavior'> & {
    words: ConsentWords | null;
  }
> {
  const { db, currency, taxBehavior: tax_behavior, venue, outbox, now } = ctx;
  await refuseWhileClosed(ctx);
  const [tier] = await db.select().from(tier_definitions).where(eq(tier_definitions.tier_name, draft.tier));
  // Free tiers cannot be given: Stripe does not charge $0.
  if (!tier?.is_active || tier.monthly_price_cents === 0) throw new Refusal('TIER_NOT_AVAILABLE');
  if (draft.delivery === 'email') {
    if (!outbox.sends) throw new Refusal('EMAIL_SENDING_OFF');
    if (!draft.send_on || !draft.recipient_email || !canSendOn(draft.send_on, now(), venue.time_zone))
      throw new Refusal('GIFT_DAY_REFUSED');
  }
  const { monthly_price_cents, display_name } = tier;
  const amount_cents = giftPrice(monthly_price_cents, draft.months);
  const price = amountWithTax(amount_cents, currency, tax_behavior);
  const current = giftConsent(venue, { tier: display_name, months: draft.months, price });
  const words = agreedWords(draft.consent_version, current);
  return { tier: tier.tier_name, monthly_price_cents, amount_cents, currency, tax_behavior, words };
}

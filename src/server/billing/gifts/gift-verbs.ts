import type { Gift } from '../../../contract/gifts/gifts.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { Actor } from '../../platform/actor.ts';
import type { BillingContext, PaymentLimits } from '../billing-context.ts';
import { orUnavailable } from '../stripe-errors.ts';
import { withinLimit } from '../time-limit.ts';
import { buyGift, type GiftDraft } from './buy-gift.ts';
import { resendGift, showGiftCode } from './deliver-gifts.ts';
import { listGiftsOf, listMemberGifts, readGift, toGift, userOfCustomer } from './gift-lists.ts';
import { lookAtGift, redeemGift } from './redeem-gift.ts';
import { refundGift } from './refund-gift.ts';

/** Gift verbs for users and staff (docs/rules/gifts.md, "Gifts"). Each verb's own file says what it throws. */
export function giftVerbs(ctx: BillingContext, { member_ms, staff_ms }: PaymentLimits) {
  const forMember = <T>(work: (limited: BillingContext) => Promise<T>) => withinLimit(ctx, member_ms, work);
  return {
    buy: (user: string, draft: GiftDraft) => forMember((limited) => buyGift(limited, user, draft)),
    list: (user: string) => listGiftsOf(ctx, user),
    /** After the payment page: a lost webhook is harmless. Throws Refusal NOT_FOUND, PAYMENTS_UNAVAILABLE. */
    async check(user: string, { id }: { id: string }): Promise<Gift> {
      const known = await readGift(ctx, id);
      if (known?.buyer_id !== user) throw new Refusal('NOT_FOUND', { what: 'gift' });
      await forMember((limited) => orUnavailable(ctx.log, 'gift', () => limited.reconcile(user)));
      const gift = await readGift(ctx, id);
      if (!gift) throw new Refusal('NOT_FOUND', { what: 'gift' });
      return toGift(gift);
    },
    showCode: (user: string, input: { id: string; renew: boolean }) => showGiftCode(ctx, user, input),
    resend: async (user: string, input: { id: string; recipient_email: string; send_on: string }) =>
      toGift(await resendGift(ctx, user, input)),
    refund: async (user: string, { id }: { id: string }) =>
      toGift(await refundGift(ctx, member_ms, { id, buyer_id: user })),
    look: (user: string, input: { code: string }) => lookAtGift(ctx, user, input),
    redeem: (user: string, input: { code: string; consent_version?: string | undefined }) =>
      redeemGift(ctx, user, input),
    listForMember: (input: { customer_id: string }) => listMemberGifts(ctx, input),
    async refundForMember(staff: Actor, { customer_id, id }: { customer_id: string; id: string }) {
      const buyer_id = await userOfCustomer(ctx.db, customer_id);
      const gift = toGift(await refundGift(ctx, staff_ms, { id, buyer_id, staff }));
      return { ...gift, to_name: null, message: null, recipient_email: null };
    },
  };
}

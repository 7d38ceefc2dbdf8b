import { eq } from 'drizzle-orm';
import { gift_membership } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';
import { forgetAddresses, giftsToSend, sendGift } from './deliver-gifts.ts';
import { giftsToSettle } from './gift-lists.ts';
import { giftsToRemind, remindOfGiftEnd } from './gift-reminders.ts';
import { settleGift } from './settle-gift.ts';

type Each = (ids: string[], work: (id: string) => Promise<boolean>) => Promise<void>;

/**
 * What gifts need each minute: payments and refunds that no webhook reported, and emails that are due. A
 * gift that is over ends like a membership at the venue.
 */
export async function sweepGifts(ctx: BillingContext, each: Each): Promise<void> {
  const done = (work: (ctx: BillingContext, id: string) => Promise<unknown>) => async (id: string) => {
    await work(ctx, id);
    return true;
  };
  await each(await giftsToSettle(ctx), async (id) => {
    await ctx.db.update(gift_membership).set({ tried_at: ctx.now() }).where(eq(gift_membership.id, id));
    return (await settleGift(ctx, id))?.status !== 'refunding';
  });
  await each(await giftsToSend(ctx), done(sendGift));
  await each(await giftsToRemind(ctx), done(remindOfGiftEnd));
  await forgetAddresses(ctx);
}

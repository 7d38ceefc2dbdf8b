import { Refusal } from '../../../contract/refusals.ts';
import type { ConsentWords } from '../../../domain/consent.ts';
import type { BillingContext } from '../billing-context.ts';
import { orUnavailable } from '../stripe-errors.ts';
import {
  type CheckoutAttempt,
  closeAttempt,
  createAttempt,
  MAX_ROUNDS,
  settleAttempt,
  storeAttemptConsent,
  unsettledAttempt,
} from './checkout-attempts.ts';

/** What a member orders, who has no application. */
export interface MemberOrder
  extends Pick<CheckoutAttempt, 'tier_name' | 'amount_cents' | 'months' | 'from_tier' | 'first_charge_at'> {
  words: ConsentWords | null;
}

/**
 * Returns the URL of the page where a member pays for an order, which is read in each round; the account's once it is paid. A
 * repeated call returns the same page. Throws what `readOrder` throws, and Refusal PAYMENTS_UNAVAILABLE.
 */
export async function openMemberPage(
  ctx: BillingContext,
  user_id: string,
  what: string,
  readOrder: () => Promise<MemberOrder>,
): Promise<{ url: string }> {
  return ctx.runInUserQueue(user_id, () =>
    orUnavailable(ctx.log, what, async () => {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const { words, ...order } = await readOrder();
        const open = await unsettledAttempt(ctx, user_id);
        if (open && !isFor(open, order)) {
          await closeAttempt(ctx, open);
          continue;
        }
        const attempt =
          open ??
          (await createAttempt(ctx, { user_id, application_id: null, by_link: false, ...order }, words));
        if (!attempt) continue;
        // The page is the earlier one, but the consent may be new.
        if (open) await storeAttemptConsent(ctx, ctx.db, open, words);
        const current = await settleAttempt(ctx, attempt);
        if (current.state === 'open') return { url: current.url };
        if (current.state === 'completed') return { url: `${ctx.publicUrl}/account` };
      }
      ctx.log.error({ user_id, what }, 'A member’s order gave up after too many rounds');
      throw new Refusal('PAYMENTS_UNAVAILABLE');
    }),
  );
}

function isFor(open: CheckoutAttempt, order: Omit<MemberOrder, 'words'>): boolean {
  // Two days ahead are other two days a minute later.
  const later = Math.abs(Number(open.first_charge_at) - Number(order.first_charge_at));
  return (
    open.tier_name === order.tier_name &&
    open.amount_cents === order.amount_cents &&
    open.months === order.months &&
    open.from_tier === order.from_tier &&
    open.application_id === null &&
    (open.first_charge_at === null) === (order.first_charge_at === null) &&
    later < 24 * 3_600_000
  );
}

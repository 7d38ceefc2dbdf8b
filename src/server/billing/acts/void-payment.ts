import type { InputOf } from '../../../contract/base.ts';
import type { Dues, memberDues } from '../../../contract/staff/dues.ts';
import { type DuesContext, voidDues } from '../../membership/dues/dues.ts';
import type { BillingCall } from '../billing-context.ts';
import { postTierBack } from '../refunds/tier-back.ts';

/**
 * Voids a payment at the venue. Of a difference to a dearer tier, the tier before comes back with the next month, with an
 * email. Throws Refusal NOT_FOUND, DUES_REFUSED, TIER_CHANGE_REFUSED. docs/rules/dues.md, "Recording and voiding".
 */
export function voidPayment(
  ctx: DuesContext & BillingCall,
  payment: InputOf<typeof memberDues.void>,
): Promise<Dues> {
  return voidDues(ctx, payment, (tx, user_id, back) =>
    postTierBack(ctx.billing, tx, { user_id, payment: payment.id, back }),
  );
}

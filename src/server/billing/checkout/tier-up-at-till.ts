import type { InputOf } from '../../../contract/base.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { Dues, memberDues } from '../../../contract/staff/dues.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { refusing } from '../../db/results.ts';
import { tier_definitions } from '../../db/schema.ts';
import {
  changedSince,
  type DuesContext,
  earlierDues,
  getDues,
  recordDifference,
} from '../../membership/dues/dues.ts';
import { priceTierUp } from '../../membership/dues/tiers-up.ts';
import type { PaymentPages } from '../../membership/membership-context.ts';
import { userOfMember } from '../../pours/member-user.ts';
import { lockVenueMember, setVenueTier } from '../acts/venue-tier.ts';
import type { BillingCall } from '../billing-context.ts';
import { isBeingShortened } from '../refunds/unused-months.ts';
import { venueDay, venueToday } from '../venue-days.ts';
import { unsettledAttempt } from './checkout-attempts.ts';

type Payment = InputOf<typeof memberDues.recordDifference>;
type TillContext = DuesContext & BillingCall & { paymentPages: Pick<PaymentPages, 'close'> };

/**
 * Records at the till what a dearer tier costs for the rest of a member's year, and gives it to them. An open page of theirs is
 * closed first, so that they do not pay twice. A repeated `request_id` changes nothing. Throws Refusal NOT_FOUND, DUES_REFUSED,
 * TIER_CHANGE_REFUSED, TIER_NOT_AVAILABLE, REQUEST_ID_REUSED, PREVIEW_EXPIRED for another amount than was shown, or, if the
 * tier or what is paid is another than was shown, DUES_CHANGED. docs/rules/years.md, "Up within the year".
 */
export async function recordTierUp(ctx: TillContext, payment: Payment): Promise<Dues> {
  const user_id = await userOfMember(ctx.db, payment.customer_id);
  await ctx.paymentPages.close(user_id);
  const refusals = { dues_request_id_unique: new Refusal('REQUEST_ID_REUSED') };
  await refusing(refusals, () => ctx.db.transaction((tx) => store(ctx, tx, user_id, payment)));
  return getDues(ctx, payment);
}

async function store(ctx: TillContext, tx: Tx, user_id: string, payment: Payment): Promise<void> {
  const { billing } = ctx;
  const membership = await lockVenueMember(tx, user_id);
  if (await earlierDues(tx, payment)) return;
  const { tier: from, paid_until } = membership;
  if (from !== payment.from_tier || paid_until !== payment.paid_until)
    throw await changedSince(tx, membership);
  const { months, amount_cents } = await priceTierUp({ ...ctx, db: tx }, membership, payment.tier);
  if (amount_cents !== payment.amount_cents) throw new Refusal('PREVIEW_EXPIRED');
  if (await isUnderWay(tx, user_id)) throw new Refusal('TIER_CHANGE_REFUSED', { reason: 'change_under_way' });
  const { tier, reference, method, request_id } = payment;
  const [definition] = await tx.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tier));
  const price_cents = definition?.monthly_price_cents ?? 0;
  const { monthly_pours } = await setVenueTier(billing, tx, membership, { tier, price_cents });
  const by = ctx.actor;
  const paid = { request_id, reference, amount_cents, months, tier, method, by };
  const { dues_id, paid_from } = await recordDifference(ctx, tx, membership, paid);
  const about = { subject_id: user_id };
  await recordAudit(tx, ctx, { act: 'dues_recorded', ...about, facts: { dues_id, amount_cents, months } });
  const on = venueToday(billing);
  await recordAudit(tx, ctx, { act: 'member_tier_changed', ...about, facts: { from, to: tier, on } });
  await billing.post(tx, {
    ...{ type: 'tier_changed', cause: `tier-up:${dues_id}`, user_id, from, to: tier, added_pours: 0 },
    ...{ monthly_pours, next_billing: venueDay(billing, paid_from) },
  });
}

/** Whether the member pays online now, or their bank has a payment, or staff refund months of the year. */
async function isUnderWay(tx: Tx, user_id: string): Promise<boolean> {
  const open = await unsettledAttempt({ db: tx }, user_id);
  return (open !== null && open.months !== null) || (await isBeingShortened(tx, user_id));
}

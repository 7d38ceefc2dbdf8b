import type { OfferedGift } from '../../../contract/gifts/gifts.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { localDate, startOfDay } from '../../../domain/calendar.ts';
import { giftAcceptance } from '../../../domain/consent.ts';
import { giftEndsOn, giftLastDay, readGiftCode, redeemObstacle } from '../../../domain/membership/gift.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, isNull } from '../../db/orm.ts';
import { refusing } from '../../db/results.ts';
import {
  customers,
  gift_membership,
  household_seat,
  membership_applications,
  memberships,
  tier_definitions,
} from '../../db/schema.ts';
import { agreedWords, storeConsent } from '../../membership/consents.ts';
import { lockPerson } from '../../membership/record/locks.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import { writeDueGrants } from '../../pours/due-grants.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { closeOpenCheckout } from '../checkout/checkout.ts';
import { type GiftRow, hashOfGiftCode, WITHOUT_WORDS } from './gift-code.ts';

/** The rate limit on code attempts of one account; window in seconds. */
const TRIES = { max: 20, window: 3600 };

/** The gift of a code, for the reader. Throws Refusal GIFT_CODE_UNKNOWN, GIFT_REFUSED, TOO_MANY_ATTEMPTS. */
export async function lookAtGift(
  { billing: ctx, actor: { user_id: userId } }: BillingCall,
  { code }: { code: string },
): Promise<OfferedGift> {
  await consumeRateLimit(ctx, `gift-code|${userId}`, TRIES);
  const gift = await giftOfCode(ctx.db, code);
  const redeemed = await isOwn(ctx.db, gift, userId);
  const [customer] = await ctx.db.select().from(customers).where(eq(customers.user_id, userId));
  const reason = redeemed ? null : redeemObstacle(gift, customer?.status === 'active');
  if (reason) throw new Refusal('GIFT_REFUSED', { reason });
  const [tier] = await ctx.db
    .select()
    .from(tier_definitions)
    .where(eq(tier_definitions.tier_name, gift.tier));
  return {
    tier: gift.tier,
    tier_label: tier?.display_name ?? gift.tier,
    monthly_pours: tier?.monthly_pours ?? 0,
    months: gift.months,
    from_name: gift.from_name,
    to_name: gift.to_name,
    message: gift.message,
    redeemed,
  };
}

/**
 * Makes a gift the actor's membership, from today. Closes an open payment page first, so that no one pays twice. Redeeming
 * the same code again returns the same last day. Throws Refusal GIFT_CODE_UNKNOWN, GIFT_REFUSED, CONSENT_OUTDATED,
 * TOO_MANY_ATTEMPTS.
 */
export async function redeemGift(
  { billing: ctx, actor: { user_id: userId } }: BillingCall,
  { code, consent_version }: { code: string; consent_version?: string | undefined },
): Promise<{ last_day: string }> {
  await consumeRateLimit(ctx, `gift-code|${userId}`, TRIES);
  const found = await giftOfCode(ctx.db, code);
  if (await isOwn(ctx.db, found, userId)) return lastDayOf(ctx.db, found);
  const reason = redeemObstacle(found, false);
  if (reason) throw new Refusal('GIFT_REFUSED', { reason });
  await closeOpenCheckout(ctx, userId);
  const words = agreedWords(consent_version, giftAcceptance(ctx.venue));
  // A payment, an approval or another gift may make them a member at the same moment.
  const member = new Refusal('GIFT_REFUSED', { reason: 'member' });
  return refusing({ customers_one_per_user: member, memberships_one_active: member }, () =>
    ctx.db.transaction(async (tx) => {
      const last_day = await redeem(ctx, tx, userId, found.id);
      await storeConsent(ctx, tx, { user_id: userId, what: 'gift', act_id: found.id, words });
      return { last_day };
    }),
  );
}

async function giftOfCode(db: BillingContext['db'], typed: string): Promise<GiftRow> {
  const code = readGiftCode(typed);
  const [gift] = code
    ? await db
        .select()
        .from(gift_membership)
        .where(eq(gift_membership.code_hash, hashOfGiftCode(code)))
    : [];
  if (!gift) throw new Refusal('GIFT_CODE_UNKNOWN');
  return gift;
}

async function isOwn(db: BillingContext['db'], { membership_id }: GiftRow, userId: string): Promise<boolean> {
  if (!membership_id) return false;
  const [own] = await db
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(and(eq(memberships.id, membership_id), eq(customers.user_id, userId)));
  return own !== undefined;
}

async function lastDayOf(
  db: BillingContext['db'],
  { membership_id }: GiftRow,
): Promise<{ last_day: string }> {
  const [row] = await db
    .select({ ends_on: memberships.ends_on })
    .from(memberships)
    .where(eq(memberships.id, membership_id ?? ''));
  if (!row?.ends_on) throw new Error('A redeemed gift has no membership with an end');
  return { last_day: giftLastDay(row.ends_on) };
}

/** Returns the last day. */
async function redeem(ctx: BillingContext, tx: Tx, user_id: string, id: string): Promise<string> {
  const at = ctx.now();
  const start_date = localDate(at, ctx.venue.time_zone);
  // Lock the gift last: a refund locks nothing else.
  await lockPerson(tx, user_id, 'update');
  const [former] = await tx.select().from(customers).where(eq(customers.user_id, user_id));
  const [gift] = await tx.select().from(gift_membership).where(eq(gift_membership.id, id)).for('update');
  if (!gift) throw new Refusal('GIFT_CODE_UNKNOWN');
  // A partner whose shared membership lapsed may be a member again without doing anything, so they have to leave it first.
  const seat = and(eq(household_seat.customer_id, former?.id ?? gift.id), isNull(household_seat.ended_at));
  const isMember = former?.status === 'active' || (await tx.$count(household_seat, seat)) > 0;
  const reason = redeemObstacle(gift, isMember);
  if (reason) throw new Refusal('GIFT_REFUSED', { reason });
  const { tier, months } = gift;
  const ends_on = giftEndsOn(start_date, months);
  const customer_id = former?.id ?? ctx.newId();
  const fresh = { tier, status: 'active' as const };
  if (former) await tx.update(customers).set(fresh).where(eq(customers.id, customer_id));
  else
    await tx
      .insert(customers)
      .values({ id: customer_id, user_id, ...fresh, member_since: start_date, created_at: at });
  const membership_id = ctx.newId();
  await tx.insert(memberships).values({
    id: membership_id,
    customer_id,
    tier,
    start_date,
    began_at: at,
    ends_on,
    is_gift: true,
    status: 'active',
    // A gift is paid once, so it has no monthly revenue.
    monthly_price_cents: 0,
  });
  await writeDueGrants(ctx, tx, customer_id);
  await tx
    .update(gift_membership)
    .set({ status: 'redeemed', redeemed_at: at, membership_id, ...WITHOUT_WORDS })
    .where(eq(gift_membership.id, id));
  await tx
    .update(membership_applications)
    .set({ status: 'approved', reviewed_at: at, updated_at: at })
    .where(and(eq(membership_applications.user_id, user_id), eq(membership_applications.status, 'pending')));
  const last_day = giftLastDay(ends_on);
  await ctx.post(tx, {
    type: 'gift_started',
    cause: `gift-started:${id}`,
    user_id,
    tier,
    months,
    last_day: startOfDay(last_day, ctx.venue.time_zone),
  });
  return last_day;
}

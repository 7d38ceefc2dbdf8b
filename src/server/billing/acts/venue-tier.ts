import type { InputOf } from '../../../contract/base.ts';
import type { billing as contract } from '../../../contract/billing.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { tierFrom } from '../../../domain/membership/dues.ts';
import { venueTierObstacle } from '../../../domain/tier-change.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, lte } from '../../db/orm.ts';
import { customers, memberships, tier_definitions } from '../../db/schema.ts';
import { pendingTierOf } from '../../membership/dues/dues.ts';
import { assertOffered } from '../../membership/tiers.ts';
import { writeDueGrants } from '../../pours/due-grants.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { lockMember } from '../state/current-subscription.ts';
import { venueDay, venueToday } from '../venue-days.ts';
import { venueMembership } from './venue-pause.ts';

// Another tier for a membership that is billed at the venue: docs/rules/dues.md, "Another tier".

type Membership = typeof memberships.$inferSelect;
type Pending = NonNullable<ReturnType<typeof pendingTierOf>>;

const BATCH = 200;

const NONE = { pending_tier: null, pending_from: null, pending_price_cents: null };

/** Locks a member, and reads their membership at the venue. Throws Refusal NOT_FOUND, DUES_REFUSED. */
export async function lockVenueMember(tx: Tx, user_id: string): Promise<Membership> {
  await lockMember(tx, user_id);
  const membership = await venueMembership(tx, user_id);
  if (membership) return membership;
  const isMember = and(eq(customers.user_id, user_id), eq(customers.status, 'active'));
  const reason = (await tx.$count(customers, isMember)) > 0 ? 'by_card' : 'not_active';
  throw new Refusal('DUES_REFUSED', { reason });
}

/**
 * Changes the tier of a membership at the venue, at today's price: from the first unpaid day on, or from today if that is
 * over or dues are not counted. Throws Refusal NOT_FOUND, DUES_REFUSED, TIER_NOT_AVAILABLE, TIER_CHANGE_REFUSED.
 */
export async function changeTierAtVenue(
  { billing: ctx, actor }: BillingCall,
  { customer_id, tier_name }: InputOf<typeof contract.changeTierAtVenue>,
): Promise<{ pending_tier: Pending | null }> {
  const subject_id = await userOfMember(ctx.db, customer_id);
  return ctx.db.transaction(async (tx) => {
    const membership = await lockVenueMember(tx, subject_id);
    const reason = venueTierObstacle(membership, tier_name, ctx.now());
    if (reason) throw new Refusal('TIER_CHANGE_REFUSED', { reason });
    await assertOffered(tx, tier_name);
    const [tier] = await tx.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tier_name));
    if (!tier) throw new Refusal('TIER_NOT_AVAILABLE');
    const { id, paid_until } = membership;
    const pending = {
      ...{ tier: tier_name, price_cents: tier.monthly_price_cents },
      from: tierFrom(paid_until, venueToday(ctx)),
    };
    const facts = { from: membership.tier, to: tier_name, on: pending.from };
    await recordAudit(tx, { ...ctx, actor }, { act: 'member_tier_changed', subject_id, facts });
    if (pending.from === venueToday(ctx)) {
      await beginTier(ctx, tx, membership, pending);
      return { pending_tier: null };
    }
    const { from: pending_from, price_cents } = pending;
    await tx
      .update(memberships)
      .set({ pending_tier: tier_name, pending_from, pending_price_cents: price_cents })
      .where(eq(memberships.id, id));
    await ctx.post(tx, {
      ...{ type: 'tier_change_scheduled', user_id: subject_id, to: tier_name, amount_cents: price_cents },
      cause: `tier:${id}:${ctx.now().getTime()}`,
      ...{ currency: ctx.currency, tax_behavior: 'unspecified', effective_at: venueDay(ctx, pending_from) },
      by_venue: true,
    });
    return { pending_tier: pending };
  });
}

/** Takes a scheduled tier back, until it begins. Repeated, it changes nothing. Throws Refusal NOT_FOUND, DUES_REFUSED. */
export async function keepTierAtVenue(
  { billing: ctx, actor }: BillingCall,
  { customer_id }: { customer_id: string },
): Promise<{ pending_tier: Pending | null }> {
  const subject_id = await userOfMember(ctx.db, customer_id);
  await ctx.db.transaction(async (tx) => {
    const { id, tier, pending_tier, pending_from } = await lockVenueMember(tx, subject_id);
    if (pending_tier === null || pending_from === null || pending_from <= venueToday(ctx)) return;
    await tx.update(memberships).set(NONE).where(eq(memberships.id, id));
    const facts = { from: tier, to: tier, on: pending_from };
    await recordAudit(tx, { ...ctx, actor }, { act: 'member_tier_changed', subject_id, facts });
    const cause = `tier-kept:${id}:${ctx.now().getTime()}`;
    await ctx.post(tx, { type: 'tier_change_withdrawn', cause, user_id: subject_id, tier });
  });
  return { pending_tier: null };
}

const isDue = (ctx: BillingContext) =>
  and(eq(memberships.status, 'active'), lte(memberships.pending_from, venueToday(ctx)));

/** Memberships at the venue whose other tier begins. */
export function venueTiersDue(ctx: BillingContext): Promise<{ id: string; user_id: string }[]> {
  return ctx.db
    .select({ id: memberships.id, user_id: customers.user_id })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(isDue(ctx))
    .limit(BATCH);
}

/** Begins the other tier of a membership, unless it was taken back or ended meanwhile. */
export async function beginDueTier(
  ctx: BillingContext,
  { id, user_id }: { id: string; user_id: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockMember(tx, user_id);
    const [membership] = await tx
      .select()
      .from(memberships)
      .where(and(eq(memberships.id, id), isDue(ctx)));
    const pending = membership && pendingTierOf(membership);
    if (pending) await beginTier(ctx, tx, membership, pending);
  });
}

async function beginTier(
  ctx: BillingContext,
  tx: Tx,
  membership: Membership,
  pending: Pending,
): Promise<void> {
  const { id, tier: from } = membership;
  const { user_id, monthly_pours } = await setVenueTier(ctx, tx, membership, pending);
  await ctx.post(tx, {
    ...{ type: 'tier_changed', user_id, from, to: pending.tier, added_pours: null, monthly_pours },
    cause: `tier-begun:${id}:${pending.from}:${pending.tier}`,
    next_billing: venueDay(ctx, pending.from),
  });
}

/** Gives a membership at the venue another tier from now on; the pours of months up to now stay. The pool is locked. */
export async function setVenueTier(
  ctx: Pick<BillingContext, 'now' | 'venue'>,
  tx: Tx,
  { id, customer_id }: Membership,
  { tier, price_cents }: Pick<Pending, 'tier' | 'price_cents'>,
): Promise<{ user_id: string; monthly_pours: number }> {
  // Months up to now are of the tier that they had.
  await writeDueGrants(ctx, tx, customer_id);
  await tx
    .update(memberships)
    .set({ ...NONE, tier, monthly_price_cents: price_cents })
    .where(eq(memberships.id, id));
  const [customer] = await tx
    .update(customers)
    .set({ tier })
    .where(eq(customers.id, customer_id))
    .returning({ user_id: customers.user_id });
  const [terms] = await tx.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tier));
  if (!customer || !terms) throw new Error('A member or tier disappeared under its lock');
  return { user_id: customer.user_id, monthly_pours: terms.monthly_pours };
}

import { Refusal } from '../../../contract/refusals.ts';
import type { MoveReport } from '../../../contract/staff/tier-settings.ts';
import { lastPeriodStart, moveEffectiveAt } from '../../../domain/price-move.ts';
import { endsAt } from '../../../domain/standing.ts';
import { type AuditContext, recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, inArray, sql } from '../../db/orm.ts';
import { violatedConstraint } from '../../db/results.ts';
import {
  billing_act,
  billing_subscription,
  customers,
  memberships,
  profiles,
  tier_definitions,
} from '../../db/schema.ts';
import type { BillingNotice } from '../billing-context.ts';
import { changeAct, isOpenMove, type MoveAct, moveOf } from '../state/acts.ts';
import type { StoredSubscription } from '../state/local-state.ts';

/** Context for announcing moves; no connection to Stripe. */
export interface MoveContext extends AuditContext {
  db: Db;
  currency: string;
  post(tx: Tx, notice: BillingNotice): Promise<void>;
}

/**
 * The members to move: one, or everyone with a tier. `to` is another tier; without it, they move to the current price of
 * their own.
 */
export interface MoveRequest {
  who: { email: string } | { tier: string };
  to?: string | undefined;
  /** The price shown to staff, in the currency's smallest unit; absent for the tier's current price. */
  price_cents?: number | undefined;
}

export const NOBODY: Readonly<MoveReport> = {
  announced: 0,
  unchanged: 0,
  already_announced: 0,
  not_now: 0,
  at_venue: 0,
};

type Target = typeof tier_definitions.$inferSelect;

/**
 * Announces the move of members to a tier's current price: an email now, and the new price with their first renewal at
 * least 30 days from now (docs/rules/billing.md, "Prices and moves"). Each member's row and email are committed together,
 * so a repeat after a failure continues where it stopped. Throws Refusal NOT_FOUND, or PREVIEW_EXPIRED if the tier does not
 * cost `price_cents`.
 */
export async function announceMoves(
  ctx: MoveContext,
  { who, to, price_cents }: MoveRequest,
): Promise<MoveReport> {
  const { db } = ctx;
  const members = await membersOf(db, who);
  const report: MoveReport = { ...NOBODY };
  const targets = new Map<string, Target>();
  for (const { tier, subscription } of members) {
    const name = to ?? tier;
    const target = targets.get(name) ?? (await tierCalled(db, name));
    targets.set(name, target);
    if (price_cents !== undefined && target.monthly_price_cents !== price_cents)
      throw new Refusal('PREVIEW_EXPIRED');
    const outcome = subscription ? await announceMove(ctx, subscription, target) : 'at_venue';
    report[outcome] += 1;
  }
  return report;
}

/** A tier by its short name. Throws Refusal NOT_FOUND. */
export async function tierCalled(db: Db, tier_name: string): Promise<Target> {
  const [tier] = await db.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tier_name));
  if (!tier) throw new Refusal('NOT_FOUND', { what: 'tier' });
  return tier;
}

/** Active members, each with the subscription that pays for the membership; null if paid at the venue. */
export async function membersOf(db: Db, who: MoveRequest['who']) {
  if ('tier' in who) await tierCalled(db, who.tier);
  const members = await db
    .select({ tier: customers.tier, subscription: billing_subscription })
    .from(customers)
    .innerJoin(profiles, eq(profiles.id, customers.user_id))
    .innerJoin(memberships, and(eq(memberships.customer_id, customers.id), eq(memberships.status, 'active')))
    .leftJoin(
      billing_subscription,
      eq(billing_subscription.stripe_subscription_id, memberships.stripe_subscription_id),
    )
    .where(
      and(
        eq(customers.status, 'active'),
        'tier' in who ? eq(customers.tier, who.tier) : eq(profiles.email, who.email.toLowerCase()),
      ),
    )
    .orderBy(customers.id);
  if ('email' in who && members.length === 0) throw new Refusal('NOT_FOUND', { what: 'member' });
  return members;
}

const priceOf = (subscription: StoredSubscription) =>
  // Add-ons are unaffected.
  subscription.amount_cents - subscription.add_ons_cents;

/** The instant of a move announced now, for a member paying by card; otherwise why none can be announced. */
export function stepOf(
  subscription: StoredSubscription,
  target: Target,
  { currency, now }: Pick<MoveContext, 'currency' | 'now'>,
): Date | 'unchanged' | 'not_now' {
  const { status, tier, pending_tier, approval_tier } = subscription;
  if (tier === target.tier_name && priceOf(subscription) === target.monthly_price_cents) return 'unchanged';
  const isOpen = status === 'active' && !endsAt(subscription) && !pending_tier && !approval_tier;
  if (!isOpen || subscription.currency !== currency) return 'not_now';
  return moveEffectiveAt(subscription, now()) ?? 'not_now';
}

async function announceMove(
  ctx: MoveContext,
  subscription: StoredSubscription,
  target: Target,
): Promise<keyof MoveReport> {
  const { db, currency, now, newId, post } = ctx;
  const { user_id, stripe_subscription_id, tier } = subscription;
  const to_amount_cents = target.monthly_price_cents;
  const effective_at = stepOf(subscription, target, ctx);
  if (!(effective_at instanceof Date)) return effective_at;
  const id = newId();
  try {
    await db.transaction(async (tx) => {
      await tx.insert(billing_act).values({
        id,
        kind: 'price_move',
        user_id,
        cause: `price_move:${user_id}`,
        state: 'asked',
        due: lastPeriodStart(subscription, effective_at),
        stripe_subscription_id,
        starts_at: effective_at,
        terms: {
          from_tier: tier,
          from_price_id: subscription.stripe_price_id,
          to_tier: target.tier_name,
          to_amount_cents,
          currency,
          to_price_id: null,
          stripe_schedule_id: null,
        },
        asked_by: 'staff',
        created_at: now(),
      });
      await recordAudit(tx, ctx, {
        act: 'price_move_announced',
        subject_id: user_id,
        facts: { from: tier, to: target.tier_name, price_cents: to_amount_cents },
      });
      await post(tx, {
        type: 'price_move_announced',
        cause: `move:${stripe_subscription_id}:${id}`,
        user_id,
        from: tier,
        from_amount_cents: priceOf(subscription),
        to: target.tier_name,
        to_amount_cents,
        currency,
        tax_behavior: subscription.tax_behavior,
        discounted: subscription.preview?.current.off.some(({ once }) => !once) ?? false,
        monthly_pours: target.monthly_pours,
        effective_at,
      });
    });
    return 'announced';
  } catch (error) {
    if (violatedConstraint(error) === 'billing_act_one_open') return 'already_announced';
    throw error;
  }
}

/**
 * Withdraws the open moves of one member, or all those to a tier, and emails the members. The sweeper undoes what is
 * scheduled at Stripe already. Returns the number of moves.
 */
export async function withdrawMoves(
  ctx: AuditContext & Pick<MoveContext, 'db' | 'post'>,
  who: MoveRequest['who'],
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const users = tx
      .select({ id: profiles.id })
      .from(profiles)
      .where('email' in who ? eq(profiles.email, who.email.toLowerCase()) : undefined);
    const isTo = 'tier' in who && sql`${billing_act.terms} ->> 'to_tier' = ${who.tier}`;
    const withdrawn = (await tx
      .select()
      .from(billing_act)
      .where(and(isOpenMove, isTo || inArray(billing_act.user_id, users)))
      .for('update')) as MoveAct[];
    for (const act of withdrawn) {
      const { id, user_id, stripe_subscription_id } = act;
      const { from_tier, to_tier, stripe_schedule_id } = act.terms;
      const isAtStripe = stripe_schedule_id !== null;
      await changeAct(
        { ...ctx, db: tx },
        act,
        isAtStripe ? 'withdrawing' : 'withdrawn',
        isAtStripe ? { due: ctx.now() } : {},
      );
      await recordAudit(tx, ctx, {
        act: 'price_move_withdrawn',
        subject_id: user_id,
        facts: { from: from_tier, to: to_tier },
      });
      await ctx.post(tx, {
        type: 'price_move_withdrawn',
        cause: `move-withdrawn:${stripe_subscription_id}:${id}`,
        user_id,
        tier: from_tier,
      });
    }
    return withdrawn.length;
  });
}

/** Open moves, the next ones first. */
export async function listMoves({ db }: { db: Db }) {
  const rows = await db
    .select({ act: billing_act, email: profiles.email })
    .from(billing_act)
    .innerJoin(profiles, eq(profiles.id, billing_act.user_id))
    .where(isOpenMove)
    .orderBy(billing_act.starts_at, profiles.email);
  return rows.map(({ act, email }) => {
    const { from_tier, to_tier, to_amount_cents, effective_at } = moveOf(act as MoveAct);
    return { email, from: from_tier, to: to_tier, to_amount_cents, effective_at: effective_at.toISOString() };
  });
}

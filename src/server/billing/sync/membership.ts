import { and, eq } from 'drizzle-orm';
import { localDate } from '../../../domain/calendar.ts';
import { endsAt } from '../../../domain/standing.ts';
import type { Tx } from '../../db/client.ts';
import { customers, membership_applications, memberships } from '../../db/schema.ts';
import type { BillingDeps, BillingNotice } from '../context.ts';
import type { EvaluatedSubscription, LocalState, Membership } from './evaluate.ts';

export interface MembershipChange {
  changed: boolean;
  notices: BillingNotice[];
}

const NOTHING: MembershipChange = { changed: false, notices: [] };

/** Makes the subscription the user's membership, or brings the membership it already is up to date. */
export async function grantMembership(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  { row, before }: EvaluatedSubscription,
): Promise<MembershipChange> {
  const { user_id, tier, amount_cents, stripe_subscription_id } = row;
  const today = localDate(deps.now(), deps.timeZone);
  const was = local.memberships.find((it) => it.stripe_subscription_id === stripe_subscription_id);
  for (const other of local.memberships) {
    if (other.status === 'active' && other !== was) await endMembership(tx, other, today);
  }

  const customerId = local.customer?.id ?? deps.newId();
  if (!local.customer) {
    await tx.insert(customers).values({
      id: customerId,
      user_id,
      tier,
      status: 'active',
      member_since: today,
      created_at: deps.now(),
    });
  } else if (local.customer.status !== 'active' || local.customer.tier !== tier) {
    await tx.update(customers).set({ status: 'active', tier }).where(eq(customers.id, customerId));
  }

  const terms = { status: 'active' as const, tier, monthly_price_cents: amount_cents, end_date: null };
  if (!was) {
    await tx.insert(memberships).values({
      id: deps.newId(),
      customer_id: customerId,
      start_date: today,
      stripe_subscription_id,
      ...terms,
    });
  } else if (was.status !== 'active' || was.tier !== tier || was.monthly_price_cents !== amount_cents) {
    await tx.update(memberships).set(terms).where(eq(memberships.id, was.id));
  }
  const approved = await tx
    .update(membership_applications)
    .set({ status: 'approved', reviewed_at: deps.now(), updated_at: deps.now() })
    .where(and(eq(membership_applications.user_id, user_id), eq(membership_applications.status, 'pending')))
    .returning({ id: membership_applications.id });

  const notices: BillingNotice[] = [];
  // What a member may do again within a period is a new cause each time; the transaction tells each once.
  const at = deps.now().getTime();
  const about = (cause: string) => ({ user_id, cause: `${cause}:${stripe_subscription_id}` });
  if (!was) {
    notices.push({
      ...about('started'),
      type: 'membership_started',
      renewed: local.customer !== null,
      tier,
      amount_cents,
      next_billing: row.current_period_end,
    });
  } else if (was.status !== 'active') {
    notices.push({ ...about(`restored:${was.end_date}`), type: 'access_restored', tier });
  } else if (was.tier !== tier) {
    notices.push({ ...about(`tier:${at}`), type: 'tier_changed', from: was.tier, to: tier });
  }
  const ended = endsAt(row)?.getTime();
  const endedBefore = before ? endsAt(before)?.getTime() : undefined;
  if (ended !== undefined && endedBefore === undefined) {
    notices.push({ ...about(`ending:${at}`), type: 'cancellation_scheduled', ends_at: new Date(ended) });
  } else if (ended === undefined && endedBefore !== undefined) {
    notices.push({ ...about(`continuing:${at}`), type: 'cancellation_withdrawn' });
  }
  if (row.pending_tier && row.pending_from && row.pending_tier !== before?.pending_tier) {
    notices.push({
      ...about(`pending:${at}`),
      type: 'tier_change_scheduled',
      to: row.pending_tier,
      amount_cents: row.pending_amount_cents ?? 0,
      effective_at: row.pending_from,
    });
  } else if (before?.pending_tier && !row.pending_tier && was?.tier === tier && ended === undefined) {
    notices.push({ ...about(`kept:${at}`), type: 'tier_change_withdrawn', tier });
  }
  if (row.grace_until && !before?.grace_until) {
    const cause = `failed:${row.current_period_start.getTime()}`;
    notices.push({ ...about(cause), type: 'payment_failed', grace_until: row.grace_until });
  }
  const asBefore =
    was?.status === 'active' &&
    was.tier === tier &&
    was.monthly_price_cents === amount_cents &&
    local.customer?.status === 'active' &&
    local.customer.tier === tier &&
    approved.length === 0;
  return { changed: !asBefore, notices };
}

/**
 * No subscription gives access: what was a membership by card is over, until Stripe says otherwise.
 * A membership billed at the venue is none of our business.
 */
export async function withdrawMembership(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  judged: EvaluatedSubscription[],
): Promise<MembershipChange> {
  const { customer } = local;
  const active = local.memberships.find((it) => it.status === 'active');
  if (!customer || (active && !active.stripe_subscription_id)) return NOTHING;
  const byCard = local.memberships.some((it) => it.stripe_subscription_id);
  if (!byCard || (!active && customer.status === 'inactive')) return NOTHING;
  if (active) {
    const ended = judged.find(
      (it) => it.row.stripe_subscription_id === active.stripe_subscription_id,
    )?.fetched;
    await endMembership(tx, active, localDate(ended?.ended_at ?? deps.now(), deps.timeZone));
  }
  await tx.update(customers).set({ status: 'inactive' }).where(eq(customers.id, customer.id));
  const cause = `ended:${active?.stripe_subscription_id}:${localDate(deps.now(), deps.timeZone)}`;
  return { changed: true, notices: [{ type: 'membership_ended', user_id: customer.user_id, cause }] };
}

async function endMembership(tx: Tx, { id, start_date }: Membership, day: string): Promise<void> {
  const end_date = day < start_date ? start_date : day;
  await tx.update(memberships).set({ status: 'ended', end_date }).where(eq(memberships.id, id));
}

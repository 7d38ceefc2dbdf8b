import { and, eq, inArray, ne } from 'drizzle-orm';
import { settleSubscriptions } from '../../../domain/billing.ts';
import { isUuid } from '../../../domain/card.ts';
import { accessUntil } from '../../../domain/standing.ts';
import type { Tx } from '../../db/client.ts';
import { violatedConstraint } from '../../db/results.ts';
import {
  billing_customer,
  billing_reversal,
  billing_subscription,
  checkout_attempt,
  customers,
} from '../../db/schema.ts';
import type { BillingDeps, BillingNotice, LocalStatus, Reconciliation } from '../context.ts';
import { type EvaluatedSubscription, evaluate, readLocalState, refundFrom } from './evaluate.ts';
import { grantMembership, withdrawMembership } from './membership.ts';
import { reportUnused, storePayments } from './payments.ts';
import { executeReversals } from './reversal.ts';
import { fetchSnapshot, type StripeSnapshot } from './stripe-snapshot.ts';

/** Somebody else converged, or decided on this user, while we were asking Stripe. */
const OVERTAKEN = Symbol('overtaken');
const MAX_TRIES = 25;

/**
 * Makes our copy of one user say what Stripe says; the only writer of subscription state. Facts are
 * written only when nobody wrote for this user since before they were fetched, so they are never older
 * than what they replace (docs/decisions/0003-billing-convergence.md).
 * Throws Stripe's and the database's errors; then nothing, or one whole convergence, was written.
 */
export async function reconcile(deps: BillingDeps, userId: string): Promise<Reconciliation> {
  let changed = false;
  let acted = false;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const [account] = await deps.db
      .select()
      .from(billing_customer)
      .where(eq(billing_customer.user_id, userId));
    if (!account)
      return { changed: false, localStatus: await localStatusOf(deps, userId), reversalsOpen: false };
    const truth = await fetchSnapshot(deps.stripe, account.stripe_customer_id);
    const written = await write(deps, userId, account.sync_version, truth);
    if (written === OVERTAKEN) continue;
    changed ||= written.changed;
    for (const notice of written.notices) tell(deps, notice);
    const settled = { changed, localStatus: written.localStatus };
    if (acted) return { ...settled, reversalsOpen: false };
    const reversals = await executeReversals(deps, userId, truth, (notice) => tell(deps, notice));
    if (reversals !== 'progress') return { ...settled, reversalsOpen: reversals === 'failed' };
    // What was just ended and paid back is fetched once more, so that our copy says so.
    acted = true;
  }
  throw new Error(`Billing of user ${userId} did not come to rest`);
}

function tell({ notify, log }: BillingDeps, notice: BillingNotice): void {
  log.info({ notice }, 'Billing notice');
  try {
    notify?.(notice);
  } catch (error) {
    log.error({ err: error, notice }, 'Billing notice was not taken');
  }
}

/** What the user's member record says: none without one. */
export async function localStatusOf({ db }: BillingDeps, userId: string): Promise<LocalStatus> {
  const [row] = await db
    .select({ status: customers.status })
    .from(customers)
    .where(eq(customers.user_id, userId));
  return row?.status ?? 'none';
}

interface Written {
  changed: boolean;
  localStatus: LocalStatus;
  notices: BillingNotice[];
}

async function write(
  deps: BillingDeps,
  userId: string,
  version: number,
  truth: StripeSnapshot,
): Promise<Written | typeof OVERTAKEN> {
  try {
    return await deps.db.transaction(async (tx) => {
      const [account] = await tx
        .select({ version: billing_customer.sync_version })
        .from(billing_customer)
        .where(eq(billing_customer.user_id, userId))
        .for('update');
      if (account?.version !== version) return OVERTAKEN;
      const written = await writeTruth(tx, deps, userId, truth);
      for (const notice of written.notices) await deps.post?.(tx, notice);
      await tx
        .update(billing_customer)
        .set({ sync_version: version + 1, synced_at: deps.now() })
        .where(eq(billing_customer.user_id, userId));
      return written;
    });
  } catch (error) {
    // Staff approved the same person in the same moment: what they wrote counts in the next try.
    const broken = violatedConstraint(error);
    if (broken === 'customers_one_per_user' || broken === 'memberships_one_active') return OVERTAKEN;
    throw error;
  }
}

async function writeTruth(
  tx: Tx,
  deps: BillingDeps,
  userId: string,
  truth: StripeSnapshot,
): Promise<Written> {
  const prices = truth.subscriptions.flatMap(({ stripe_price_id, schedule }) =>
    schedule?.next ? [stripe_price_id, schedule.next.stripe_price_id] : [stripe_price_id],
  );
  const local = await readLocalState(tx, userId, prices);
  const judged = evaluate(deps, userId, local, truth.subscriptions);
  const venueMember = local.memberships.some((it) => it.status === 'active' && !it.stripe_subscription_id);
  const settled = settleSubscriptions(
    judged.map(({ contender }) => contender),
    venueMember,
  );

  for (const { id, reason } of settled.reversals) {
    const one = judged.find(({ contender }) => contender.id === id);
    if (!one) continue;
    one.contender.reversed = true;
    const refund_from = refundFrom(one, local, deps);
    deps.log.warn({ user_id: userId, subscription: id, reason, refund_from }, 'Subscription may not stand');
    await tx
      .insert(billing_reversal)
      .values({ stripe_subscription_id: id, user_id: userId, reason, refund_from, created_at: deps.now() })
      .onConflictDoNothing();
  }
  let changed = settled.reversals.length > 0;
  for (const one of judged) changed = (await storeSubscription(tx, deps, one)) || changed;
  for (const it of judged) if (!it.before && it.standing === 'ended') reportUnused(deps, it, truth);
  const receipts = await storePayments(tx, userId, local, judged, truth);
  await completeAttempts(tx, userId, truth);

  const holder = judged.find(({ contender }) => contender.id === settled.membership);
  const membership = holder
    ? await grantMembership(tx, deps, local, holder)
    : await withdrawMembership(tx, deps, local, judged);
  const [customer] = await tx.select().from(customers).where(eq(customers.user_id, userId));
  return {
    changed: changed || membership.changed,
    localStatus: customer?.status ?? 'none',
    notices: [...membership.notices, ...receipts],
  };
}

/** True when it was not known like this before. */
async function storeSubscription(
  tx: Tx,
  { now }: BillingDeps,
  { row, facts, contender, before }: EvaluatedSubscription,
): Promise<boolean> {
  const values = { ...row, access_until: contender.reversed ? null : accessUntil(facts, now()) };
  await tx
    .insert(billing_subscription)
    .values(values)
    .onConflictDoUpdate({ target: billing_subscription.stripe_subscription_id, set: values });
  if (!before) return true;
  const { synced_at: _, ...shown } = row;
  return Object.entries(shown).some(
    ([key, value]) => value?.valueOf() !== before[key as keyof typeof shown]?.valueOf(),
  );
}

/** A subscription names the attempt it came from; one whose first payment is still open does not complete it. */
async function completeAttempts(tx: Tx, userId: string, truth: StripeSnapshot): Promise<void> {
  const ids = truth.subscriptions
    .filter(({ status }) => status !== 'incomplete' && status !== 'incomplete_expired')
    .map(({ metadata }) => metadata.attempt_id)
    .filter((id) => id !== undefined && isUuid(id));
  if (ids.length === 0) return;
  await tx
    .update(checkout_attempt)
    .set({ status: 'completed' })
    .where(
      and(
        inArray(checkout_attempt.id, ids as string[]),
        eq(checkout_attempt.user_id, userId),
        ne(checkout_attempt.status, 'completed'),
      ),
    );
}

import type Stripe from 'stripe';
import { endsMembership } from '../../../domain/billing.ts';
import { CLOCK_SKEW_MS } from '../../../domain/calendar.ts';
import { isEnded } from '../../../domain/standing.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, isNull } from '../../db/orm.ts';
import { billing_reversal, memberships } from '../../db/schema.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingDeps, BillingNotice } from '../billing-context.ts';
import { END_NOW } from '../request-params.ts';
import type { Membership, Reversal } from '../state/local-state.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';
import { isRefused, unlessMissing } from '../stripe-errors.ts';

type OpenInvoice = Pick<Stripe.Invoice, 'id' | 'amount_paid' | 'currency'>;

/** Payments of an overdue subscription from this time on are refunded: they came too late to keep the membership. */
export function overdueFrom(fetchedAt: Date): Date {
  return new Date(fetchedAt.getTime() - CLOCK_SKEW_MS);
}

/** Stores a reversal, before anything is asked of Stripe. Returns it; none if the subscription has one. */
export const orderReversal = (
  { db, now }: { db: Db | Tx; now(): Date },
  reversal: Omit<Reversal, 'created_at' | 'done_at'>,
): Promise<Reversal[]> =>
  db
    .insert(billing_reversal)
    .values({ ...reversal, created_at: now() })
    .onConflictDoNothing()
    .returning();

/** Takes back the card that waits to go on from a membership at the venue, whose row the caller holds. It has charged nothing. */
export async function dropCard(
  { now }: Pick<BillingDeps, 'now'>,
  tx: Tx,
  user_id: string,
  { id, next_subscription_id, canceled_at }: Membership,
): Promise<void> {
  if (next_subscription_id === null) return;
  const refund_from = canceled_at ?? now();
  const reversal = { stripe_subscription_id: next_subscription_id, user_id, refund_from };
  await orderReversal({ db: tx, now }, { ...reversal, reason: 'venue_member' });
  await tx.update(memberships).set({ next_subscription_id: null }).where(eq(memberships.id, id));
}

/**
 * Cancels at Stripe the subscriptions of a user's reversals and voids their open invoices; their payments go back as refunds
 * (order-refunds.ts). The open steps come from the snapshot, so a second run after a crash does only what is missing. True if
 * something changed at Stripe. Throws Stripe's errors.
 */
export async function executeReversals(
  deps: BillingDeps,
  reversals: Reversal[],
  snapshot: StripeSnapshot,
): Promise<boolean> {
  let progress = false;
  for (const reversal of reversals) {
    const { stripe_subscription_id: id, done_at } = reversal;
    const fetched = snapshot.subscriptions.find((it) => it.id === id);
    if (fetched && !isEnded(fetched.status)) {
      await unlessMissing(deps.stripe.subscriptions.cancel(id, END_NOW));
      progress = true;
    }
    const open = done_at ? leftOpen(id, fetched?.ended_at, snapshot) : await openInvoices(deps, id);
    for (const invoice of open) progress = (await voidInvoice(deps, invoice.id)) || progress;
    if (done_at) continue;
    // A payment was under way: the next look shows it.
    progress ||= open.length > 0;
    await recordDone(deps, reversal, open);
  }
  return progress;
}

/** A subscription's open invoices; none if it is missing at Stripe along with its customer. */
async function openInvoices({ stripe }: BillingDeps, subscription: string): Promise<OpenInvoice[]> {
  const open = stripe.invoices.list({ subscription, status: 'open', limit: 100 });
  return (await unlessMissing(open.autoPagingToArray({ limit: 10_000 }))) ?? [];
}

/** What Stripe refused to void while a payment of it was under way, and the bank declined since. */
const leftOpen = (id: string, end: Date | null | undefined, { due }: StripeSnapshot): OpenInvoice[] =>
  due
    .filter((it) => end && it.stripe_subscription_id === id && it.created_at < end)
    .filter(({ status, is_under_way }) => status === 'open' && !is_under_way)
    .map(({ stripe_invoice_id, currency }) => ({ id: stripe_invoice_id, currency, amount_paid: 0 }));

/** Whether Stripe voided the invoice. */
async function voidInvoice({ stripe, log }: BillingDeps, id: string): Promise<boolean> {
  try {
    await stripe.invoices.voidInvoice(id);
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    // Paid or voided meanwhile, or a payment is under way. The next reconciliation refunds a payment.
    log.warn({ invoice: id, err: error }, 'Invoice could not be voided');
    return false;
  }
}

/**
 * Marks a reversal as done, unless another process was faster, and announces the end of the membership: nothing can be
 * charged any more. Staff get a notice of what was paid of an `open` invoice, which Stripe does not void then
 * (docs.stripe.com/invoicing/partial-payments).
 */
async function recordDone(
  { db, now, post, log }: BillingDeps,
  { stripe_subscription_id: subscription, user_id, reason }: Reversal,
  open: OpenInvoice[],
): Promise<void> {
  const { stripe_subscription_id, done_at } = billing_reversal;
  const [notice] = await db.transaction(async (tx): Promise<BillingNotice[]> => {
    const [first] = await tx
      .update(billing_reversal)
      .set({ done_at: now() })
      .where(and(eq(stripe_subscription_id, subscription), isNull(done_at)))
      .returning();
    if (!first) return [];
    for (const { id: stripe_invoice_id, amount_paid: amount_cents, currency } of open) {
      if (amount_cents === 0) continue;
      const why = 'The invoice is open and was paid in part.';
      const facts = { amount_cents, currency, stripe_invoice_id, why };
      const cause = `part:${stripe_invoice_id}`;
      await postStaffNotice(tx, { kind: 'reversal_impossible', cause, user_id, facts, at: now() });
    }
    if (!endsMembership(reason)) return [];
    const ended = { type: 'membership_ended', why: reason, user_id, cause: `ended:${subscription}` } as const;
    await post(tx, ended);
    return [ended];
  });
  if (notice) log.info({ notice }, 'Billing notice');
}

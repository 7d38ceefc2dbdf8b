import { isOverdue } from '../../../domain/billing.ts';
import { dueInvoice, isCollectable } from '../../../domain/membership/collection.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { billing_act, billing_reversal } from '../../db/schema.ts';
import type { BillingDeps, BillingNotice } from '../billing-context.ts';
import { withKey } from '../idempotency-key.ts';
import { type CollectionAct, changeAct } from '../state/acts.ts';
import type { EvaluatedSubscription } from '../state/evaluate.ts';
import type { FetchedDue } from '../state/fetched-invoice.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { chargedMethod } from '../state/payment-method.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';
import { bankAnswer, isRefused, isUnpaid, needsApproval } from '../stripe-errors.ts';

// docs/rules/billing.md, "Billing: a new payment method". Stripe does not retry a due invoice because a card changed.

/** Longest time until a payment that takes days is looked at again. */
const UNDER_WAY_MS = 86_400_000;

/** Records that a payment method which has not been tried pays the due invoice, once for each. */
export async function askCollection(
  tx: Tx,
  { now, newId }: Pick<BillingDeps, 'now' | 'newId'>,
  { row, standing, fetched, before }: EvaluatedSubscription,
  { due }: Pick<StripeSnapshot, 'due'>,
): Promise<void> {
  const invoice = dueInvoice(due, row);
  const method = fetched && chargedMethod(fetched);
  if (!invoice || !method) return;
  const is_first = before !== null && before.payment_method_type === null;
  const is_pausing = fetched.pause !== null;
  const failed = due
    .filter((it) => it.stripe_subscription_id === row.stripe_subscription_id)
    .flatMap(({ tried }) => tried);
  const facts = { status: row.status, standing, is_pausing, invoice, method, failed, is_first };
  if (!isCollectable(facts)) return;
  const cause = `collection:${invoice.stripe_invoice_id}:${method.key}`;
  if ((await tx.$count(billing_act, eq(billing_act.cause, cause))) > 0) return;
  const { type, card } = method;
  await tx.insert(billing_act).values({
    id: newId(),
    kind: 'collection',
    user_id: row.user_id,
    cause,
    state: 'asked',
    due: now(),
    stripe_subscription_id: row.stripe_subscription_id,
    terms: {
      stripe_invoice_id: invoice.stripe_invoice_id,
      payment_method: method.id,
      method: {
        type,
        brand: card?.brand ?? null,
        last4: card?.last4 ?? null,
        wallet: card?.wallet ?? null,
      },
      failure: null,
    },
    asked_by: 'member',
    created_at: now(),
  });
}

/**
 * The next step of a collection: pays the invoice, unless the membership has ended or been canceled, or the invoice is paid.
 * 'progress' if Stripe has to be read again. Throws Stripe's errors, except the bank's answer.
 */
export async function collectionStep(
  deps: BillingDeps,
  act: CollectionAct,
  row: StoredSubscription | null,
  snapshot: StripeSnapshot,
): Promise<'nothing' | 'progress'> {
  const { stripe_invoice_id, payment_method } = act.terms;
  const paid = snapshot.payments.find((it) => it.stripe_invoice_id === stripe_invoice_id);
  if (paid) {
    const isVoided = await voidOlder(deps, snapshot, act, paid.invoiced_at);
    await changeAct(deps, act, 'done');
    return isVoided ? 'progress' : 'nothing';
  }
  const invoice = snapshot.due.find((it) => it.stripe_invoice_id === stripe_invoice_id);
  if (!invoice || !row || !isOverdue(row.status) || (await isReversed(deps, act))) {
    await changeAct(deps, act, 'withdrawn');
    return 'nothing';
  }
  // A payment under way was declined after days.
  const declined =
    act.state === 'set' && invoice.declined.find(({ method }) => act.cause.endsWith(`:${method}`));
  if (declined) {
    await recordFailure(deps, act, row, invoice, { why: 'declined', code: declined.code });
    return 'nothing';
  }
  if (act.state === 'set') return 'nothing';
  if (invoice.status === 'draft')
    await deps.stripe.invoices.finalizeInvoice(stripe_invoice_id, { auto_advance: false });
  try {
    const answer = await withKey(deps, `collection:${act.id}`, (options) =>
      deps.stripe.invoices.pay(stripe_invoice_id, payParams(payment_method), options),
    );
    if (answer.status === 'paid') return 'progress';
    await changeAct(deps, act, 'set', { due: new Date(deps.now().getTime() + UNDER_WAY_MS) });
    return 'nothing';
  } catch (error) {
    if (needsApproval(error))
      await recordFailure(deps, act, row, invoice, { why: 'authentication', code: null });
    else if (isUnpaid(error))
      await recordFailure(deps, act, row, invoice, { why: 'declined', code: bankAnswer(error) });
    else if (isRefused(error)) {
      // Paid or voided meanwhile, or the payment method is gone: what is true is read next time.
      deps.log.warn({ err: error, invoice: stripe_invoice_id }, 'Stripe refused to collect an invoice');
      await changeAct(deps, act, 'refused');
      return 'progress';
    } else throw error;
    return 'nothing';
  }
}

/** A payment method, or one of the older sources, which have a parameter of their own. */
const payParams = (id: string) => (id.startsWith('pm_') ? { payment_method: id } : { source: id });

async function isReversed({ db }: BillingDeps, { stripe_subscription_id }: CollectionAct): Promise<boolean> {
  const of = eq(billing_reversal.stripe_subscription_id, stripe_subscription_id);
  return (await db.$count(billing_reversal, of)) > 0;
}

/** Voids older open invoices of the subscription: they are for months without access. True if there was one. */
async function voidOlder(
  { stripe, log }: BillingDeps,
  { due }: StripeSnapshot,
  { stripe_subscription_id: subscription }: CollectionAct,
  before: Date,
): Promise<boolean> {
  const older = due.filter(
    (it) =>
      it.stripe_subscription_id === subscription &&
      it.is_automatic &&
      it.status === 'open' &&
      it.created_at < before,
  );
  for (const { stripe_invoice_id } of older) {
    await stripe.invoices.voidInvoice(stripe_invoice_id);
    log.info({ invoice: stripe_invoice_id }, 'Voided the invoice of a month without access');
  }
  return older.length > 0;
}

/** Settles a collection that failed, with an email in the same transaction. */
async function recordFailure(
  deps: BillingDeps,
  act: CollectionAct,
  row: StoredSubscription,
  invoice: FetchedDue,
  failure: NonNullable<CollectionAct['terms']['failure']>,
): Promise<void> {
  const notice: BillingNotice = {
    type: 'payment_refused',
    cause: `refused:${act.id}`,
    user_id: act.user_id,
    tier: row.tier,
    open_cents: invoice.amount_cents,
    currency: invoice.currency,
    method: act.terms.method,
    ...failure,
    invoice_url: invoice.hosted_url,
    grace_until: row.grace_until,
  };
  await deps.db.transaction(async (tx) => {
    const terms = { ...act.terms, failure };
    if (await changeAct({ ...deps, db: tx }, act, 'refused', { terms })) await deps.post(tx, notice);
  });
}

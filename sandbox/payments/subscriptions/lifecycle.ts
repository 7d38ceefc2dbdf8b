import { settlePayouts } from '../balance/payouts.ts';
import type { Invoice, Subscription } from '../http/wire.ts';
import { discountEnd, endDiscounts } from '../invoices/discounts.ts';
import { cycleLine } from '../invoices/invoice-lines.ts';
import { draftInvoice, failFinalization, finalize } from '../invoices/invoices.ts';
import { billsAtEnd } from '../invoices/pending-items.ts';
import { collect } from '../resources/charging.ts';
import { expireSession } from '../resources/checkout-sessions.ts';
import { changed, timeOf, type World } from '../store/world.ts';
import { leaveUncollected, resumeCollection } from './pause-collection.ts';
import { dropPendingUpdate } from './pending-update.ts';
import { firstEnd, nextPeriod } from './periods.ts';
import { advanceSchedule, schedulePhaseEnd } from './schedule-phases.ts';
import { dropResumption } from './stop.ts';
import { cancelNow, expireIncomplete } from './subscription-end.ts';
import { passDueDate } from './subscription-status.ts';
import { endsWithoutMethod, warningTime, warnOfTrialEnd } from './trials.ts';

const MAX_STEPS = 1_000_000;
const INCOMPLETE_SECONDS = 23 * 3600;

interface Due {
  at: number;
  run(): void;
}

/** Does what is due on one clock (null: the sandbox's), in order and each at its own time. */
export function catchUp(world: World, clock: string | null = null): void {
  const now = timeOf(world, clock);
  let steps = 0;
  for (let next = earliest(world, clock); next && next.at <= now; next = earliest(world, clock)) {
    steps += 1;
    if (steps > MAX_STEPS) throw new Error(`More than ${MAX_STEPS} steps are due on the sandbox clock`);
    const outer = world.moment;
    world.moment = next.at;
    try {
      next.run();
    } finally {
      world.moment = outer;
    }
  }
  if (clock === null && world.state.settings.payouts === 'on_time') settlePayouts(world);
}

function earliest(world: World, clock: string | null): Due | null {
  let first: Due | null = null;
  for (const due of everythingDue(world, clock)) if (!first || due.at < first.at) first = due;
  return first;
}

function* everythingDue(world: World, clock: string | null): Generator<Due> {
  for (const subscription of Object.values(world.state.subscriptions))
    if (subscription.test_clock === clock && subscription.ended_at === null)
      yield* subscriptionDue(world, subscription);
  for (const invoice of Object.values(world.state.invoices))
    if (invoice.test_clock === clock) yield* invoiceDue(world, invoice);
  if (clock !== null) return;
  for (const session of Object.values(world.state.sessions)) {
    if (session.status !== 'open') continue;
    const at = world.state.carts[session.id]?.expires_on ?? session.expires_at;
    yield { at, run: () => expireSession(world, session) };
  }
}

function* subscriptionDue(world: World, subscription: Subscription): Generator<Due> {
  if (subscription.status === 'incomplete') {
    yield { at: subscription.created + INCOMPLETE_SECONDS, run: () => expireIncomplete(world, subscription) };
    return;
  }
  if (subscription.pending_update)
    yield { at: subscription.pending_update.expires_at, run: () => dropPendingUpdate(world, subscription) };
  if (subscription.cancel_at !== null)
    yield { at: subscription.cancel_at, run: () => endAsScheduled(world, subscription) };
  if (subscription.status === 'paused') {
    const resumption = world.state.resumptions[subscription.id];
    if (resumption) yield { at: resumption.expires_at, run: () => dropResumption(world, subscription) };
    return;
  }
  const resumes_at = subscription.pause_collection?.resumes_at ?? null;
  if (resumes_at !== null) yield { at: resumes_at, run: () => resumeCollection(world, subscription) };
  const discountEndsAt = discountEnd(world, subscription);
  if (discountEndsAt !== null) yield { at: discountEndsAt, run: () => endDiscounts(world, subscription) };
  const warning = warningTime(world, subscription);
  if (warning !== null) yield { at: warning, run: () => warnOfTrialEnd(world, subscription) };
  const phaseEnd = schedulePhaseEnd(world, subscription);
  if (phaseEnd !== null) yield { at: phaseEnd, run: () => advanceSchedule(world, subscription) };
  yield { at: firstEnd(subscription.items.data), run: () => renew(world, subscription) };
}

function* invoiceDue(world: World, invoice: Invoice): Generator<Due> {
  if (invoice.status === 'draft' && invoice.automatically_finalizes_at !== null)
    yield {
      at: invoice.automatically_finalizes_at,
      run: () => finalizeAndCollect(world, invoice),
    };
  const { due_date } = invoice;
  if (invoice.status === 'open' && due_date !== null && !world.state.overdue_invoices[invoice.id])
    yield { at: due_date, run: () => passDueDate(world, invoice) };
  if (invoice.status === 'open' && invoice.next_payment_attempt !== null)
    yield { at: invoice.next_payment_attempt, run: () => collect(world, invoice) };
}

/**
 * Starts a new period of the items whose period ends: moves them, creates an invoice and collects it. The invoice stays a draft while renewals do, or
 * if the subscription is unpaid; while collection is paused, leaveUncollected decides.
 */
function renew(world: World, subscription: Subscription): void {
  if (endsWithoutMethod(world, subscription)) return;
  const start = firstEnd(subscription.items.data);
  const renewals = subscription.items.data
    .filter((item) => item.current_period_end === start)
    .map((item) => ({ item, period: nextPeriod(subscription, item) }));
  const given_up = subscription.status === 'unpaid';
  const lines = renewals.map(({ item, period }) => cycleLine(world, subscription.id, item, period));
  const invoice = draftInvoice(world, subscription, 'subscription_cycle', lines);
  invoice.period_start = renewals[0]?.item.current_period_start ?? start;
  invoice.period_end = start;
  invoice.auto_advance = !given_up;
  changed(world, 'customer.subscription.updated', subscription, () => {
    for (const { item, period } of renewals) {
      item.current_period_start = period.start;
      item.current_period_end = period.end;
    }
    subscription.latest_invoice = invoice.id;
    if (subscription.status === 'trialing') subscription.status = 'active';
  });
  if (subscription.pause_collection) leaveUncollected(world, subscription, invoice);
  else if (!given_up) collectSoon(world, invoice);
}

/** Ends a subscription on the day set for it, and bills what waits with a last invoice. */
function endAsScheduled(world: World, subscription: Subscription): void {
  const { status } = subscription;
  cancelNow(world, subscription);
  if (!billsAtEnd(world, subscription)) return;
  const invoice = draftInvoice(world, subscription, 'subscription_cycle', []);
  invoice.period_start = subscription.items.data[0]?.current_period_start ?? invoice.created;
  subscription.latest_invoice = invoice.id;
  invoice.auto_advance = status !== 'unpaid';
  if (subscription.pause_collection) leaveUncollected(world, subscription, invoice);
  else if (invoice.auto_advance) collectSoon(world, invoice);
}

function collectSoon(world: World, invoice: Invoice): void {
  const { draft_seconds } = world.state.settings;
  if (draft_seconds > 0) invoice.automatically_finalizes_at = invoice.created + draft_seconds;
  else finalizeAndCollect(world, invoice);
}

function finalizeAndCollect(world: World, invoice: Invoice): void {
  if (world.state.settings.finalization === 'fails') {
    failFinalization(world, invoice);
    return;
  }
  finalize(world, invoice);
  collect(world, invoice);
}

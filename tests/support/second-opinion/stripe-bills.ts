import { DAY, stripeMonths } from './calendar.ts';
import { type Club, type Dunning, LEAST_CHARGE, type Setting, termsOf } from './club.ts';
import { endPeriod, settle } from './debts.ts';
import {
  type Membership,
  monthly,
  newPayment,
  type OpenCharge,
  type Plan,
  periodEnd,
  takeWaiting,
} from './membership.ts';
import { type Bought, newPeriod, type Payment, payLater, rollOver } from './period.ts';
import type { Person } from './person.ts';

// Stripe's automatic acts: renewals, retries, ends.

/** The settings of a venue that decide what Stripe does. */
interface Venue {
  club: Club;
  setting: Setting;
}

/** The time of Stripe's next act on a membership; null for never. */
export function nextAtStripe({ plan, over }: Membership, dunning: Dunning): number | null {
  if (!plan || over) return null;
  return Math.min(periodEnd(plan), plan.endsAt ?? Infinity, nextRetry(plan, dunning));
}

function nextRetry({ open, onHold }: Plan, { days }: Dunning): number {
  if (!open || onHold || open.retries >= days.length) return Infinity;
  return open.since + days.slice(0, open.retries + 1).reduce((sum, it) => sum + it, 0) * DAY;
}

/** The charge at the end of a membership that is set to end by the end of its month, in cents; 0 for none. */
export function lastCharge(person: Person, plan: Plan, end: number): number {
  const cents = plan.waiting.cents + person.owed;
  return plan.waiting.cents === 0 || cents < LEAST_CHARGE || isPausedAt(plan, end) ? 0 : cents;
}

/** The amount owed now, including earlier amounts too small to charge. */
export function charge(person: Person, at: number, amount: number, bought: Bought) {
  const owed = amount + person.owed;
  person.owed = owed < LEAST_CHARGE ? owed : 0;
  if (owed < LEAST_CHARGE) return null;
  const payment = newPayment(at, owed, bought);
  person.payments.push(payment);
  return payment;
}

const isPausedAt = ({ pause }: Plan, at: number): boolean =>
  pause !== null && at >= pause.from && at < pause.until;

/**
 * Bills what waits with a last invoice, at an end set before. Without a payment it stays open, unless a month is open too:
 * then both are voided.
 */
function billLast(person: Person, plan: Plan, at: number): void {
  const cents = takeWaiting(plan);
  if (plan.onHold || cents === 0 || isPausedAt(plan, at)) return;
  if (person.goodCard || cents + person.owed < LEAST_CHARGE) charge(person, at, cents, 'change');
  else if (!plan.open) {
    person.leftOpen.push(cents + person.owed);
    person.owed = 0;
  }
}

/** Does everything due at an instant. True if the membership ended then. */
export function stripeActs(person: Person, membership: Membership, at: number, venue: Venue): boolean {
  const { plan } = membership;
  if (!plan) return false;
  const isEnd = plan.endsAt === at || (plan.cancels !== 'no' && at === periodEnd(plan));
  if (isEnd) {
    billLast(person, plan, at);
    return true;
  }
  if (plan.open && at < periodEnd(plan)) return retry(person, plan, at, venue);
  renew(person, membership, plan, venue);
  return false;
}

/** Stripe's next attempt. True if it was the last, and Stripe cancels then. */
function retry(person: Person, plan: Plan, at: number, { club, setting: { dunning } }: Venue): boolean {
  const { open } = plan;
  if (!open) return false;
  open.retries += 1;
  if (person.card) open.tried.add(person.card);
  if (person.goodCard) pay(person, plan, at, club);
  else if (open.retries >= dunning.days.length) {
    if (dunning.end === 'canceled') return true;
    plan.onHold = dunning.end === 'unpaid';
    plan.heldAt = at;
  }
  return false;
}

const monthOf = ({ period: { start, end } }: OpenCharge): Bought => ({ start, end });

/** Pays the open charge, which ends grace, or brings a membership on hold back. Older months stay unpaid for good. */
export function pay(person: Person, plan: Plan, at: number, club: Club): void {
  const { open } = plan;
  if (!open) return;
  if (open.isDraft) {
    open.owed = person.owed;
    open.amount += person.owed;
    person.owed = 0;
  }
  payCharge(person, open, at, club);
  rollOver(open.period);
  for (const { owed } of plan.older) person.owed += owed;
  Object.assign(plan, { open: null, older: [], onHold: false, grace: null });
}

/** Pays for a month, also after its end: then its pours are no longer owed. */
export function payCharge(person: Person, open: OpenCharge, at: number, club: Club): Payment {
  const { period } = open;
  const payment = newPayment(at, open.amount, monthOf(open));
  person.payments.push(payment);
  person.debts = person.debts.filter(({ advance }) => advance !== period.own);
  payLater(period, payment, termsOf(club, period.tier));
  settle(person.debts, period);
  return payment;
}

/** The next period, with its tier and price. */
export function renew(
  person: Person,
  membership: Membership,
  plan: Plan,
  { club, setting: { grace } }: Venue,
): void {
  const start = periodEnd(plan);
  plan.month += 1;
  plan.isTrial = false;
  const move = plan.move && start >= plan.move.from && !plan.pause && !plan.open ? plan.move : null;
  const to = plan.next ?? move;
  if (to) {
    membership.tier = to.tier;
    membership.price = to.price;
    plan.next = null;
    plan.move = null;
  }
  const paused = isPausedAt(plan, start);
  if (plan.pause && !paused && start >= plan.pause.until) plan.pause = null;
  const before = membership.period;
  endPeriod(person, before);
  const amount = monthly(membership) + takeWaiting(plan);
  plan.addOnPaid = null;
  const isCovered = amount + person.owed < LEAST_CHARGE;
  const paid = !paused && !plan.onHold && (person.goodCard || isCovered);
  const period = newPeriod(
    { start, end: periodEnd(plan), tier: membership.tier, before, skipped: paused, paid, grace },
    termsOf(club, membership.tier),
  );
  settle(person.debts, period);
  membership.period = period;
  if (plan.pause && paused) {
    person.skippedMonths.push(stripeMonths(plan.pause.from, plan.pause.skipped));
    plan.pause.skipped += 1;
    return;
  }
  if (paid) {
    period.payment = charge(person, start, amount, { start, end: period.end });
    return;
  }
  if (plan.open) plan.older.push(plan.open);
  const { onHold } = plan;
  const owed = onHold ? 0 : person.owed;
  plan.open = {
    amount: amount + owed,
    owed,
    period,
    since: start,
    retries: 0,
    tried: new Set(person.card && !onHold ? [person.card] : []),
    isDraft: onHold,
  };
  person.owed -= owed;
}

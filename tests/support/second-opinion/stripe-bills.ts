import { DAY } from './calendar.ts';
import { type Club, LEAST_CHARGE, RETRIES, termsOf } from './club.ts';
import { endPeriod, settle } from './debts.ts';
import { type Membership, newPayment, type Plan, periodEnd } from './membership.ts';
import { newPeriod, payLater } from './period.ts';
import type { Person } from './person.ts';

// Stripe's automatic acts: renewals, retries, ends.

/** The time of Stripe's next act on a membership; null for never. */
export function nextAtStripe({ plan, over }: Membership): number | null {
  if (!plan || over) return null;
  const renewal = periodEnd(plan);
  const retry = plan.open && RETRIES[plan.open.tries];
  return plan.open && retry ? Math.min(renewal, plan.open.since + retry * DAY) : renewal;
}

/** The amount owed now, including earlier amounts too small to charge. */
export function charge(person: Person, at: number, amount: number) {
  const owed = amount + person.owed;
  person.owed = owed < LEAST_CHARGE ? owed : 0;
  if (owed < LEAST_CHARGE) return null;
  const payment = newPayment(at, owed);
  person.payments.push(payment);
  return payment;
}

const isPausedAt = ({ pause }: Plan, at: number): boolean =>
  pause !== null && at >= pause.from && at < pause.until;

/** Does everything due at an instant. True if the membership ended then. */
export function stripeActs(person: Person, membership: Membership, at: number, club: Club): boolean {
  const { plan } = membership;
  if (!plan) return false;
  if (plan.open && at < periodEnd(plan)) {
    retry(person, plan, at, club);
    return false;
  }
  if (plan.cancels !== 'no') return true;
  renew(person, membership, plan, club);
  return false;
}

function retry(person: Person, plan: Plan, at: number, club: Club): void {
  const { open } = plan;
  if (!open) return;
  open.tries += 1;
  if (person.goodCard) pay(person, plan, at, club);
}

/** Pays the open charge. */
function pay(person: Person, plan: Plan, at: number, club: Club): void {
  if (!plan.open) return;
  const payment = newPayment(at, plan.open.amount);
  person.payments.push(payment);
  const { period } = plan.open;
  payLater(period, payment, termsOf(club, period.tier));
  settle(person.debts, period);
  plan.open = null;
}

/** The next period, with its tier and price. */
function renew(person: Person, membership: Membership, plan: Plan, club: Club): void {
  const start = periodEnd(plan);
  plan.month += 1;
  const to = plan.next ?? (plan.move && start >= plan.move.from && !plan.pause ? plan.move : null);
  if (to) {
    membership.tier = to.tier;
    membership.price = to.price;
    plan.next = null;
    plan.move = null;
  }
  const paused = isPausedAt(plan, start);
  if (plan.pause && !paused && start >= plan.pause.until) plan.pause = null;
  const before = membership.period;
  endPeriod(person.debts, before);
  const paid = !paused && person.goodCard;
  const period = newPeriod(
    { start, end: periodEnd(plan), tier: membership.tier, before, skipped: paused, paid },
    termsOf(club, membership.tier),
  );
  settle(person.debts, period);
  membership.period = period;
  if (paused) return;
  if (paid) {
    period.payment = charge(person, start, membership.price);
  } else {
    plan.open = { amount: membership.price + person.owed, owed: person.owed, period, since: start, tries: 0 };
    person.owed = 0;
  }
}

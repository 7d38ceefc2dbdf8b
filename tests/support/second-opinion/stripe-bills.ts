import { DAY } from './calendar.ts';
import { LEAST_CHARGE, RETRIES } from './club.ts';
import { type Membership, newPayment, newPeriod, type Plan, periodEnd } from './membership.ts';
import type { Glasses, Period } from './period.ts';
import type { Person } from './person.ts';

// What Stripe does by itself: renewals, further tries, ends.

/** When Stripe acts next on a membership; null for never. */
export function nextAtStripe({ plan, over }: Membership): number | null {
  if (!plan || over) return null;
  const renewal = periodEnd(plan);
  const retry = plan.open && RETRIES[plan.open.tries];
  return plan.open && retry ? Math.min(renewal, plan.open.since + retry * DAY) : renewal;
}

/** What is owed now, by what was too little to charge before. */
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

/** Does what is due at an instant. True if the membership ended at it. */
export function stripeActs(person: Person, membership: Membership, at: number, glasses: Glasses): boolean {
  const { plan } = membership;
  if (!plan) return false;
  if (plan.open && at < periodEnd(plan)) {
    retry(person, plan, at);
    return false;
  }
  if (plan.cancels !== 'no') return true;
  renew(person, membership, plan, glasses);
  return false;
}

function retry(person: Person, plan: Plan, at: number): void {
  const { open } = plan;
  if (!open) return;
  open.tries += 1;
  if (person.goodCard) pay(person, plan, at);
}

/** Pays the open charge. */
function pay(person: Person, plan: Plan, at: number): void {
  if (!plan.open) return;
  const payment = newPayment(at, plan.open.amount);
  person.payments.push(payment);
  plan.open.period.payment = payment;
  plan.open.period.paid = true;
  plan.open = null;
}

/** The next period, with the tier and price that it begins with. */
function renew(person: Person, membership: Membership, plan: Plan, glasses: Glasses): void {
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
  const carried = glasses.close(before);
  const period: Period = newPeriod(
    { start, end: periodEnd(plan), tier: membership.tier, carried, before, skipped: paused, paid: false },
    glasses.terms(membership.tier),
  );
  if (before.skipped) period.before = null;
  membership.period = period;
  if (paused) return;
  if (person.goodCard) {
    period.payment = charge(person, start, membership.price);
    period.paid = true;
  } else {
    plan.open = { amount: membership.price + person.owed, owed: person.owed, period, since: start, tries: 0 };
    person.owed = 0;
  }
}

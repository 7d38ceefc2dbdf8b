import { collect, payOpen } from './collect.ts';
import type { Acts } from './events.ts';
import { newPayment, type OpenCharge } from './membership.ts';
import type { Model } from './model.ts';
import type { Person } from './person.ts';
import { payCharge } from './stripe-bills.ts';

/** The unpaid invoice that its page offers: a draft has none. */
function payable({ membership }: Person): OpenCharge | null {
  const plan = membership && !membership.over ? membership.plan : null;
  if (!plan?.open) return null;
  return plan.open.isDraft ? (plan.older.findLast(({ isDraft }) => !isDraft) ?? null) : plan.open;
}

export const openPaymentActs = {
  card: (model, { who, good, asks }) => {
    const person = model.person(who);
    // Nobody is at Stripe before a first card, or a year, whose payment saves none.
    if (person.cards.length === 0 && person.payments.length === 0) return false;
    person.save(good ? 'pays' : asks ? 'asks' : 'declines');
    collect(model, person);
    return true;
  },
  'saved card': (model, { who, back }) => {
    const person = model.person(who);
    const card = person.cards.at(-1 - back);
    if (!card) return false;
    person.card = card;
    collect(model, person);
    return true;
  },
  'pay invoice': (model, { who }) => {
    const person = model.person(who);
    const { membership, card } = person;
    const invoice = payable(person);
    if (!invoice) return payLeftOpen(model, person);
    if (!membership?.plan || !card) return false;
    invoice.tried.add(card);
    if (card.kind === 'declines') return false;
    if (invoice === membership.plan.open) payOpen(model, person, membership);
    else {
      membership.plan.older = membership.plan.older.filter((it) => it !== invoice);
      const payment = payCharge(person, invoice, model.now, model.club);
      // An earlier month brings nobody back: staff decide what becomes of the money.
      payment.isNoticed = !model.hasAccess(person);
    }
    return true;
  },
} satisfies Partial<Acts<Model>>;

/** Pays the newest last invoice of an earlier membership: what was used then. */
function payLeftOpen(model: Model, { card, leftOpen, payments }: Person): boolean {
  if (!card || card.kind === 'declines') return false;
  const amount = leftOpen.pop();
  if (amount === undefined) return false;
  payments.push(newPayment(model.now, amount, 'change'));
  return true;
}

/**
 * A payment that came after the end: the club refunds it. An invoice of the very second of the end looks as Stripe's last one
 * does, so staff decide.
 */
export function payLate(model: Model, person: Person, { amount, since, period }: OpenCharge): void {
  const payment =
    since === model.now
      ? { ...newPayment(model.now, amount, { start: period.start, end: period.end }), isNoticed: true }
      : { ...newPayment(model.now, amount, 'nothing'), refunded: amount };
  person.payments.push(payment);
}

import { duesActs } from './dues-acts.ts';
import type { Acts, Event } from './events.ts';
import { glassActs } from './glass-acts.ts';
import { membershipActs } from './membership-acts.ts';
import type { Model } from './model.ts';
import { openPaymentActs } from './open-payments.ts';
import { rollOver } from './period.ts';
import { stripeActsOfStaff } from './stripe-acts.ts';

/** The larger of two payments in one second is first. */
export const newestFirst = <T extends { at: number; amount: number }>(payments: readonly T[]): T[] =>
  payments.toSorted((a, b) => b.at - a.at || b.amount - a.amount);

/** Refunds and the bank's decisions. */
const moneyActs = {
  refund: (model, { who, back, part }) => {
    const person = model.person(who);
    // Someone who was never a member has no page with payments: the notice says to refund it at Stripe.
    if (!person.isCustomer) return false;
    const payment = newestFirst(person.payments).at(back);
    if (!payment || payment.disputed === 'open' || payment.disputed === 'lost') return false;
    const left = payment.amount - payment.refunded;
    if (left === 0) return false;
    payment.refunded += refunded(left, part);
    const plan = model.person(who).membership?.plan;
    if (plan?.year === payment && payment.refunded === payment.amount) plan.year = null;
    return true;
  },
  dispute: (model, { who, back }) => {
    const payment = newestFirst(model.person(who).payments).at(back);
    if (payment?.disputed !== 'no' || payment.refunded === payment.amount) return false;
    payment.disputed = 'open';
    return true;
  },
  'bank decides': (model, { who, won }) => {
    const { payments, membership } = model.person(who);
    const payment = newestFirst(payments).find(({ disputed }) => disputed === 'open');
    if (!payment) return false;
    payment.disputed = won ? 'won' : 'lost';
    // The rest of that period returns while the next one lasts.
    if (membership && !membership.over && membership.period.before?.payment === payment) {
      rollOver(membership.period);
    }
    return true;
  },
} satisfies Partial<Acts<Model>>;

const acts: Acts<Model> = {
  ...duesActs,
  ...glassActs,
  ...membershipActs,
  ...moneyActs,
  ...openPaymentActs,
  ...stripeActsOfStaff,
};

/** Applies an event. False if it is not allowed. */
export function act(model: Model, event: Event): boolean {
  const apply = acts[event.do] as (model: Model, event: Event) => boolean;
  return apply(model, event);
}

/** The amount of a partial refund of the rest. */
export const refunded = (left: number, part: number): number => Math.max(1, Math.floor(left * part));

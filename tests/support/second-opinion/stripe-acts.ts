import { DAY, stripeMonths } from './calendar.ts';
import { endPeriod, settle } from './debts.ts';
import type { Acts } from './events.ts';
import { byCard, isEnding, type Membership, newPayment, type Plan, takeWaiting } from './membership.ts';
import type { Model } from './model.ts';
import { payLate } from './open-payments.ts';
import { newPeriod } from './period.ts';
import type { Person } from './person.ts';
import { charge, renew } from './stripe-bills.ts';

/** The price of what staff sell at Stripe besides the tier, in cents a month. */
export const ADD_ON = 1500;
/** A trial up to this long is a month. */
const LONGEST_MONTH = 31 * DAY + 3600;

/** A membership by card to which nothing is about to happen; null otherwise. */
function steady({ membership }: Person) {
  const plan = membership && !membership.over ? membership.plan : null;
  if (!membership || !plan || plan.open || plan.next || plan.move || plan.pause || isEnding(plan))
    return null;
  return { membership, plan };
}

/** A later end of a trial, whose pours are those of its whole period. */
function extendTrial(person: Person, { period }: Membership, plan: Plan, end: number): void {
  plan.anchor = end;
  period.end = end;
  for (const grant of [period.own, ...(period.rolled ? [period.rolled] : []), ...period.given])
    grant.end = end;
  if (end - period.start > LONGEST_MONTH) person.longTrials.add(end);
}

/** A card that is canceled before its first charge leaves the member at the venue. */
function stayAtVenue(person: Person): true {
  person.nextCard = null;
  if (person.membership) Object.assign(person.membership, { endsAt: null, isCanceled: false });
  return true;
}

/** Acts of staff in Stripe's dashboard. */
export const stripeActsOfStaff = {
  'end at Stripe': (model, { who, when, paid }) => {
    const person = model.person(who);
    const { membership } = person;
    if (person.nextCard) return when === 'now' && stayAtVenue(person);
    const plan = membership && !membership.over ? membership.plan : null;
    if (!membership || !plan) return false;
    if (when === 'now') {
      const { open } = plan;
      model.end(person);
      model.see(person);
      if (paid && open && !open.isDraft && person.card && person.card.kind !== 'declines')
        payLate(model, person, open);
      return true;
    }
    if (plan.onHold || plan.next || plan.move || plan.pause || plan.year) return false;
    if (when === 'with the period') Object.assign(plan, { cancels: 'by venue', endsAt: null });
    else Object.assign(plan, { cancels: 'no', endsAt: model.now + when * DAY });
    return true;
  },
  'add-on': (model, { who, on, bills }) => {
    const person = model.person(who);
    const it = steady(person);
    if (!it || it.plan.isTrial || it.plan.addOn > 0 === on) return false;
    if (bills === 'now' && !person.goodCard) return false;
    const { plan, membership } = it;
    plan.addOn = on ? ADD_ON : 0;
    if (bills) {
      const { start, end } = membership.period;
      const { cents, from } = (!on && plan.addOnPaid) || { cents: ADD_ON, from: start };
      const rest = Math.round((cents * (end - model.now)) / (end - from));
      plan.waiting.cents += on ? rest : -rest;
      if (on) plan.waiting.added = { cents: rest, from: model.now };
    }
    if (bills === 'now') charge(person, model.now, takeWaiting(plan), 'change');
    if (!on) Object.assign(plan, { addOnPaid: null, waiting: { ...plan.waiting, added: null } });
    return true;
  },
  trial: (model, { who, days }) => {
    const person = model.person(who);
    const it = steady(person);
    if (!it || (it.plan.isTrial ? false : days === 0)) return false;
    const { membership, plan } = it;
    if (plan.isTrial && days > 0) {
      extendTrial(person, membership, plan, membership.period.end + days * DAY);
      return true;
    }
    if (model.now < membership.period.start + DAY) return false;
    if (plan.isTrial) {
      Object.assign(plan, { anchor: model.now, month: -1 });
      renew(person, membership, plan, model);
      if (plan.open) plan.grace = model.now + model.setting.grace * DAY;
      return true;
    }
    if (!person.goodCard && plan.waiting.cents !== 0) return false;
    const end = model.now + days * DAY;
    const payment = charge(person, model.now, takeWaiting(plan), { start: model.now, end });
    const before = membership.period;
    endPeriod(person, before, model.now);
    Object.assign(plan, { anchor: end, month: -1, isTrial: true, addOnPaid: null });
    membership.period = newPeriod(
      { start: model.now, end, tier: membership.tier, before, payment },
      model.terms(membership.tier),
    );
    settle(person.debts, membership.period);
    if (end - model.now > LONGEST_MONTH) person.longTrials.add(end);
    return true;
  },
  'take over': (model, { who, tier, price, addOn }) => {
    const person = model.person(who);
    if (person.isCustomer || person.cards.length > 0 || model.holder(person) !== person) return false;
    person.save('pays');
    const end = stripeMonths(model.now, 1);
    const besides = addOn ? ADD_ON : 0;
    const payment = charge(person, model.now, price + besides, { start: model.now, end });
    const terms = { ...model.terms(tier), price };
    const membership = byCard(model.now, tier, terms, payment ?? newPayment(model.now, 0, 'nothing'));
    if (membership.plan) membership.plan.addOn = besides;
    model.begin(person, membership);
    return true;
  },
  'pay, ended unseen': (model, { who, tier }) => {
    const person = model.person(who);
    if (!model.canJoin(person)) return false;
    // The card is that subscription's own, never the customer's default: a membership on hold is not charged to it.
    person.cards.push({ kind: 'pays' });
    const payment = charge(person, model.now, model.terms(tier).price, 'nothing');
    if (payment) payment.isNoticed = true;
    return true;
  },
} satisfies Partial<Acts<Model>>;

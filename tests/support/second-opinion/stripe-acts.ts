import { DAY, stripeMonths } from './calendar.ts';
import { endPeriod, settle } from './debts.ts';
import type { Acts } from './events.ts';
import { byCard, isEnding, newPayment } from './membership.ts';
import type { Model } from './model.ts';
import { payLate } from './open-payments.ts';
import { newPeriod } from './period.ts';
import { isMember, type Person } from './person.ts';
import { charge } from './stripe-bills.ts';

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

/** Acts of staff in Stripe's dashboard. */
export const stripeActsOfStaff = {
  'end at Stripe': (model, { who, when, paid }) => {
    const person = model.person(who);
    const { membership } = person;
    const plan = membership && !membership.over ? membership.plan : null;
    if (!membership || !plan) return false;
    if (when === 'now') {
      const { open } = plan;
      model.end(person);
      if (paid && open && !open.isDraft && person.card && person.card.kind !== 'declines')
        payLate(model, person, open);
      return true;
    }
    if (plan.onHold || plan.next || plan.move || plan.pause) return false;
    if (when === 'with the period') Object.assign(plan, { cancels: 'by venue', endsAt: null });
    else Object.assign(plan, { cancels: 'no', endsAt: model.now + when * DAY });
    return true;
  },
  'add-on': (model, { who, on }) => {
    const it = steady(model.person(who));
    if (!it || it.plan.isTrial || it.plan.addOn > 0 === on) return false;
    it.plan.addOn = on ? ADD_ON : 0;
    return true;
  },
  trial: (model, { who, days }) => {
    const person = model.person(who);
    const it = steady(person);
    if (!it || it.plan.isTrial || model.now < it.membership.period.start + DAY) return false;
    const { membership, plan } = it;
    const end = model.now + days * DAY;
    const before = membership.period;
    endPeriod(person.debts, before);
    Object.assign(plan, { anchor: end, month: -1, isTrial: true });
    membership.period = newPeriod(
      { start: model.now, end, tier: membership.tier, before },
      model.terms(membership.tier),
    );
    settle(person.debts, membership.period);
    if (end - model.now > LONGEST_MONTH) person.longTrials.add(end);
    return true;
  },
  'take over': (model, { who, tier, price }) => {
    const person = model.person(who);
    if (person.isCustomer || person.cards.length > 0 || model.holder(person) !== person) return false;
    person.save('pays');
    const end = stripeMonths(model.now, 1);
    const payment = charge(person, model.now, price, { start: model.now, end });
    const terms = { ...model.terms(tier), price };
    model.begin(person, byCard(model.now, tier, terms, payment ?? newPayment(model.now, 0, 'nothing')));
    return true;
  },
  'pay, ended unseen': (model, { who, tier }) => {
    const person = model.person(who);
    if (isMember(person) || model.holder(person) !== person) return false;
    person.save('pays');
    const payment = charge(person, model.now, model.terms(tier).price, 'nothing');
    if (payment) payment.isNoticed = true;
    return true;
  },
} satisfies Partial<Acts<Model>>;

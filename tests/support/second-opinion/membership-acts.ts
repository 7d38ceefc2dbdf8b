import { DAY, dayAt, dayStart, HOUR, monthsOn, stripeMonths } from './calendar.ts';
import { rolloverAt } from './club.ts';
import { endPeriod, settle } from './debts.ts';
import { dayNumber, firstDay, paidMonths } from './dues.ts';
import { count, payYear } from './dues-acts.ts';
import type { Acts } from './events.ts';
import {
  byCard,
  endsInPeriod,
  isEnding,
  type Membership,
  monthly,
  newPayment,
  type Plan,
  periodEnd,
  takeWaiting,
  withoutCard,
} from './membership.ts';
import type { Model } from './model.ts';
import { newPeriod } from './period.ts';
import { isMember, type Person } from './person.ts';
import { charge } from './stripe-bills.ts';

/** A person's current card membership; null if none. */
function cardOf(person: Person) {
  const { membership } = person;
  return membership?.plan && !membership.over ? { membership, plan: membership.plan } : null;
}

/** A person's current membership at the venue; null if none, or a gift. */
function venueOf({ membership }: Person): Membership | null {
  return membership && !membership.plan && !membership.isGift && !membership.over ? membership : null;
}

/** The end of a membership at the venue: with what is paid, or with the month if that is not counted. */
function endAtVenue({ setting }: Model, { day, dues, period }: Membership): number {
  return dues ? dayStart(monthsOn(day, dues.until), setting.zone) : period.end;
}

/** The member's own end at the venue: at once if nothing is paid any more. A repeated one changes nothing. */
function cancelAtVenue(model: Model, person: Person, membership: Membership): void {
  if (membership.endsAt !== null && !person.nextCard) return;
  person.nextCard = null;
  const endsAt = endAtVenue(model, membership);
  if (endsAt <= model.now) model.end(person);
  else Object.assign(membership, { endsAt, isCanceled: true });
}

/** The club's default: three months of pause in any twelve. */
const PAUSED_A_YEAR = 3;
/** How far ahead a first charge can be, in seconds: Stripe takes two days to two years. */
const EARLIEST_FIRST_CHARGE = 49 * HOUR;
const LATEST_FIRST_CHARGE = 729 * DAY;
/** The longest pause by the club's default, in months. */
const LONGEST_PAUSE = 3;

/** Any twelve months that end within the pause have no more skipped months than the club allows. */
function mayPause(skipped: number[], from: number, months: number): boolean {
  const next = Array.from({ length: months }, (_, nth) => stripeMonths(from, nth));
  const inTheYearTo = (end: number) =>
    [...skipped, ...next].filter((start) => start <= end && stripeMonths(start, 12) > end).length;
  return next.every((start) => inTheYearTo(start) <= PAUSED_A_YEAR);
}

/** Whether a number of months at the venue ends after today. */
function isAhead(model: Model, { day }: Membership, months: number): boolean {
  return dayNumber(monthsOn(day, months)) > dayNumber(dayAt(model.now, model.setting.zone));
}

/** Changes a pause at the venue. Refused if the membership is unpaid then. */
function changePause(
  model: Model,
  person: Person,
  membership: Membership,
  { from, until }: { from: number; until: number },
): boolean {
  const { dues } = membership;
  if (!dues) return false;
  const changes = [...dues.changes, { from, months: until - (dues.pause?.until ?? from) }];
  if (!isAhead(model, membership, paidMonths({ ...dues, changes }))) return false;
  const skipped = dues.pause?.skipped ?? 0;
  Object.assign(dues, { changes, pause: from < until ? { from, until, skipped } : null });
  count(model, person, membership, dues);
  return true;
}

function pauseAtVenue(model: Model, person: Person, membership: Membership, months: number): boolean {
  const { dues, endsAt, month } = membership;
  if (!dues) return false;
  const { pause } = dues;
  // A repeated request changes nothing.
  if (pause && month < pause.from && pause.until - pause.from === months) return true;
  if (pause || endsAt !== null || dues.next || !isAhead(model, membership, dues.until)) return false;
  const next = { from: month + 1, until: month + 1 + months, skipped: 0 };
  if (!mayPause(person.skippedMonths, firstDay(membership.day, next), months)) return false;
  return changePause(model, person, membership, next);
}

function extendAtVenue(model: Model, person: Person, membership: Membership): boolean {
  const { dues, endsAt, day } = membership;
  if (!dues?.pause || endsAt !== null) return false;
  const { from, until, skipped } = dues.pause;
  const months = until - from + 1;
  const earlier = person.skippedMonths.slice(0, person.skippedMonths.length - skipped);
  if (months > LONGEST_PAUSE || !mayPause(earlier, firstDay(day, dues.pause), months)) return false;
  return changePause(model, person, membership, { from, until: until + 1 });
}

/** Before a pause begins it is taken back; from then on the running month counts again as a whole. */
function returnAtVenue(model: Model, person: Person, membership: Membership): boolean {
  const { dues, month, tier, period } = membership;
  if (!dues?.pause) return true;
  const { from } = dues.pause;
  if (month < from) return changePause(model, person, membership, { from, until: from });
  if (!changePause(model, person, membership, { from, until: month })) return false;
  person.skippedMonths.pop();
  dues.months.pop();
  person.past = person.past.filter((past) => past.period !== period);
  const { start, end } = period;
  const before = dues.months.at(-1) ?? null;
  membership.period = newPeriod({ start, end, tier, before }, model.terms(tier));
  dues.months.push(membership.period);
  settle(person.debts, membership.period);
  return true;
}

/** A year that has not begun is refunded. */
function giveBackYear(plan: Plan): void {
  if (plan.year) plan.year.refunded = plan.year.amount;
  plan.year = null;
}

/** A year that follows the paid month of a card. */
function yearAfterCard(
  model: Model,
  person: Person,
  { membership, plan }: { membership: Membership; plan: Plan },
): boolean {
  const isSteady = !plan.open && !plan.isTrial && !plan.pause && !plan.next && !plan.year;
  if (!isSteady || (isEnding(plan) && !endsInPeriod(plan))) return false;
  const { yearly } = model.terms(membership.tier);
  if (yearly > 12 * membership.price) return false;
  const year = newPayment(model.now, yearly, 'year');
  person.payments.push(year);
  Object.assign(plan, { year, cancels: 'by member', endsAt: null, move: null });
  return true;
}

/** Another tier begins at the venue: months that are paid keep theirs. */
function beginTier(model: Model, person: Person, membership: Membership, tier: string): void {
  Object.assign(membership, { tier, price: model.terms(tier).price });
  model.checkHousehold(person);
}

/** The start, change and end of memberships. */
export const membershipActs = {
  'join by card': (model, { who, tier }) => {
    const person = model.person(who);
    if (!model.canJoin(person)) return false;
    const terms = model.terms(tier);
    person.save('pays');
    const month = { start: model.now, end: stripeMonths(model.now, 1) };
    const payment = charge(person, model.now, terms.price, month) ?? newPayment(model.now, 0, month);
    model.begin(person, byCard(model.now, tier, terms, payment));
    return true;
  },
  'join at the venue': (model, { who, tier, months = 12 }) => {
    const person = model.person(who);
    if (!model.canJoin(person)) return false;
    model.begin(person, withoutCard(model, tier, model.terms(tier), { months, isGift: false }));
    return true;
  },
  'join for a year': (model, { who, tier }) => {
    const person = model.person(who);
    if (!model.canJoin(person)) return false;
    const terms = model.terms(tier);
    const membership = withoutCard(model, tier, terms, { months: 12, isGift: false });
    for (const payment of membership.dues?.payments ?? []) payment.isOnline = true;
    model.begin(person, membership);
    person.payments.push(newPayment(model.now, terms.yearly, 'year'));
    return true;
  },
  redeem: (model, { who, tier, months }) => {
    const person = model.person(who);
    if (isMember(person) || model.holder(person) !== person) return false;
    model.begin(person, withoutCard(model, tier, model.terms(tier), { months, isGift: true }));
    return true;
  },
  'on the house': (model, { who, tier, months }) => {
    const person = model.person(who);
    if (!model.canJoin(person)) return false;
    const given = { months, isGift: true, isOnTheHouse: true };
    model.begin(person, withoutCard(model, tier, model.terms(tier), given));
    return true;
  },
  'pay a year': (model, { who }) => {
    const person = model.person(who);
    const card = cardOf(person);
    return card ? yearAfterCard(model, person, card) : payYear(model, person);
  },
  'to card': (model, { who }) => {
    const person = model.person(who);
    const membership = venueOf(person);
    const dues = membership?.dues;
    if (!membership || !dues || membership.endsAt !== null || dues.pause) return false;
    const { zone } = model.setting;
    const paidUntil = dayStart(monthsOn(membership.day, dues.until), zone);
    if (paidUntil - model.now > LATEST_FIRST_CHARGE) return false;
    const next = dues.next && dues.until >= dues.next.from ? dues.next : membership;
    const { price } = model.terms(next.tier);
    person.save('pays');
    if (paidUntil <= model.now) {
      model.beginCard(person, { at: model.now, tier: next.tier, price });
      return true;
    }
    const at = Math.max(paidUntil, model.now + EARLIEST_FIRST_CHARGE);
    person.nextCard = { at, tier: next.tier, price };
    Object.assign(membership, { endsAt: dayStart(dayAt(at, zone), zone), isCanceled: true });
    return true;
  },
  'tier at the venue': (model, { who, tier }) => {
    const person = model.person(who);
    const membership = venueOf(person);
    const dues = membership?.dues;
    if (!membership || !dues) return false;
    if (dues.pause || membership.endsAt !== null || dues.next || membership.tier === tier) return false;
    if (isAhead(model, membership, dues.until))
      dues.next = { tier, price: model.terms(tier).price, from: dues.until };
    else beginTier(model, person, membership, tier);
    return true;
  },
  'keep tier at the venue': (model, { who }) => {
    const dues = venueOf(model.person(who))?.dues;
    if (!dues) return false;
    dues.next = null;
    return true;
  },
  cancel: (model, { who }) => {
    const person = model.person(who);
    const venue = venueOf(person);
    if (venue) {
      cancelAtVenue(model, person, venue);
      return true;
    }
    // The last day was set with it.
    if (person.membership?.isOnTheHouse && !person.membership.over) return true;
    const card = cardOf(person);
    if (!card) return false;
    if (card.plan.open) model.end(person);
    // An end that comes sooner stays.
    else if (!endsInPeriod(card.plan))
      Object.assign(card.plan, { cancels: 'by member', endsAt: null, next: null, move: null });
    return true;
  },
  resume: (model, { who }) => {
    const person = model.person(who);
    const venue = venueOf(person);
    if (venue) {
      if (venue.endsAt !== null && !venue.isCanceled) return false;
      person.nextCard = null;
      Object.assign(venue, { endsAt: null, isCanceled: false });
      return true;
    }
    const card = cardOf(person);
    if (!card) return false;
    giveBackYear(card.plan);
    Object.assign(card.plan, { cancels: 'no', isEndedByStaff: false, endsAt: null });
    return true;
  },
  'end by staff': (model, { who, now }) => {
    const person = model.person(who);
    const { membership } = person;
    if (!membership || membership.over) return false;
    if (now) {
      if (membership.plan) giveBackYear(membership.plan);
      person.nextCard = null;
      model.end(person);
      return true;
    }
    const { plan, dues } = membership;
    // A repeated end changes nothing.
    if (plan?.isEndedByStaff && endsInPeriod(plan)) return true;
    if (dues && membership.endsAt !== null && !membership.isCanceled) return true;
    if (dues && dues.months.length > dues.until) return false;
    if (plan?.onHold) return false;
    if (plan ? plan.open || endsInPeriod(plan) : membership.endsAt !== null) return false;
    if (plan)
      Object.assign(plan, {
        cancels: 'by venue',
        isEndedByStaff: true,
        endsAt: null,
        next: null,
        move: null,
      });
    else membership.endsAt = endAtVenue(model, membership);
    return true;
  },
  pause: (model, { who, months }) => {
    const person = model.person(who);
    const venue = venueOf(person);
    if (venue) return pauseAtVenue(model, person, venue, months);
    const card = cardOf(person);
    if (!card) return false;
    const { plan } = card;
    const from = periodEnd(plan);
    // A repeated request changes nothing.
    if (plan.pause?.months === months) return true;
    if (plan.pause || isEnding(plan) || plan.open || plan.next || model.now >= from - HOUR) return false;
    if (!mayPause(person.skippedMonths, from, months)) return false;
    plan.pause = { from, until: stripeMonths(plan.anchor, plan.month + 1 + months), months, skipped: 0 };
    return true;
  },
  'extend pause': (model, { who }) => {
    const person = model.person(who);
    const venue = venueOf(person);
    if (venue) return extendAtVenue(model, person, venue);
    const plan = cardOf(person)?.plan;
    const pause = plan?.pause;
    if (!plan || !pause || isEnding(plan) || model.now >= pause.until - HOUR) return false;
    const months = pause.months + 1;
    if (months > LONGEST_PAUSE) return false;
    // The months that it has skipped so far are counted with the rest of it.
    const earlier = person.skippedMonths.slice(0, person.skippedMonths.length - pause.skipped);
    if (!mayPause(earlier, pause.from, months)) return false;
    const until = stripeMonths(plan.anchor, plan.month - pause.skipped + 1 + months);
    Object.assign(pause, { months, until });
    return true;
  },
  return: (model, { who }) => {
    const person = model.person(who);
    const venue = venueOf(person);
    if (venue) return returnAtVenue(model, person, venue);
    const card = cardOf(person);
    if (!card) return false;
    const { membership, plan } = card;
    if (!plan.pause) return true;
    if (!membership.period.skipped) {
      plan.pause = null;
      return true;
    }
    if (!person.goodCard || isEnding(plan) || model.now >= plan.pause.until - HOUR) return false;
    endPeriod(person, membership.period, model.now);
    // A return at the instant the pause begins: there was no pause, and nothing lies between the two periods.
    const isNone = model.now === membership.period.start;
    if (isNone) person.skippedMonths.pop();
    Object.assign(plan, { anchor: model.now, month: 0, pause: null });
    membership.period = newPeriod(
      {
        start: model.now,
        end: periodEnd(plan),
        tier: membership.tier,
        before: isNone ? membership.period.before : null,
        payment: charge(person, model.now, monthly(membership), { start: model.now, end: periodEnd(plan) }),
      },
      model.terms(membership.tier),
    );
    settle(person.debts, membership.period);
    return true;
  },
  'change tier': (model, { who, tier }) => {
    const person = model.person(who);
    const card = cardOf(person);
    if (!card) return false;
    const { membership, plan } = card;
    if (tier === membership.tier || plan.open || isEnding(plan) || plan.next || plan.pause) return false;
    const terms = model.terms(tier);
    if (terms.price <= membership.price) {
      plan.next = { tier, price: terms.price };
      plan.move = null;
      return true;
    }
    // The bank's approval of the difference is not in these sequences.
    if (person.card?.kind === 'asks') return false;
    const { period } = membership;
    const share = (period.end - model.now) / (period.end - period.start);
    const rest = (cents: number, since: number) =>
      Math.round((cents * (period.end - model.now)) / (period.end - since));
    // What an earlier change charged for the rest of the period is what Stripe credits.
    const { raised } = period;
    const credit = raised ? rest(raised.cents, raised.at) : rest(membership.price, period.start);
    const raise = { cents: rest(terms.price, period.start), at: model.now };
    const difference = raise.cents - credit;
    if (!plan.isTrial && !model.chargeNow(person, difference + takeWaiting(plan))) return false;
    period.raised = raise;
    const old = model.terms(membership.tier);
    const added = Math.floor((terms.pours - old.pours) * share);
    period.own.glasses += added;
    // A later change by the venue applies to periods that begin afterwards.
    const [from, to] = [rolloverAt(old, period.tierSince), rolloverAt(terms, model.now)];
    period.tierSince = model.now;
    const rolls = Math.floor((to - from) * share);
    // Fewer pours take away what may roll over with them.
    period.own.mayRoll += added < 0 ? rolls : Math.max(0, rolls);
    settle(person.debts, period);
    membership.tier = tier;
    membership.price = terms.price;
    plan.move = null;
    model.checkHousehold(person);
    return true;
  },
  'keep tier': (model, { who }) => {
    const card = cardOf(model.person(who));
    if (!card) return false;
    card.plan.next = null;
    return true;
  },
} satisfies Partial<Acts<Model>>;

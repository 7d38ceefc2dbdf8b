import { DAY, dayAt, dayStart, stripeMonths } from './calendar.ts';
import { type Club, type Setting, type Terms, termsOf } from './club.ts';
import { collect } from './collect.ts';
import { endPeriod, settle } from './debts.ts';
import { dayNumber, firstDay, graceDays, isSkipped, monthDays } from './dues.ts';
import type { Who } from './events.ts';
import {
  byCard,
  isEnding,
  type Membership,
  monthly,
  newPayment,
  paidUntil,
  venueMonth,
  withoutCard,
} from './membership.ts';
import {
  available,
  left,
  leftByKind,
  madeUp,
  newPeriod,
  type Payment,
  type Period,
  poured,
  total,
  whenPaid,
} from './period.ts';
import { isMember, Person } from './person.ts';
import { charge, lastCharge, nextAtStripe, renew, stripeActs } from './stripe-bills.ts';

export interface Shown {
  access: boolean;
  available: number;
  /** Null without access: nothing can be poured. */
  period: {
    used: number;
    total: number;
    rolled: number;
    rolledLeft: number;
    carried: number;
    whenPaid: number;
    end: number;
  } | null;
  /** The glasses left, by source. */
  grants: Record<string, number>;
  standing: string;
  /** This member's unrefunded card payments, in cents. */
  paid: number;
  /** The card payments, oldest first, as `amount, refunded, bought`. */
  payments: string[];
  /** The staff notices of money: of payments without a membership, and of long trials. */
  notices: string[];
  /** The first day that is not paid at the venue; null if that is not counted. */
  paidUntil: string | null;
  /** The next charge and its time; null for none, or while a charge is open. */
  next: { at: number; amount: number } | null;
}

/**
 * The payments, grants and pours of two people and their consequences by docs/rules: a slow, plain account of one sequence
 * of events, independent of the product.
 */
export class Model {
  readonly club: Club;
  readonly setting: Setting;
  readonly people: [Person, Person] = [new Person(0), new Person(1)];
  now: number;

  constructor(start: number, club: Club, setting: Setting) {
    this.setting = setting;
    this.now = start;
    this.club = club;
  }

  terms(tier: string): Terms {
    return termsOf(this.club, tier);
  }

  person(who: Who): Person {
    return this.people[who];
  }

  other({ who }: Person): Person {
    return this.people[who === 0 ? 1 : 0];
  }

  /** The person with the membership that this one uses: their own or a shared one. */
  holder(person: Person): Person {
    if (isMember(person)) return person;
    const other = this.other(person);
    return other.shares ? other : person;
  }

  /** Whether a person can apply for a membership: they have none, and share none that is running. */
  canJoin(person: Person): boolean {
    const holder = this.holder(person);
    return !isMember(person) && (holder === person || holder.membership?.over !== false);
  }

  hasAccess({ membership }: Person): boolean {
    if (!membership || membership.over) return false;
    const { plan, period, dues } = membership;
    if (period.skipped || plan?.onHold || (dues && this.now >= dues.graceAt)) return false;
    return !plan?.open || plan.grace === null || this.now < plan.grace;
  }

  /** Lets time pass, followed by a sweep of the product. */
  advance(to: number): void {
    for (;;) {
      const due = this.people
        .flatMap((person) => this.dueOf(person))
        .filter(({ at }) => at <= to)
        .sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.now = due.at;
      due.run();
    }
    this.now = to;
    for (const person of this.people) this.see(person);
  }

  private dueOf(person: Person): { at: number; run(): void }[] {
    const { membership, nextCard: card } = person;
    const begins = card ? [{ at: card.at, run: () => this.beginCard(person, card) }] : [];
    if (!membership || membership.over) return begins;
    // What the card takes over from ends first.
    return [...this.dueOfMembership(person, membership), ...begins];
  }

  private dueOfMembership(person: Person, membership: Membership): { at: number; run(): void }[] {
    const { period } = membership;
    const due = period.guests
      .filter(({ state }) => state === 'held')
      .map((guest) => ({
        at: guest.until,
        run: () => {
          guest.state = 'back';
        },
      }));
    const atStripe = nextAtStripe(membership, this.setting.dunning);
    const act = () => {
      if (stripeActs(person, membership, this.now, this)) return this.end(person);
      this.checkHousehold(person);
    };
    if (atStripe !== null) return [...due, { at: atStripe, run: act }];
    const { dues } = membership;
    if (dues) due.push({ at: dues.graceAt, run: () => this.end(person) });
    return [...due, { at: period.end, run: () => this.nextVenueMonth(person, membership) }];
  }

  private nextVenueMonth(person: Person, membership: Membership): void {
    const { period, day, dues } = membership;
    if (membership.endsAt !== null && membership.endsAt <= period.end) {
      this.end(person);
      return;
    }
    membership.month += 1;
    endPeriod(person, period);
    const next = dues?.next;
    if (dues && next && membership.month >= next.from) {
      Object.assign(membership, { tier: next.tier, price: next.price });
      dues.next = null;
    }
    const { month } = membership;
    const skipped = dues !== null && isSkipped(dues, month);
    if (dues?.pause && skipped) {
      person.skippedMonths.push(stripeMonths(firstDay(day, dues.pause), dues.pause.skipped));
      dues.pause.skipped += 1;
    } else if (dues?.pause && month >= dues.pause.until) dues.pause = null;
    membership.period = newPeriod(
      {
        start: period.end,
        end: venueMonth(day, month + 1, this.setting.zone),
        tier: membership.tier,
        before: period,
        skipped,
        paid: !skipped && (!dues || month < dues.until),
        grace: dues ? graceDays(dues, day, month, this.setting) : 0,
        length: monthDays(day, month) * DAY,
      },
      this.terms(membership.tier),
    );
    dues?.months.push(membership.period);
    settle(person.debts, membership.period);
    this.checkHousehold(person);
  }

  /** The effects of a sweep: a failed charge, and the end of its grace. */
  see(person: Person): void {
    this.beginYear(person);
    const plan = person.membership?.plan;
    if (!plan || person.membership?.over) return;
    if (!plan.open || plan.onHold) plan.grace = null;
    else if (plan.grace === null) plan.grace = this.now + this.setting.grace * DAY;
    else if (this.now >= plan.grace) this.end(person);
    collect(this, person);
  }

  /** Ends a membership permanently. */
  end(person: Person): void {
    const { membership } = person;
    if (!membership) return;
    // The product knows the day of the end.
    const { zone } = this.setting;
    const today = dayAt(this.now, zone);
    endPeriod(person, membership.period, dayStart({ ...today, d: today.d + 1 }, zone));
    // A month of a pause that begins on the day of the end at the venue is none.
    if (membership.dues)
      person.skippedMonths = person.skippedMonths.filter((start) => start < dayNumber(today) * DAY);
    person.standingAfter = membership.plan ? 'ended' : 'inactive';
    // An abandoned charge leaves the earlier debt: Stripe adds it to the next payment, of any membership.
    const { plan } = membership;
    for (const { owed } of [plan?.open, ...(plan?.older ?? [])].filter((it) => it != null))
      person.owed += owed;
    if (plan?.year) person.year = { tier: membership.tier, payment: plan.year };
    if (plan) Object.assign(plan, { open: null, older: [], onHold: false, year: null });
    membership.over = true;
  }

  /** A year that follows a card begins once the product has seen the end of that. */
  private beginYear(person: Person): void {
    const { year } = person;
    if (!year) return;
    person.year = null;
    const membership = withoutCard(this, year.tier, this.terms(year.tier), { months: 12, isGift: false });
    for (const payment of membership.dues?.payments ?? []) payment.isOnline = true;
    this.begin(person, membership);
  }

  /** A card takes over from the venue, with its first charge. */
  beginCard(person: Person, { at, tier, price }: NonNullable<Person['nextCard']>): void {
    person.nextCard = null;
    const membership = byCard(at, tier, { ...this.terms(tier), price }, newPayment(at, 0, 'nothing'));
    const { plan } = membership;
    if (!plan) return;
    // Nothing lies before its first month.
    membership.period = newPeriod({ start: at, end: at, tier, skipped: true }, this.terms(tier));
    Object.assign(plan, { month: -1, isTrial: true });
    this.begin(person, membership);
    renew(person, membership, plan, this);
  }

  begin(person: Person, membership: Membership): void {
    // One on hold gives way, and what was paid for it meanwhile is refunded.
    const former = person.membership;
    if (former && !former.over) {
      for (const payment of person.payments)
        if (
          payment.isNoticed &&
          payment.bought !== 'nothing' &&
          payment.at >= (former.plan?.heldAt ?? Infinity)
        )
          payment.refunded = payment.amount;
      this.end(person);
    }
    person.isCustomer = true;
    person.membership = membership;
    for (const payment of membership.dues?.payments ?? [])
      person.venuePayments.push({ of: membership, payment });
    settle(person.debts, membership.period);
    this.unshareFrom(person);
    this.checkHousehold(person);
  }

  /** A membership of their own ends a person's share of the other's. */
  unshareFrom(person: Person): void {
    const holder = this.other(person);
    if (holder.shares) this.unshare(holder);
  }

  /** A tier for one ends sharing. */
  checkHousehold(holder: Person): void {
    const { membership } = holder;
    if (!holder.shares || !membership || membership.over) return;
    if (this.terms(membership.tier).people < 2) this.unshare(holder);
  }

  unshare(holder: Person): void {
    holder.shares = false;
    const partner = this.other(holder);
    for (const guest of holder.membership?.period.guests ?? []) {
      if (guest.state === 'held' && guest.giver === partner.who) guest.state = 'back';
    }
  }

  /** Charges the difference for the rest of the period. False if the card is declined. */
  chargeNow(person: Person, amount: number): boolean {
    if (amount + person.owed >= 50 && !person.goodCard) return false;
    charge(person, this.now, amount, 'change');
    return true;
  }

  show(who: Who): Shown {
    const person = this.person(who);
    const holder = this.holder(person);
    const access = this.hasAccess(holder);
    const { membership } = holder;
    const period = (access && membership?.period) || null;
    const kinds = period ? leftByKind(period) : {};
    return {
      access,
      available: period ? available(period) : 0,
      period: period && this.showPeriod(period, membership?.dues ? membership.tier : period.tier),
      grants: holder === person ? kinds : asPartnerSees(kinds),
      standing: this.standing(holder),
      paid: person.paid,
      payments: person.payments.map(asLine),
      notices: noticesOf(person),
      paidUntil: paidUntil(holder.membership),
      next: this.next(person),
    };
  }

  /** `tier`: the one of the period once it is paid. */
  private showPeriod(period: Period, tier: string): Shown['period'] {
    const carried = madeUp(period.own);
    return {
      used: poured(period) + carried,
      total: total(period),
      rolled: period.rolled?.glasses ?? 0,
      rolledLeft: period.rolled ? left(period.rolled) : 0,
      carried,
      whenPaid: whenPaid(period, this.terms(tier)),
      end: period.end,
    };
  }

  private standing({ membership, standingAfter }: Person): string {
    if (!membership || membership.over) return standingAfter;
    const { plan } = membership;
    if (!plan) return membership.period.skipped ? 'paused' : 'venue';
    if (plan.onHold) return 'suspended';
    if (plan.open) return 'grace';
    if (membership.period.skipped) return 'paused';
    return isEnding(plan) ? 'ending' : 'active';
  }

  private next(person: Person): Shown['next'] {
    const { membership } = person;
    const plan = membership?.plan;
    if (!plan || membership.over || plan.open) return null;
    const end = plan.cancels === 'no' ? plan.endsAt : membership.period.end;
    if (end !== null && end <= membership.period.end) {
      const amount = lastCharge(person, plan, end);
      return amount > 0 ? { at: end, amount } : null;
    }
    const at = plan.pause ? plan.pause.until : membership.period.end;
    if (end !== null && end <= at) return null;
    // A return is charged at the old price; a move comes with a later renewal.
    const move = plan.move && !plan.pause && at >= plan.move.from ? plan.move : null;
    return { at, amount: monthly({ plan, price: (plan.next ?? move ?? membership).price }) };
  }
}

function asLine({ amount, refunded, bought }: Payment): string {
  const what = typeof bought === 'string' ? bought : `${bought.start} to ${bought.end}`;
  return `${amount}, ${refunded} refunded, ${what}`;
}

const noticesOf = ({ payments, longTrials }: Person): string[] => [
  ...payments.flatMap(({ isNoticed, amount }) => (isNoticed ? [`paid_without_membership ${amount}`] : [])),
  ...[...longTrials].map((end) => `long_trial ${end}`),
];

/** A partner does not see why glasses were given. */
const asPartnerSees = ({ correction = 0, given = 0, ...kinds }: Shown['grants']): Shown['grants'] => ({
  ...kinds,
  given: given + correction,
});

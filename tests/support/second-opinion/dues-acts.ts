import { DAY, dayAt, dayStart, monthsOn } from './calendar.ts';
import type { Terms } from './club.ts';
import { type Debt, settle } from './debts.ts';
import {
  type Dues,
  type DuesPayment,
  dayNumber,
  graceDays,
  graceFrom,
  monthDays,
  paidMonths,
} from './dues.ts';
import type { Acts } from './events.ts';
import { type Membership, newPayment } from './membership.ts';
import type { Model } from './model.ts';
import { addRest, advance, type Period, rollOver, takenFrom } from './period.ts';
import type { Person } from './person.ts';

/** The membership whose dues can be paid; null if there is none. */
function countedOf({ membership }: Person) {
  return membership?.dues && !membership.over ? { membership, dues: membership.dues } : null;
}

/** Counts again after a payment, a void, or the change of a pause. */
export function count(model: Model, person: Person, membership: Membership, dues: Dues): void {
  const { day, over } = membership;
  const { zone } = model.setting;
  const until = paidMonths(dues);
  if (until === dues.until) return;
  const [end, today] = [monthsOn(day, until), dayAt(model.now, zone)];
  const isAhead = dayNumber(end) > dayNumber(today);
  const graceAt = graceFrom(until > dues.until || isAhead ? end : today, model.setting);
  // A payment of less than what is overdue leaves the days of grace that run.
  const runs = until > dues.until && !isAhead ? dues.graceAt : graceAt;
  Object.assign(dues, { until, graceAt: Math.max(graceAt, runs) });
  for (const [month, period] of dues.months.entries()) {
    if (period.skipped) continue;
    const isOver = over || month < dues.months.length - 1;
    if (period.paid && month >= until) {
      const share = advance(
        model.terms(period.tier).pours,
        graceDays(dues, day, month, model.setting),
        monthDays(day, month) * DAY,
      );
      unpayMonth(person.debts, period, share, isOver);
    } else if (!period.paid && month < until) {
      // A month that is paid now is one of the tier of now.
      period.tier = membership.tier;
      payMonth(person.debts, period, model.terms(period.tier));
    }
  }
  const current = dues.months.at(-1);
  if (current && !over) rollOver(current);
}

/** Pays a month at the venue, perhaps after its dues were voided: nothing of it is owed any more. */
function payMonth(debts: Debt[], period: Period, terms: Terms): void {
  const { own } = period;
  addRest(period, terms);
  for (const { by } of debts.filter((debt) => debt.advance === own)) {
    for (const grant of by)
      grant.taken = grant.taken.filter((it) => !('owed' in it.by && it.by.owed === own));
  }
  debts.splice(0, debts.length, ...debts.filter((debt) => debt.advance !== own));
  settle(
    debts.filter((debt) => debt.advance.end < own.end),
    period,
  );
}

/** Takes back what paid for a month at the venue. What was poured stays, and is owed once the month is over. */
function unpayMonth(debts: Debt[], period: Period, share: number, isOver: boolean): void {
  const { own, granted } = period;
  const taken = takenFrom(own, (by) => !('pour' in by) || by.pour.voidedAt === null);
  const change = Math.min(0, Math.max(share - granted, taken - own.glasses));
  own.glasses += change;
  period.granted += change;
  Object.assign(period, { paid: false });
  own.kind = 'advance';
  if (!isOver) return;
  for (const debt of debts) debt.by = debt.by.filter((grant) => grant !== own);
  debts.push({ advance: own, by: [] });
}

/** Pays so many months after those that are paid. */
function payFor(
  model: Model,
  person: Person,
  membership: Membership,
  dues: Dues,
  months: number,
): DuesPayment {
  const { until: from } = dues;
  const payment = { from, until: from + months, isVoided: false, changes: dues.changes.length };
  dues.payments.push(payment);
  person.venuePayments.push({ of: membership, payment });
  count(model, person, membership, dues);
  return payment;
}

/** Pays a year online, after what is paid at the venue. */
export function payYear(model: Model, person: Person): boolean {
  const counted = countedOf(person);
  if (!counted) return false;
  const { membership, dues } = counted;
  const today = dayAt(model.now, model.setting.zone);
  const isPaidAhead = dayNumber(monthsOn(membership.day, dues.until)) > dayNumber(monthsOn(today, 12));
  const next = dues.next && dues.until >= dues.next.from ? dues.next : null;
  const { yearly } = model.terms(next?.tier ?? membership.tier);
  if (membership.endsAt !== null || isPaidAhead || yearly > 12 * (next ?? membership).price) return false;
  person.payments.push(newPayment(model.now, yearly, 'year'));
  payFor(model, person, membership, dues, 12).isOnline = true;
  return true;
}

export const duesActs = {
  'pay dues': (model, { who, months }) => {
    // A partner's payment is the holder's.
    const person = model.holder(model.person(who));
    const counted = countedOf(person);
    if (!counted) return false;
    const { membership, dues } = counted;
    const until = dayStart(monthsOn(membership.day, dues.until + months), model.setting.zone);
    if (membership.endsAt !== null && until > membership.endsAt) return false;
    payFor(model, person, membership, dues, months);
    return true;
  },
  // Also after the end, as for a check that bounces.
  'void dues': (model, { who, back }) => {
    const person = model.holder(model.person(who));
    const it = person.venuePayments.filter(({ payment }) => !payment.isVoided).at(-1 - back);
    if (!it?.of.dues || it.payment.isOnline || person.nextCard) return false;
    it.payment.isVoided = true;
    count(model, person, it.of, it.of.dues);
    return true;
  },
} satisfies Partial<Acts<Model>>;

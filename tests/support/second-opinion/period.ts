import { DAY } from './calendar.ts';
import { rolloverAt, type Terms } from './club.ts';

// docs/rules/glasses.md: sources and uses of glasses, and the rest.

export interface Pour {
  at: number;
  glasses: number;
  voidedAt: number | null;
  period: Period;
}

/** What a payment bought: a month of membership, the rest of one with a larger tier, twelve months of dues, or nothing. */
export type Bought = { start: number; end: number } | 'change' | 'year' | 'nothing';

export interface Payment {
  at: number;
  bought: Bought;
  amount: number;
  refunded: number;
  disputed: 'no' | 'open' | 'won' | 'lost';
  /** Staff got a notice of it. */
  isNoticed?: boolean;
}

export interface Guest {
  giver: 0 | 1;
  until: number;
  state: 'held' | 'poured' | 'back';
  /** The grant of the pour. */
  from: Grant;
}

/** A use of glasses: a pour, a waiting guest glass, or the debt of an unpaid month. */
type Cause = { pour: Pour } | { guest: Guest } | { owed: Grant };

export interface Grant {
  kind: 'rollover' | 'correction' | 'given' | 'advance' | 'period';
  /** Includes later additions and removals. */
  glasses: number;
  /** The number that may roll over into the next period. */
  mayRoll: number;
  end: number;
  taken: { glasses: number; by: Cause }[];
}

export interface Period {
  start: number;
  end: number;
  /** The tier at the start of the period. */
  tier: string;
  /** The time from which the current tier counts in the period. */
  tierSince: number;
  /** The latest change within it: what it charged for the rest of the period, and when. */
  raised: { cents: number; at: number } | null;
  paid: boolean;
  /** A month skipped by a pause. */
  skipped: boolean;
  /** The regular card charge. */
  payment: Payment | null;
  /** The tier's glasses, or the part available before the payment. */
  own: Grant;
  /** The tier's glasses so far: all, or the part that is available before the payment. */
  granted: number;
  /** The rolled-over glasses. */
  rolled: Grant | null;
  /** How many of the period's own rolled over into the next one. */
  rolledOn: number;
  given: Grant[];
  pours: Pour[];
  guests: Guest[];
  /** The period whose glasses roll over into this one. */
  before: Period | null;
}

/** A period that is over, and until when pours can have been made in it. */
export interface PastPeriod {
  period: Period;
  until: number;
}

const sum = (numbers: number[]) => numbers.reduce((total, it) => total + it, 0);

const newGrant = (kind: Grant['kind'], glasses: number, end: number, mayRoll = 0): Grant => ({
  kind,
  glasses,
  mayRoll,
  end,
  taken: [],
});

type Beginning = Pick<Period, 'start' | 'end' | 'tier'> &
  Partial<Pick<Period, 'paid' | 'skipped' | 'payment' | 'before'>> & {
    /** The days of grace; none needed for a paid one. */
    grace?: number;
    /** The length in seconds of which the grace is a share, if it is not that from start to end. */
    length?: number;
  };

/** The share of a period's glasses for the days of grace. */
export const advance = (pours: number, grace: number, seconds: number): number =>
  Math.min(pours, Math.ceil((pours * grace * DAY) / seconds));

/** A period of a tier with the current terms. `since`: the time from which its glasses count, if later than its start. */
export function newPeriod(beginning: Beginning, terms: Terms, since = beginning.start): Period {
  const { grace = 0, length = beginning.end - beginning.start, ...given } = beginning;
  const { end, paid = true, skipped = false, before = null } = given;
  const glasses = skipped ? 0 : paid ? terms.pours : advance(terms.pours, grace, length);
  const period: Period = {
    payment: null,
    tierSince: since,
    raised: null,
    ...given,
    paid,
    skipped,
    before,
    own: newGrant(paid ? 'period' : 'advance', glasses, end, rolloverAt(terms, since)),
    granted: glasses,
    rolled: null,
    rolledOn: 0,
    given: [],
    pours: [],
    guests: [],
  };
  rollOver(period);
  return period;
}

/** Rolls over the rest of the previous period, unless already done or its payment was refunded. */
export function rollOver(period: Period): void {
  const { before, rolled, skipped } = period;
  if (rolled || skipped || !before?.paid || before.skipped || isReturned(before.payment)) return;
  const glasses = Math.min(before.own.mayRoll, left(before.own));
  if (glasses <= 0) return;
  period.rolled = newGrant('rollover', glasses, period.end);
  before.rolledOn = glasses;
}

/** Whether the club lost the payment: refunded in full, or disputed and not won. */
function isReturned(payment: Payment | null): boolean {
  if (!payment) return false;
  return payment.refunded >= payment.amount || payment.disputed === 'open' || payment.disputed === 'lost';
}

/** Adds the remaining glasses when a period is paid. */
export function payLater(period: Period, payment: Payment, terms: Terms): void {
  addRest(period, terms);
  period.payment = payment;
}

/** Adds the remaining glasses of the month's own. */
export function addRest(period: Period, terms: Terms): void {
  period.own.glasses += whenPaid(period, terms);
  period.granted = Math.max(period.granted, terms.pours);
  period.own.kind = 'period';
  period.paid = true;
}

/**
 * The glasses added by a payment, at the tier's current number; none if a dearer tier has given more in advance. Glasses
 * taken back by staff stay taken.
 */
export const whenPaid = ({ paid, skipped, granted }: Period, { pours }: Terms): number =>
  paid || skipped ? 0 : Math.max(0, pours - granted);

/** Whether a use still takes its glasses. A void after the end of the period changes nothing. */
const counts = ({ end }: Grant, by: Cause): boolean => {
  if ('pour' in by) return by.pour.voidedAt === null || by.pour.voidedAt >= end;
  return 'owed' in by || by.guest.state === 'held';
};

export const takenFrom = (grant: Grant, which: (by: Cause) => boolean): number =>
  sum(grant.taken.filter(({ by }) => which(by) && counts(grant, by)).map(({ glasses }) => glasses));

export const left = (grant: Grant): number => Math.max(0, grant.glasses - takenFrom(grant, () => true));

/** The glasses poured from a grant and not voided in time. */
export const pouredFrom = (grant: Grant): number => takenFrom(grant, (by) => 'pour' in by);

/** The glasses of a grant that make up for one unpaid month, or all. */
export const madeUp = (grant: Grant, advance?: Grant): number =>
  takenFrom(grant, (by) => 'owed' in by && (!advance || by.owed === advance));

/** The grants in order of use. */
const grantsOf = ({ rolled, given, own }: Period): Grant[] => [...(rolled ? [rolled] : []), ...given, own];

export const available = (period: Period): number => sum(grantsOf(period).map(left));

/** The glasses that a paid period can still give after its end: those not poured, owed or rolled over. */
export function leftForLatePour(period: Period): number {
  if (!period.paid) return 0;
  return Math.max(0, sum(grantsOf(period).map(leftAfterEnd)) - period.rolledOn);
}

/** A void returns a glass even after the end, to a pour that arrives later. */
function leftAfterEnd(grant: Grant): number {
  const taken = grant.taken.filter(({ by }) =>
    'pour' in by ? by.pour.voidedAt === null : counts(grant, by),
  );
  return Math.max(0, grant.glasses - sum(taken.map(({ glasses }) => glasses)));
}

export const total = (period: Period): number => sum(grantsOf(period).map(({ glasses }) => glasses));

/** The glasses left by kind. */
export function leftByKind(period: Period): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const grant of grantsOf(period)) {
    if (left(grant) > 0) kinds[grant.kind] = (kinds[grant.kind] ?? 0) + left(grant);
  }
  return kinds;
}

/** The unvoided glasses poured in a period. */
export const poured = ({ pours }: Period): number =>
  sum(pours.filter(({ voidedAt }) => voidedAt === null).map(({ glasses }) => glasses));

/** Goes through grants until it has found the glasses. */
function from(
  grants: Grant[],
  glasses: number,
  take: (grant: Grant, part: number) => void,
  leftOf = left,
): void {
  let missing = glasses;
  for (const grant of grants) {
    const part = Math.min(missing, leftOf(grant));
    if (part > 0) take(grant, part);
    missing -= part;
  }
}

/** Takes glasses for a pour, or a guest's from where it waits. */
export function spend(period: Period, pour: Pour, guest?: Guest): void {
  if (guest) guest.from.taken.push({ glasses: 1, by: { pour } });
  else from(grantsOf(period), pour.glasses, (grant, glasses) => grant.taken.push({ glasses, by: { pour } }));
}

/** Takes glasses for a pour that arrived after its period had ended. */
export const spendLate = (period: Period, pour: Pour): void =>
  from(
    grantsOf(period),
    pour.glasses,
    (it, glasses) => it.taken.push({ glasses, by: { pour } }),
    leftAfterEnd,
  );

/** Holds a glass for a guest. */
export function hold(period: Period, giver: 0 | 1, until: number): void {
  from(grantsOf(period), 1, (grant, glasses) => {
    const guest: Guest = { giver, until, state: 'held', from: grant };
    period.guests.push(guest);
    grant.taken.push({ glasses, by: { guest } });
  });
}

/** Gives glasses, or takes back those that would be poured last. */
export function give(period: Period, glasses: number, onTheHouse = false): void {
  const kind = onTheHouse ? 'given' : 'correction';
  if (glasses > 0) period.given.push(newGrant(kind, glasses, period.end));
  else
    from(grantsOf(period).reverse(), -glasses, (grant, part) => {
      grant.glasses -= part;
    });
}

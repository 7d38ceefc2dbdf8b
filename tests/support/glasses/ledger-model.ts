import fc from 'fast-check';
import { addMonths, localDate, monthsSince, startOfDay } from '../../../src/domain/calendar.ts';
import {
  advanceOf,
  availableOf,
  type BillingPeriod,
  cardPeriod,
  decideGiven,
  decidePour,
  type Grant,
  inOrderOfSpending,
  leftForLatePour,
  leftOf,
  rolledOver,
  spend,
  venuePeriod,
} from '../../../src/domain/glasses.ts';
import { guestGlassExpiry, guestGlassObstacle } from '../../../src/domain/membership/guest-glass.ts';

// One member's ledger, computed by the domain's functions only, and random lives of members.

export const MONTHLY_POURS = { select: 4, premier: 8, household: 20 };
export type Tier = keyof typeof MONTHLY_POURS;
/** Household has no rollover; select has it from 2024-07-01 on, with fewer glasses from 2026-07-01 on. */
export const LIMITS: Record<Tier, { since: string; glasses: number }[]> = {
  select: [
    { since: '2024-07-01T00:00:00Z', glasses: 3 },
    { since: '2026-07-01T00:00:00Z', glasses: 1 },
  ],
  premier: [{ since: '2000-01-01T00:00:00Z', glasses: 100 }],
  household: [],
};
export const limitAt = (tier: Tier, begins: Date): number =>
  LIMITS[tier].filter(({ since }) => new Date(since) <= begins).at(-1)?.glasses ?? 0;

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Vienna',
  'Asia/Kolkata',
  'Africa/Cairo',
  'Pacific/Auckland',
];

const step = fc.record({
  hours: fc.oneof(fc.integer({ min: 0, max: 48 }), fc.integer({ min: 0, max: 24 * 40 })),
  act: fc.oneof(
    { weight: 4, arbitrary: fc.record({ pour: fc.integer({ min: 1, max: 6 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        pour: fc.integer({ min: 1, max: 3 }),
        late: fc.oneof(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 24 * 31 })),
      }),
    },
    { weight: 2, arbitrary: fc.record({ void: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ give: fc.integer({ min: -5, max: 5 }).filter(Boolean) }) },
    { weight: 2, arbitrary: fc.constant({ hold: true }) },
    { weight: 1, arbitrary: fc.record({ withdraw: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ pourHeld: fc.nat() }) },
    { weight: 1, arbitrary: fc.constant({ look: true }) },
  ),
});
export type Act =
  /** `late`: the hours that it waited for a network. */
  | { pour: number; late?: number }
  | { void: number }
  | { give: number }
  | { hold: true }
  | { withdraw: number }
  | { pourHeld: number }
  | { look: true };

export const life = fc.record({
  tier: fc.constantFrom<Tier>('select', 'premier', 'household'),
  zone: fc.constantFrom(...ZONES),
  began: fc
    .integer({ min: Date.UTC(2024, 0, 1) / 1000, max: Date.UTC(2028, 0, 1) / 1000 })
    .map((seconds) => new Date(seconds * 1000)),
  /** A card member: the days of grace, and the days that the renewal is late. */
  card: fc.option(fc.record({ grace: fc.constantFrom(1, 7, 21), awaited: fc.integer({ min: 0, max: 20 }) }), {
    nil: null,
  }),
  /** At the venue: the days until the membership ends; null while it continues. */
  endsIn: fc.option(fc.integer({ min: 1, max: 80 }), { nil: null }),
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
});
export type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** A grant of the model; the taken glasses are computed from the pours and guest glasses. */
interface ModelGrant extends Grant {
  period: BillingPeriod;
  paid: boolean;
  /** The glasses of it that rolled over. */
  rolledOn?: number;
}
interface ModelPour {
  id: string;
  at: Date;
  from: Map<ModelGrant, number>;
  voided_at: Date | null;
}
interface ModelGuest {
  id: string;
  at: Date;
  expires_at: Date;
  grant: ModelGrant;
  withdrawn: boolean;
  poured: boolean;
}

/** The rules applied to one member, by the domain's functions only. */
export class Model {
  readonly grants: ModelGrant[] = [];
  readonly pours: ModelPour[] = [];
  readonly guests: ModelGuest[] = [];
  private readonly of: Life;
  constructor(of: Life) {
    this.of = of;
  }

  periodAt(now: Date): BillingPeriod {
    const { card, began, zone } = this.of;
    if (card) return cardPeriod(firstCardPeriod(began), now);
    const period = venuePeriod(localDate(began, zone), now, zone);
    return period.start < began && began < period.end ? { ...period, start: began } : period;
  }

  access(now: Date): boolean {
    const { card, began, zone, endsIn } = this.of;
    if (card) return now < accessEnd(this.of);
    return (
      endsIn === null || localDate(now, zone) < localDate(new Date(began.getTime() + endsIn * DAY), zone)
    );
  }

  /** Updates the glasses taken from each grant by then; voids from `voidsBefore` on still count as poured. */
  refresh(now: Date, voidsBefore = Number.POSITIVE_INFINITY): void {
    for (const grant of this.grants) grant.taken = 0;
    for (const { from, voided_at } of this.pours) {
      if (voided_at && voided_at.getTime() < voidsBefore) continue;
      for (const [grant, glasses] of from) grant.taken += glasses;
    }
    for (const it of this.guests) if (this.waits(it, now)) it.grant.taken += 1;
  }

  waits(it: ModelGuest, now: Date): boolean {
    return !it.withdrawn && !it.poured && it.expires_at > now;
  }

  makeDue(now: Date): void {
    if (!this.access(now)) return;
    const running = this.periodAt(now);
    for (const period of this.periodsUntil(running)) {
      if (this.grants.some((it) => it.period.start.getTime() === period.start.getTime())) continue;
      this.makePeriod(period, period.start.getTime() === running.start.getTime());
    }
  }

  private periodsUntil(running: BillingPeriod): BillingPeriod[] {
    const { began, zone, card } = this.of;
    if (card) return [running];
    const first = localDate(began, zone);
    const months = monthsSince(first, localDate(running.start, zone));
    return Array.from({ length: months + 1 }, (_, n) =>
      this.periodAt(startOfDay(addMonths(first, n), zone)),
    ).map((it, n) => (n === 0 ? this.periodAt(began) : it));
  }

  /** A month that is written after its end gets nothing rolled over: it could not be poured in. */
  private makePeriod(period: BillingPeriod, isRunning: boolean): void {
    const { tier, card, began } = this.of;
    const paid = !card || period.start.getTime() === firstCardPeriod(began).start.getTime();
    this.refresh(period.start, period.start.getTime());
    const before = this.grants.findLast(
      (it) => it.kind === 'period' && it.period.end.getTime() === period.start.getTime(),
    );
    const rolled = before?.paid && isRunning ? rolledOver(before) : 0;
    if (before) before.rolledOn = rolled;
    const terms = { period, paid, taken: 0, valid_from: period.start, valid_until: period.end };
    this.grants.push({
      ...terms,
      kind: paid ? 'period' : 'advance',
      glasses: paid ? MONTHLY_POURS[tier] : advanceOf(MONTHLY_POURS[tier], card?.grace ?? 7, period),
      rollable: limitAt(tier, period.start),
    });
    if (rolled > 0) this.grants.push({ ...terms, kind: 'rollover', glasses: rolled, rollable: 0 });
  }

  running(now: Date): ModelGrant[] {
    this.makeDue(now);
    this.refresh(now);
    const { start } = this.periodAt(now);
    return this.grants.filter((it) => it.period.start.getTime() === start.getTime());
  }

  available(now: Date): number {
    return this.access(now) ? availableOf(this.running(now)) : 0;
  }

  pour(id: string, quantity: number, now: Date): string {
    const decision = decidePour(this.access(now), this.available(now), quantity);
    if (decision.outcome === 'recorded') {
      const from = spend(this.running(now), quantity);
      if (!from) throw new Error('Too few, though they were there');
      this.pours.push({ id, at: now, from, voided_at: null });
    }
    return decision.outcome;
  }

  /** A pour that was made at `at`, and arrives now. */
  pourLate(id: string, quantity: number, { at, now }: { at: Date; now: Date }): string {
    const running = this.available(now) > 0 || this.access(now) ? this.periodAt(now) : null;
    this.refresh(now);
    const own = this.grants.findLast(
      (it) =>
        it.kind !== 'rollover' && it.kind !== 'correction' && it.valid_from <= at && at < it.valid_until,
    );
    if (own && !this.hasEndedBy(at) && own.period.start.getTime() !== running?.start.getTime()) {
      const grants = this.grants.filter((it) => it.period.start.getTime() === own.period.start.getTime());
      const from =
        quantity <= leftForLatePour(grants, own.paid, own.rolledOn ?? 0) ? spend(grants, quantity) : null;
      if (from) {
        this.pours.push({ id, at, from, voided_at: null });
        return 'recorded';
      }
    }
    return this.pour(id, quantity, now);
  }

  /** Whether a membership at the venue had ended by then. */
  private hasEndedBy(at: Date): boolean {
    return !this.of.card && !this.access(at);
  }

  give(glasses: number, now: Date): string {
    const outcome = decideGiven(this.access(now), this.available(now), glasses);
    if (outcome !== 'given') return outcome;
    const running = this.running(now);
    const period = this.periodAt(now);
    if (glasses > 0) {
      this.grants.push({
        kind: 'correction',
        glasses,
        rollable: 0,
        taken: 0,
        valid_from: now,
        valid_until: period.end,
        period,
        paid: true,
      });
      return outcome;
    }
    let wanted = -glasses;
    for (const grant of inOrderOfSpending(running).toReversed()) {
      const some = Math.min(wanted, leftOf(grant));
      grant.glasses -= some;
      wanted -= some;
    }
    return outcome;
  }

  hold(id: string, now: Date): ModelGuest | null {
    if (this.available(now) < 1) return null;
    const [grant] = spend(this.running(now), 1)?.keys() ?? [];
    if (!grant) throw new Error('No glass to hold, though one was there');
    const expires_at = guestGlassExpiry(now, this.periodAt(now).end);
    const guest = { id, at: now, expires_at, grant, withdrawn: false, poured: false };
    this.guests.push(guest);
    return guest;
  }

  pourHeld(id: string, it: ModelGuest, now: Date): string {
    if (!this.access(now)) return 'not_active';
    this.running(now);
    const facts = {
      created_at: it.at,
      expires_at: it.expires_at,
      age_stated: true,
      withdrawn: it.withdrawn,
      poured: it.poured,
    };
    if (guestGlassObstacle(facts, this.periodAt(now), now)) return 'guest_glass';
    it.poured = true;
    this.pours.push({ id, at: now, from: new Map([[it.grant, 1]]), voided_at: null });
    return 'recorded';
  }
}

export const firstCardPeriod = (began: Date): BillingPeriod => ({
  start: began,
  end: new Date(began.getTime() + 30 * DAY),
});
export const accessEnd = ({ card, began }: Life): Date =>
  new Date(firstCardPeriod(began).end.getTime() + (card?.awaited ?? 0) * DAY);

import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrantLeft } from '../../../src/domain/membership/grants-text.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { brokenInvariants, type Query } from '../../../torture/invariants.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/glasses.md, "Glasses", of a household, which has 20 glasses a month; here, five of them roll over.

/** For more runs: SEQUENCES=200 npx vitest run --project server tests/server/pours/rollover-sequences.test.ts */
const RUNS = Number(process.env.SEQUENCES ?? 6);
const MONTHLY = 20;
const AT_MOST = 5;

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  await staff.must('PATCH', '/api/tier-settings/household', { rollover_glasses: AT_MOST });
  app.clock.advance({ days: 1 });
});
afterAll(() => app.close());

interface Shown {
  available_pours: number;
  tier_max: number;
  period_pours: number;
  grants: GrantLeft[];
  rolled_pours: number;
  rolled_left: number;
  resets_at: number;
}

const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pour' as const),
      partner: fc.boolean(),
      quantity: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), late: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('give' as const),
      glasses: fc.integer({ min: -9, max: 6 }).filter(Boolean),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('months' as const), months: fc.integer({ min: 1, max: 2 }) }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

/** A household's glasses and their use, from the responses alone: nothing here applies the product's rules. */
class Book {
  given = MONTHLY;
  poured = 0;
  lapsed = 0;
  /** This month's pours. */
  pours: { id: string; quantity: number }[] = [];
  /** Unvoided pours of earlier months. */
  earlier: string[] = [];

  readonly holder: Member;
  readonly partner: Member;

  constructor(holder: Member, partner: Member) {
    this.holder = holder;
    this.partner = partner;
  }

  shown(of = this.holder): Promise<Shown> {
    return of.caller.must('POST', '/api/functions/get-available-pours', { customer_id: of.customer_id });
  }

  async act(it: Act): Promise<void> {
    if (it.do === 'pour') {
      const { customer_id } = it.partner ? this.partner : this.holder;
      const { status, body } = await pour(staff, customer_id, { quantity: it.quantity });
      if (status !== 201) return;
      this.pours.push({ id: (body as { pour: { id: string } }).pour.id, quantity: it.quantity });
      this.poured += it.quantity;
    } else if (it.do === 'void') {
      await this.void(it.late);
    } else if (it.do === 'give') {
      const given = { request_id: app.services.newId(), kind: 'correction', reason: 'Counted wrong' };
      const path = `/api/customers/${this.holder.customer_id}/glasses`;
      const { status } = await staff.call('POST', path, { ...given, glasses: it.glasses });
      if (status < 300) this.given += it.glasses;
    } else {
      for (let month = 0; month < it.months; month++) await this.nextMonth();
    }
  }

  /** Voids the last pour of this month; or, if late, one of an earlier month, which changes nothing shown. */
  async void(late: boolean): Promise<void> {
    const before = await this.shown();
    const id = late ? this.earlier.pop() : this.pours.at(-1)?.id;
    if (!id) return;
    await staff.must('POST', `/api/pours/${id}/void`, { reason: 'Spilled' });
    if (late) expect(await this.shown()).toEqual(before);
    else this.poured -= this.pours.pop()?.quantity ?? 0;
  }

  /** Moves from the last second of the month to the first of the next: the rest rolls over or lapses. */
  async nextMonth(): Promise<void> {
    const { resets_at } = await this.shown();
    app.clock.set(new Date(resets_at * 1000 - 1000).toISOString());
    const last = await this.shown();
    app.clock.set(new Date(resets_at * 1000).toISOString());
    const first = await this.shown();
    expect(first.rolled_pours).toBeLessThanOrEqual(Math.min(AT_MOST, last.available_pours));
    expect(first).toMatchObject({
      tier_max: MONTHLY,
      period_pours: MONTHLY + first.rolled_pours,
      available_pours: MONTHLY + first.rolled_pours,
      rolled_left: first.rolled_pours,
    });
    this.given += MONTHLY;
    this.lapsed += last.available_pours - first.rolled_pours;
    this.earlier.push(...this.pours.map(({ id }) => id));
    this.pours = [];
  }
}

test('over any months, glasses poured, left and lapsed add up to those given, and a household’s two agree', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 20 }), async (acts) => {
      const holder = await venueMember(app, staff, 'household');
      const book = new Book(holder, await shareWith(app, holder));
      for (const one of acts) {
        await book.act(one);
        const shown = await book.shown();
        expect(book.poured + shown.available_pours + book.lapsed).toBe(book.given);
        expect(shown.grants.reduce((sum, { pours }) => sum + pours, 0)).toBe(shown.available_pours);
        // A partner does not see why the club gave a glass.
        const grants = shown.grants.map((it) => (it.kind === 'correction' ? { ...it, kind: 'given' } : it));
        expect(await book.shown(book.partner)).toEqual({ ...shown, grants });
      }
      const query: Query = (text) => rowsOf(app.services.db, sql.raw(text));
      const broken = await brokenInvariants(query, app.services.venue.time_zone);
      expect(broken).toEqual([]);
    }),
    { numRuns: RUNS, seed: Number(process.env.SEED) || undefined },
  );
});

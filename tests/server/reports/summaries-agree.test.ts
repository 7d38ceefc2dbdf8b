import { type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, localDate } from '../../../src/domain/calendar.ts';
import { USUAL_GAP_DAYS } from '../../../src/domain/reports/members-at-risk.ts';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { countUsualVisits } from '../../../src/server/reports/at-risk/usual-gaps.ts';
import { reportPours } from '../../../src/server/reports/pours-report.ts';
import { reportUnused } from '../../../src/server/reports/unused-report.ts';
import { createTestDatabase } from '../../support/harness/database.ts';
import { type Club, type Member, openClub } from './club.ts';
import { type LedgerRows, unusedByRows } from './unused-by-rows.ts';

// docs/rules/reports.md, "Reports", and docs/decisions/reports.md: for any events in any order, and days closed at any
// time, a report equals a count of the rows. Everything happened in 2024, so all of it is late.

const ZONES = ['America/New_York', 'Pacific/Auckland'] as const;
const TIERS = ['select', 'premier', 'household'] as const;
const RANGE = { from: '2024-01-01', to: '2024-12-31' };

let database: OpenDatabase;
let club: Club;
const run = <Row = Record<string, unknown>>(statement: SQL) => rowsOf<Row>(database.db, statement);
beforeAll(async () => {
  database = await createTestDatabase();
  club = await openClub(database.db);
});
afterAll(() => database.close());

const at = fc
  .integer({ min: Date.UTC(2024, 0, 3) / 1000, max: Date.UTC(2024, 8, 30) / 1000 })
  .map((seconds) => new Date(seconds * 1000).toISOString());
const tier = fc.constantFrom(...TIERS);
const zone = fc.constantFrom(...ZONES);
/** The person in a step, by position in the list of people. */
const which = fc.nat({ max: 50 });
/** After the member joined. */
const hours = fc.nat({ max: 24 * 75 });
const glasses = fc.integer({ min: 1, max: 6 });

const step = fc.oneof(
  fc.record({ what: fc.constant('venue member' as const), at, tier }),
  fc.record({ what: fc.constant('card member' as const), at, tier, paid: fc.boolean() }),
  {
    weight: 6,
    arbitrary: fc.record({ what: fc.constant('pour' as const), which, hours, glasses }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('void' as const), which }) },
  fc.record({ what: fc.constant('gift' as const), which, hours, glasses }),
  { weight: 2, arbitrary: fc.record({ what: fc.constant('late payment' as const), which }) },
  fc.record({ what: fc.constant('late tier change' as const), which, tier, glasses }),
  fc.record({ what: fc.constant('early end' as const), which }),
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('close a month' as const), zone, month: fc.nat(11) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const after = ({ joined }: Member, count: number) =>
  new Date(Date.parse(joined) + count * 3_600_000).toISOString();

const STEPS: { [K in Step['what']]: (it: Extract<Step, { what: K }>) => Promise<unknown> } = {
  'venue member': (it) => club.joinAtVenue(it.at, it.tier),
  'card member': (it) => club.joinByCard(it.at, it.tier, it.paid),
  pour: (it) => club.pour(club.someone(it.which), after(club.someone(it.which), it.hours), it.glasses),
  void: (it) => club.voidPour(it.which),
  gift: (it) => club.give(club.someone(it.which), after(club.someone(it.which), it.hours), it.glasses),
  'late payment': (it) => club.payLate(club.someone(it.which)),
  'late tier change': (it) => club.changeTier(club.someone(it.which), it.tier, it.glasses),
  'early end': (it) => club.endEarly(club.someone(it.which)),
  async 'close a month'({ zone: of, month }) {
    await run(sql`select close_report_day(d.day::date, ${of})
      from generate_series(make_date(2024, ${month}::integer + 1, 1)::timestamp,
                           make_date(2024, ${month}::integer + 1, 1) + interval '1 month' - interval '1 day', interval '1 day') d(day)`);
    await countUsualVisits({ db: database.db, venue: { time_zone: of } });
    await expectRightVisits(of);
  },
};

interface Rows extends LedgerRows {
  pours: { customer_id: string; created_at: string; quantity: number }[];
}

/** The rows of this run only, unchanged. */
async function rows(): Promise<Rows> {
  const [found] = await run<{ rows: Rows }>(sql`
    select jsonb_build_object(
      'grants', (select coalesce(jsonb_agg(g), '[]') from glass_grant g),
      'changes', (select coalesce(jsonb_agg(x order by x.created_at, x.id), '[]') from glass_change x),
      'debits', (select coalesce(jsonb_agg(to_jsonb(d) || jsonb_build_object('voided', v.pour_id is not null)), '[]')
                   from glass_debit d left join pour_voids v on v.pour_id = d.pour_id),
      'pours', (select coalesce(jsonb_agg(p), '[]') from pours p where not exists (select from pour_voids v where v.pour_id = p.id))
    ) as rows`);
  return found?.rows as Rows;
}

async function expectRight(timeZone: string): Promise<void> {
  const ctx = {
    db: database.db,
    now: () => new Date('2025-01-15T12:00:00Z'),
    venue: { time_zone: timeZone },
    currency: 'usd',
    readLagging: <T>(work: (db: typeof database.db) => Promise<T>) => work(database.db),
  };
  const known = await rows();
  const { months } = await reportUnused(ctx, RANGE);
  expect(months).toEqual(unusedByRows(known, RANGE, timeZone));
  const poured: Record<string, number> = {};
  for (const { created_at, quantity } of known.pours) {
    const day = localDate(new Date(created_at), timeZone);
    poured[day] = (poured[day] ?? 0) + quantity;
  }
  const { days } = await reportPours(ctx, RANGE);
  expect(Object.fromEntries(days.map((it) => [it.day, it.glasses]))).toEqual(poured);
}

/** Days with a visit in the year that ends with the last one: counted for every visitor, because 2024 is long ago. */
async function expectRightVisits(timeZone: string): Promise<void> {
  const visits = await run<{ customer_id: string; visits: number | null; first_visit: string | null }>(sql`
    select customer_id, visits, first_visit::text from member_visit where visits_zone = ${timeZone} order by 1`);
  const { pours } = await rows();
  const days = new Map<string, string[]>();
  for (const { customer_id, created_at } of pours) {
    const others = days.get(customer_id) ?? [];
    days.set(customer_id, [...others, localDate(new Date(created_at), timeZone)].sort());
  }
  const right = [...days].map(([customer_id, all]) => {
    const since = addDays(all.at(-1) ?? '', -USUAL_GAP_DAYS);
    const counted = [...new Set(all)].filter((day) => day > since);
    return { customer_id, visits: counted.length, first_visit: counted[0] };
  });
  expect(visits).toEqual(right.sort((a, b) => (a.customer_id < b.customer_id ? -1 : 1)));
}

const JANUARY = 0;
const APRIL = 3;
const NEW_YORK = { what: 'close a month', zone: 'America/New_York' } as const;

/** A late pour on a day that only one of the two time zones has, already closed in the other. */
const IN_ONE_ZONE: Step[] = [
  { what: 'venue member', at: '2024-01-03T01:00:00Z', tier: 'select' },
  { ...NEW_YORK, month: JANUARY },
  { what: 'pour', which: 2, hours: 1, glasses: 1 },
  { what: 'close a month', zone: 'Pacific/Auckland', month: JANUARY },
];

/** The next month owes the glasses of an unpaid one; both end in time, and are paid late, one after the other. */
const PAID_LATE: Step[] = [
  { what: 'card member', at: '2024-02-15T12:00:00Z', tier: 'premier', paid: false },
  { what: 'pour', which: 2, hours: 24, glasses: 2 },
  { what: 'pour', which: 2, hours: 24 * 40, glasses: 1 },
  { ...NEW_YORK, month: APRIL },
  { ...NEW_YORK, month: APRIL - 1 },
  { what: 'late payment', which: 2 },
  { what: 'late payment', which: 2 },
];

/** A glass given to a period that was ended early, whose day is closed. */
const GIVEN_AFTER_EARLY_END: Step[] = [
  { what: 'card member', at: '2024-02-15T12:00:00Z', tier: 'premier', paid: true },
  { what: 'early end', which: 2 },
  { ...NEW_YORK, month: 1 },
  { what: 'gift', which: 2, hours: 24, glasses: 1 },
  { what: 'pour', which: 2, hours: 48, glasses: 5 },
  { what: 'void', which: 0 },
];

it('a report agrees with the rows, whatever happened before and after its days were closed', async () => {
  await fc.assert(
    fc.asyncProperty(zone, fc.array(step, { minLength: 10, maxLength: 25 }), async (timeZone, steps) => {
      await club.empty();
      await club.joinAtVenue('2024-01-31T12:00:00Z', 'select');
      await club.joinAtVenue('2024-02-10T12:00:00Z', 'premier');
      for (const it of steps) {
        await (STEPS[it.what] as (input: Step) => Promise<unknown>)(it);
        await expectRight(timeZone);
      }
    }),
    {
      numRuns: 3 + Number(process.env.FC_RUNS ?? 8),
      examples: [
        ['America/New_York', IN_ONE_ZONE],
        ['America/New_York', PAID_LATE],
        ['America/New_York', GIVEN_AFTER_EARLY_END],
      ],
    },
  );
}, 120_000);

import { type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, localDate } from '../../../src/domain/calendar.ts';
import { HABIT_DAYS } from '../../../src/domain/reports/absence.ts';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { reportPours } from '../../../src/server/reports/pours-report.ts';
import { summarizePours } from '../../../src/server/reports/summaries.ts';
import { reportUnused } from '../../../src/server/reports/unused-report.ts';
import { createTestDatabase } from '../../support/harness/database.ts';
import { type Facts, unusedByFacts } from './unused-by-facts.ts';

// docs/rules.md, "Reports", and docs/decisions/0033-report-summaries.md: whatever happens in whatever order, and whenever the
// summaries are made, a report says what one would count from the rows. All of it happened in 2024, so all of it is late.

const ZONES = ['America/New_York', 'Pacific/Auckland'] as const;
const TIERS = ['select', 'premier', 'household'] as const;
const RANGE = { from: '2024-01-01', to: '2024-12-31' };

let database: OpenDatabase;
let staff_id: string;
const run = <Row = Record<string, unknown>>(statement: SQL) => rowsOf<Row>(database.db, statement);
beforeAll(async () => {
  database = await createTestDatabase();
  staff_id = await newUser();
});
afterAll(() => database.close());

async function newUser(): Promise<string> {
  const id = v7();
  await run(sql`insert into profiles (id, name, email, first_name, last_name)
    values (${id}, 'Ada', ${`${id}@venue.test`}, 'Ada', '')`);
  return id;
}

const at = fc
  .integer({ min: Date.UTC(2024, 0, 3) / 1000, max: Date.UTC(2024, 10, 30) / 1000 })
  .map((seconds) => new Date(seconds * 1000).toISOString());
const tier = fc.constantFrom(...TIERS);
/** Whom, or what, a step is about: the so many-th that there is. */
const which = fc.nat({ max: 50 });
const glasses = fc.integer({ min: 1, max: 6 });

const step = fc.oneof(
  fc.record({ what: fc.constant('venue member' as const), at, tier, counted: fc.boolean() }),
  fc.record({
    what: fc.constant('card periods' as const),
    ...{
      which,
      at,
      tier,
      count: fc.integer({ min: 1, max: 3 }),
      paid: fc.boolean(),
      carried: fc.nat({ max: 2 }),
    },
  }),
  {
    weight: 6,
    arbitrary: fc.record({ what: fc.constant('pour' as const), which, at, glasses, shared: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('void' as const), which }) },
  fc.record({ what: fc.constant('gift' as const), which, at, glasses }),
  fc.record({ what: fc.constant('late payment' as const), which }),
  fc.record({ what: fc.constant('change of tier' as const), which, at, tier, glasses }),
  fc.record({ what: fc.constant('roll over' as const), which, glasses }),
  fc.record({ what: fc.constant('end' as const), which, at }),
  fc.record({ what: fc.constant('adopt' as const), which }),
  fc.record({ what: fc.constant('more glasses' as const), tier, at }),
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('summarize' as const), zone: fc.constantFrom(...ZONES) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let customers: string[];
const member = (number: number) => customers[number % customers.length] ?? '';

async function newMember(day: string): Promise<string> {
  const id = v7();
  await run(sql`insert into customers (id, user_id, tier, status, member_since, created_at)
    values (${id}, ${await newUser()}, 'select', 'active', ${day}, ${day})`);
  customers.push(id);
  return id;
}

/** Does one step to the database, as the product's verbs would. */
const STEPS: { [K in Step['what']]: (it: Extract<Step, { what: K }>) => Promise<unknown> } = {
  async 'venue member'({ at: joined, tier: of, counted }) {
    const day = joined.slice(0, 10);
    await run(sql`insert into memberships (id, customer_id, tier, start_date, counted_from, status, monthly_price_cents)
      values (${v7()}, ${await newMember(day)}, ${of}, ${day},
              ${counted ? sql`(${day}::date + interval '2 months')::date` : null}, 'active', 100)`);
  },
  'card periods': ({ which: of, at: first, tier: began_with, count, paid, carried }) =>
    run(sql`insert into allowance_period (customer_id, starts_at, ends_at, stripe_subscription_id, tier, paid, carried_pours)
      select ${member(of)}, ${first}::timestamptz + make_interval(months => n), ${first}::timestamptz + make_interval(months => n + 1),
             ${`sub_${member(of)}`}, ${began_with}, ${paid} or n > 0, ${carried} from generate_series(0, ${count - 1}::integer) n
          on conflict do nothing`),
  pour: ({ which: of, at: poured, glasses: quantity, shared }) =>
    run(sql`insert into pours (id, request_id, customer_id, pool_id, quantity, location, toast_reference_number, status,
                               recorded_by_staff_id, created_at)
      values (${v7()}, ${v7()}, ${member(of)}, ${shared && customers.length > 1 ? member(of + 1) : null}, ${quantity}, 'main_bar',
              'POUR-1', 'redeemed', ${staff_id}, ${poured})`),
  void: ({ which: of }) =>
    run(sql`insert into pour_voids (pour_id, reason, voided_by_staff_id, created_at)
      select p.id, 'mistake', ${staff_id}, now() from pours p
       where p.customer_id in (${ids()}) and not exists (select from pour_voids v where v.pour_id = p.id)
       order by p.id offset ${of % 7} limit 1`),
  gift: ({ which: of, at: given, glasses: count }) =>
    run(sql`insert into allowance_gift (id, request_id, customer_id, kind, glasses, given_by_staff_id, created_at)
      values (${v7()}, ${v7()}, ${member(of)}, 'comp', ${count}, ${staff_id}, ${given})`),
  'late payment': ({ which: of }) =>
    run(
      sql`update allowance_period set paid = true, carried_pours = 0 where customer_id = ${member(of)} and not paid`,
    ),
  async 'change of tier'({ which: of, at: since, tier: to, glasses: count }) {
    await run(sql`insert into allowance_change (id, customer_id, period_starts_at, to_tier, glasses, prorated_at, created_at)
      select ${v7()}, customer_id, starts_at, ${to}, ${count}, starts_at, now() from allowance_period
       where customer_id = ${member(of)} order by starts_at limit 1`);
    // At the venue: noted when it happens, so before the days after it are summarized.
    if ((await kept()) > 0) return;
    await run(sql`insert into membership_term (membership_id, since, tier, monthly_price_cents, standing)
      select id, ${since}, ${to}, 200, 'venue' from memberships where customer_id = ${member(of)} and start_date < ${since}::date
          on conflict do nothing`);
  },
  // As the first pour of a period does.
  'roll over': ({ which: of, glasses: count }) =>
    run(sql`with first as (
        insert into allowance_rollover (customer_id, period_starts_at, from_starts_at, tier, glasses, created_at)
        select customer_id, starts_at, starts_at - interval '1 month', tier, ${count}, starts_at from allowance_period
         where customer_id = ${member(of)} order by starts_at limit 1 on conflict do nothing returning *)
      insert into pours (id, request_id, customer_id, quantity, location, toast_reference_number, status, recorded_by_staff_id, created_at)
      select ${v7()}, ${v7()}, customer_id, 1, 'main_bar', 'POUR-1', 'redeemed', ${staff_id}, period_starts_at from first`),
  end: ({ which: of, at: day }) =>
    run(
      sql`update memberships set end_date = greatest(start_date, ${day}::date), status = 'ended' where customer_id = ${member(of)}`,
    ),
  adopt: ({ which: of }) =>
    run(
      sql`update memberships set stripe_subscription_id = ${`sub_m_${member(of)}`} where customer_id = ${member(of)}`,
    ),
  async 'more glasses'({ tier: of, at: until }) {
    // Written when it happens, like the terms.
    if ((await kept()) > 0) return;
    await run(sql`insert into tier_glasses (tier_name, until, glasses)
      select tier_name, ${until}, monthly_pours from tier_definitions where tier_name = ${of} on conflict do nothing`);
    await run(sql`update tier_definitions set monthly_pours = monthly_pours + 1 where tier_name = ${of}`);
  },
  async summarize({ zone }) {
    await summarizePours({ db: database.db, timeZone: zone });
    await expectRightHabits(zone);
  },
};

const ids = () =>
  sql.join(
    customers.map((id) => sql`${id}::uuid`),
    sql`, `,
  );

const kept = async () => database.db.$count(sql`summary_period` as never);

/** The rows of this run alone, as they are. */
async function facts(): Promise<Facts> {
  const [found] = await run<{ facts: Facts }>(sql`
    select jsonb_build_object(
      'tiers', (select jsonb_agg(t) from tier_definitions t),
      'tier_glasses', (select coalesce(jsonb_agg(t), '[]') from tier_glasses t),
      'memberships', (select coalesce(jsonb_agg(m), '[]') from memberships m),
      'terms', (select coalesce(jsonb_agg(t), '[]') from membership_term t),
      'periods', (select coalesce(jsonb_agg(a), '[]') from allowance_period a),
      'changes', (select coalesce(jsonb_agg(x), '[]') from allowance_change x),
      'gifts', (select coalesce(jsonb_agg(g), '[]') from allowance_gift g),
      'rolled', (select coalesce(jsonb_agg(r), '[]') from allowance_rollover r),
      'pours', (select coalesce(jsonb_agg(p), '[]') from pours p where not exists (select from pour_voids v where v.pour_id = p.id))
    ) as facts`);
  return found?.facts as Facts;
}

async function expectRight(zone: string): Promise<void> {
  const ctx = {
    db: database.db,
    now: () => new Date('2025-01-15T12:00:00Z'),
    timeZone: zone,
    currency: 'usd',
    readLagging: <T>(work: (db: typeof database.db) => Promise<T>) => work(database.db),
  };
  const known = await facts();
  const { months } = await reportUnused(ctx, RANGE);
  expect(months).toEqual(unusedByFacts(known, RANGE, zone));
  const poured: Record<string, number> = {};
  for (const { created_at, quantity } of known.pours) {
    const day = localDate(new Date(created_at), zone);
    poured[day] = (poured[day] ?? 0) + quantity;
  }
  const { days } = await reportPours(ctx, RANGE);
  expect(Object.fromEntries(days.map((it) => [it.day, it.glasses]))).toEqual(poured);
}

/** Days with a visit in the year that ends with the last one: counted for everyone who came, as 2024 is long ago. */
async function expectRightHabits(zone: string): Promise<void> {
  const visits = await run<{ customer_id: string; visits: number | null; first_visit: string | null }>(sql`
    select customer_id, visits, first_visit::text from member_visit where habit_zone = ${zone} order by 1`);
  const { pours } = await facts();
  const days = new Map<string, string[]>();
  for (const { customer_id, created_at } of pours) {
    const others = days.get(customer_id) ?? [];
    days.set(customer_id, [...others, localDate(new Date(created_at), zone)].sort());
  }
  const right = [...days].map(([customer_id, all]) => {
    const since = addDays(all.at(-1) ?? '', -HABIT_DAYS);
    const counted = [...new Set(all)].filter((day) => day > since);
    return { customer_id, visits: counted.length, first_visit: counted[0] };
  });
  expect(visits).toEqual(right.sort((a, b) => (a.customer_id < b.customer_id ? -1 : 1)));
}

/** A pour that comes late, on a day that only one of the two time zones has, and is seen by the summary of the other. */
const IN_ONE_ZONE: Step[] = [
  { what: 'venue member', at: '2024-01-03T12:00:00Z', tier: 'select', counted: false },
  { what: 'summarize', zone: 'America/New_York' },
  { what: 'pour', which: 0, at: '2024-01-03T02:00:00Z', glasses: 1, shared: false },
  { what: 'summarize', zone: 'Pacific/Auckland' },
];

it('a report agrees with the rows, whatever happened before and after it was summarized', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.array(step, { minLength: 10, maxLength: 25 }),
      async (zone, steps) => {
        // The ledger only grows, except here.
        await run(sql`truncate pours, pour_voids, allowance_gift, allowance_rollover, allowance_change, allowance_period,
          memberships, membership_term, customers, pour_summary, unused_summary, summary_period, summary_stale, unused_stale,
          tier_glasses cascade`);
        customers = [];
        for (const [place, joined] of ['2024-01-31', '2024-02-10'].entries()) {
          await STEPS['venue member']({
            what: 'venue member',
            at: `${joined}T12:00:00Z`,
            tier: TIERS[place] ?? 'select',
            counted: false,
          });
        }
        for (const it of steps) {
          await (STEPS[it.what] as (input: Step) => Promise<unknown>)(it);
          await expectRight(zone);
        }
      },
    ),
    { numRuns: 1 + Number(process.env.FC_RUNS ?? 8), examples: [['America/New_York', IN_ONE_ZONE]] },
  );
}, 120_000);

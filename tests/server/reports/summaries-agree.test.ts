import { type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, localDate } from '../../../src/domain/calendar.ts';
import { HABIT_DAYS } from '../../../src/domain/reports/absence.ts';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { countHabits } from '../../../src/server/reports/habits.ts';
import { reportPours } from '../../../src/server/reports/pours-report.ts';
import { reportUnused } from '../../../src/server/reports/unused-report.ts';
import { createTestDatabase } from '../../support/harness/database.ts';
import { type LedgerRows, unusedByRows } from './unused-by-rows.ts';

// docs/rules.md, "Reports", and docs/decisions/0033-report-summaries.md: whatever happens in whatever order, and whenever days
// are closed, a report says what one would count from the rows. All of it happened in 2024, so all of it is late.

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
  .integer({ min: Date.UTC(2024, 0, 3) / 1000, max: Date.UTC(2024, 8, 30) / 1000 })
  .map((seconds) => new Date(seconds * 1000).toISOString());
const tier = fc.constantFrom(...TIERS);
const zone = fc.constantFrom(...ZONES);
/** Whom a step is about: the so many-th that there is. */
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

interface Member {
  customer_id: string;
  membership_id: string;
  joined: string;
}
let members: Member[];
const someone = (number: number) => members[number % members.length] as Member;
const after = ({ joined }: Member, count: number) =>
  new Date(Date.parse(joined) + count * 3_600_000).toISOString();

async function newMember(joined: string, of: string, subscription: string | null): Promise<Member> {
  const [customer_id, membership_id, day] = [v7(), v7(), joined.slice(0, 10)];
  await run(sql`insert into customers (id, user_id, tier, status, member_since, created_at)
    values (${customer_id}, ${await newUser()}, ${of}, 'active', ${day}, ${day})`);
  await run(sql`insert into memberships (id, customer_id, tier, start_date, began_at, status, monthly_price_cents, stripe_subscription_id)
    values (${membership_id}, ${customer_id}, ${of}, ${day}, ${joined}, 'active', 100, ${subscription})`);
  members.push({ customer_id, membership_id, joined });
  return someone(members.length - 1);
}

const call = (name: string, input: object) =>
  run(sql`select ${sql.identifier(name)}(${JSON.stringify({ ...input, time_zone: 'UTC' })}::jsonb)`);

/** What billing does once it has changed a grant. */
const touch = (id: string) => run(sql`select touch_report_day(variadic grant_ends(${id}::uuid))`);

/** The first or last grant of a month of a member. */
const grantOf = async ({ membership_id }: Member, which: 'first unpaid' | 'last') =>
  (
    await run<{ id: string }>(
      which === 'last'
        ? sql`select id from glass_grant where membership_id = ${membership_id} and kind in ('period', 'advance')
               order by valid_from desc limit 1`
        : sql`select id from glass_grant g where membership_id = ${membership_id} and kind = 'advance'
                 and not exists (select from glass_change x where x.grant_id = g.id and x.kind = 'paid')
               order by valid_from limit 1`,
    )
  )[0]?.id;

/** Does one step to the database: by the functions of the product, or as billing does. */
const STEPS: { [K in Step['what']]: (it: Extract<Step, { what: K }>) => Promise<unknown> } = {
  'venue member': ({ at: joined, tier: of }) => newMember(joined, of, null),
  // Their first month as billing writes it; what follows is due.
  async 'card member'({ at: joined, tier: of, paid }) {
    const id = `sub_${v7()}`;
    const { customer_id, membership_id } = await newMember(joined, of, id);
    const ends = sql`((${joined}::timestamptz at time zone 'UTC' + interval '1 month') at time zone 'UTC')`;
    await run(sql`insert into billing_subscription (stripe_subscription_id, user_id, tier, status, cancel_at_period_end,
        current_period_start, current_period_end, access_until, amount_cents, currency, stripe_price_id, created_at, synced_at)
      select ${id}, user_id, ${of}, 'active', false, ${joined}, ${ends}, ${ends} + interval '27 days', 100, 'usd', 'price_1', ${joined}, ${joined}
        from customers where id = ${customer_id}`);
    const grant = v7();
    await run(sql`insert into glass_grant (id, customer_id, membership_id, kind, tier, glasses, period, valid_from, valid_until, grace_days, created_at)
      values (${grant}, ${customer_id}, ${membership_id}, ${paid ? 'period' : 'advance'}, ${of}, ${paid ? 4 : 2},
              ${joined.slice(0, 10)}, ${joined}, ${ends}, 7, ${joined})`);
    await touch(grant);
  },
  pour: ({ which: number, hours: count, glasses: quantity }) =>
    call('record_pour', {
      pour: {
        ...{
          id: v7(),
          request_id: v7(),
          customer_id: someone(number).customer_id,
          quantity,
          location: 'main_bar',
          place: 'main_bar',
        },
        ...{ toast_reference_number: 'POUR-1', status: 'redeemed', recorded_by_staff_id: staff_id },
        created_at: after(someone(number), count),
      },
    }),
  async void({ which: number }) {
    const [poured] = await run<{ id: string }>(sql`select p.id from pours p
       where p.customer_id in (${ids()}) and not exists (select from pour_voids v where v.pour_id = p.id)
       order by p.id offset ${number % 7} limit 1`);
    if (!poured) return;
    const created_at = new Date().toISOString();
    await call('void_pour', {
      void: { pour_id: poured.id, reason: 'mistake', voided_by_staff_id: staff_id, created_at },
    });
  },
  gift: ({ which: number, hours: count, glasses: given }) =>
    call('give_glasses', {
      gift: {
        ...{
          id: v7(),
          request_id: v7(),
          customer_id: someone(number).customer_id,
          kind: 'comp',
          glasses: given,
        },
        ...{ given_by_staff_id: staff_id, created_at: after(someone(number), count) },
      },
    }),
  async 'late payment'({ which: number }) {
    const id = await grantOf(someone(number), 'first unpaid');
    if (!id) return;
    await run(
      sql`insert into glass_change (id, grant_id, kind, glasses, created_at) values (${v7()}, ${id}, 'paid', 3, now())`,
    );
    await run(sql`select settle_owed(${id})`);
    await touch(id);
  },
  async 'late tier change'({ which: number, tier: to, glasses: more }) {
    const id = await grantOf(someone(number), 'last');
    if (!id) return;
    await run(sql`insert into glass_change (id, grant_id, kind, glasses, to_tier, prorated_at, created_at)
      values (${v7()}, ${id}, 'tier_change', ${more}, ${to}, now(), now())`);
    await touch(id);
  },
  async 'early end'({ which: number }) {
    const id = await grantOf(someone(number), 'last');
    if (!id) return;
    await run(sql`insert into glass_change (id, grant_id, kind, valid_until, created_at)
      select ${v7()}, id, 'ended', valid_from + (valid_until - valid_from) / 3, now() from glass_grant where id = ${id}`);
    await touch(id);
  },
  async 'close a month'({ zone: of, month }) {
    await run(sql`select close_report_day(d.day::date, ${of})
      from generate_series(make_date(2024, ${month}::integer + 1, 1)::timestamp,
                           make_date(2024, ${month}::integer + 1, 1) + interval '1 month' - interval '1 day', interval '1 day') d(day)`);
    await countHabits({ db: database.db, timeZone: of });
    await expectRightHabits(of);
  },
};

const ids = () =>
  sql.join(
    members.map(({ customer_id }) => sql`${customer_id}::uuid`),
    sql`, `,
  );

interface Rows extends LedgerRows {
  pours: { customer_id: string; created_at: string; quantity: number }[];
}

/** The rows of this run alone, as they are. */
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
    timeZone,
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

/** Days with a visit in the year that ends with the last one: counted for everyone who came, as 2024 is long ago. */
async function expectRightHabits(timeZone: string): Promise<void> {
  const visits = await run<{ customer_id: string; visits: number | null; first_visit: string | null }>(sql`
    select customer_id, visits, first_visit::text from member_visit where habit_zone = ${timeZone} order by 1`);
  const { pours } = await rows();
  const days = new Map<string, string[]>();
  for (const { customer_id, created_at } of pours) {
    const others = days.get(customer_id) ?? [];
    days.set(customer_id, [...others, localDate(new Date(created_at), timeZone)].sort());
  }
  const right = [...days].map(([customer_id, all]) => {
    const since = addDays(all.at(-1) ?? '', -HABIT_DAYS);
    const counted = [...new Set(all)].filter((day) => day > since);
    return { customer_id, visits: counted.length, first_visit: counted[0] };
  });
  expect(visits).toEqual(right.sort((a, b) => (a.customer_id < b.customer_id ? -1 : 1)));
}

const JANUARY = 0;
const APRIL = 3;
const NEW_YORK = { what: 'close a month', zone: 'America/New_York' } as const;

/** A pour that comes late, on a day that only one of the two time zones has, and that is closed in the other. */
const IN_ONE_ZONE: Step[] = [
  { what: 'venue member', at: '2024-01-03T01:00:00Z', tier: 'select' },
  { ...NEW_YORK, month: JANUARY },
  { what: 'pour', which: 2, hours: 1, glasses: 1 },
  { what: 'close a month', zone: 'Pacific/Auckland', month: JANUARY },
];

/** Glasses of a month that is not paid are owed by the next; both end in time, and are paid late, one after the other. */
const PAID_LATE: Step[] = [
  { what: 'card member', at: '2024-02-15T12:00:00Z', tier: 'premier', paid: false },
  { what: 'pour', which: 2, hours: 24, glasses: 2 },
  { what: 'pour', which: 2, hours: 24 * 40, glasses: 1 },
  { ...NEW_YORK, month: APRIL },
  { ...NEW_YORK, month: APRIL - 1 },
  { what: 'late payment', which: 2 },
  { what: 'late payment', which: 2 },
];

it('a report agrees with the rows, whatever happened before and after its days were closed', async () => {
  await fc.assert(
    fc.asyncProperty(zone, fc.array(step, { minLength: 10, maxLength: 25 }), async (timeZone, steps) => {
      // The ledger only grows, except here.
      await run(sql`truncate glass_grant, glass_change, glass_debit, pours, pour_voids, given_glasses, memberships, membership_term,
        customers, billing_subscription, pour_summary, unused_summary, closed_day cascade`);
      members = [];
      for (const [place, joined] of ['2024-01-31', '2024-02-10'].entries()) {
        await newMember(`${joined}T12:00:00Z`, TIERS[place] ?? 'select', null);
      }
      for (const it of steps) {
        await (STEPS[it.what] as (input: Step) => Promise<unknown>)(it);
        await expectRight(timeZone);
      }
    }),
    {
      numRuns: 2 + Number(process.env.FC_RUNS ?? 8),
      examples: [
        ['America/New_York', IN_ONE_ZONE],
        ['America/New_York', PAID_LATE],
      ],
    },
  );
}, 120_000);

import { sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportName } from '../../../src/contract/staff/reports.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { findAtRisk } from '../../../src/server/reports/at-risk/members-at-risk.ts';
import { closeDays } from '../../../src/server/reports/closed-days.ts';
import { reportMembers } from '../../../src/server/reports/members-report.ts';
import { reportPours } from '../../../src/server/reports/pours-report.ts';
import { exportReport } from '../../../src/server/reports/report-files.ts';
import type { ReportsContext } from '../../../src/server/reports/reports-context.ts';
import { reportRevenue } from '../../../src/server/reports/revenue-report.ts';
import { getTonight } from '../../../src/server/reports/tonight-report.ts';
import { reportUnused } from '../../../src/server/reports/unused-report.ts';
import { createTestDatabase, type TestDatabase } from '../../support/harness/database.ts';

/** March 2026 in New York. The clocks go forward on the 8th: at 2:00, Eastern Standard becomes Daylight Time. */
const ZONE = 'America/New_York';
const MARCH = { from: '2026-03-01', to: '2026-03-31' };
const NOW = '2026-04-02T12:00:00-04:00';

/** Select gives 4 glasses a month, Premier 8, Household 20. Di moved from Elite to Household on the 20th. */
const MEMBERSHIPS: [string, tier: string, cents: number, from: string, until: string | null][] = [
  ['Ana', 'select', 3900, '2025-12-10', null],
  ['Ben', 'premier', 6900, '2026-02-15', '2026-03-15'],
  ['Cy', 'select', 3900, '2026-03-05', null],
  ['Di', 'elite', 10900, '2026-01-31', null],
  ['Eli', 'select', 3900, '2025-11-01', '2026-03-10'],
  ['Eli', 'premier', 6900, '2026-03-25', null],
];

const LONG_AGO = '2025-12-20T19:00:00-05:00';
const POURS: [string, glasses: number, place: string, bartender: 'Sam' | 'Tea', at: string][] = [
  ['Eli', 1, 'main_bar', 'Sam', LONG_AGO],
  ['Ana', 2, 'main_bar', 'Sam', '2026-02-28T23:30:00-05:00'],
  ['Ana', 1, 'main_bar', 'Sam', '2026-03-01T00:30:00-05:00'],
  ['Ben', 2, 'main_bar', 'Sam', '2026-03-07T23:30:00-05:00'],
  ['Cy', 1, 'tasting_room', 'Tea', '2026-03-08T01:30:00-05:00'],
  ['Di', 1, 'tasting_room', 'Tea', '2026-03-08T03:30:00-04:00'],
  ['Di', 3, 'private_event', 'Sam', '2026-03-08T23:30:00-04:00'],
  ['Ben', 1, 'on the house', 'Sam', '2026-03-12T19:00:00-04:00'],
  ['Ana', 1, 'main_bar', 'Sam', '2026-03-20T19:00:00-04:00'],
  ['Cy', 2, 'main_bar', 'Tea', '2026-03-31T23:59:00-04:00'],
  ['Cy', 1, 'on the house', 'Tea', '2026-04-01T00:00:00-04:00'],
  ['Cy', 1, 'main_bar', 'Tea', '2026-04-01T00:01:00-04:00'],
  ['Cy', 1, 'main_bar', 'Tea', '2026-04-02T05:59:00-04:00'],
  ['Di', 2, 'main_bar', 'Sam', '2026-04-02T07:00:00-04:00'],
];
/** Ana's pour of the 20th was voided. */
const VOIDED = '2026-03-20T19:00:00-04:00';

const MARCH_DAYS = [
  { day: '2026-03-01', pours: 1, glasses: 1 },
  { day: '2026-03-07', pours: 1, glasses: 2 },
  { day: '2026-03-08', pours: 3, glasses: 5 },
  { day: '2026-03-31', pours: 1, glasses: 2 },
];

let database: TestDatabase;
let ctx: ReportsContext;
let staff: Record<'Sam' | 'Tea', string>;
const run = <Row = { id: string }>(statement: ReturnType<typeof sql>) => rowsOf<Row>(database.db, statement);

/** Calls one of the product's SQL functions, which write to the ledger. */
async function ledger(name: 'record_pour' | 'void_pour' | 'give_glasses', input: object): Promise<void> {
  const given = JSON.stringify({ ...input, time_zone: ZONE });
  const [row] = await run<{ outcome: string }>(
    sql`select ${sql.identifier(name)}(${given}::jsonb)->>'outcome' as outcome`,
  );
  expect(row?.outcome).toBe({ record_pour: 'recorded', void_pour: 'voided', give_glasses: 'given' }[name]);
}

async function person(first_name: string): Promise<string> {
  const [row] = await run(sql`insert into profiles (id, name, email, first_name, last_name)
    values (gen_random_uuid(), ${first_name}, ${`${first_name}@venue.test`}, ${first_name}, '') returning id`);
  return row!.id;
}

async function voidPour(at: string): Promise<void> {
  const [row] = await run(sql`select id from pours where created_at = ${at}`);
  await ledger('void_pour', {
    void: { pour_id: row!.id, reason: 'mistake', voided_by_staff_id: staff.Sam, created_at: NOW },
  });
}

const give = (customer_id: string, glasses: number, created_at: string) =>
  ledger('give_glasses', {
    given: {
      ...{ id: v7(), request_id: v7(), customer_id, kind: 'comp', glasses },
      ...{ given_by_staff_id: staff.Sam, created_at },
    },
  });

/** A membership with its pours, from its first day to its last. */
async function live(customer_id: string, of: (typeof MEMBERSHIPS)[number]): Promise<void> {
  const [name, tier, cents, from, until] = of;
  await run(
    sql`update customers set tier = ${tier}, status = 'active', member_since = ${from} where id = ${customer_id}`,
  );
  const [membership] =
    await run(sql`insert into memberships (id, customer_id, tier, start_date, status, monthly_price_cents)
    values (gen_random_uuid(), ${customer_id}, ${tier}, ${from}, 'active', ${cents}) returning id`);
  for (const [who, quantity, place, bartender, created_at] of POURS) {
    if (who !== name || created_at < from || (until && created_at >= until)) continue;
    const recorded_by_staff_id = staff[bartender];
    if (place === 'on the house') await give(customer_id, quantity, created_at);
    else
      await ledger('record_pour', {
        pour: {
          ...{ id: v7(), request_id: v7(), customer_id, quantity, location: place, place, created_at },
          ...{ toast_reference_number: 'POUR-1', status: 'redeemed', recorded_by_staff_id },
        },
      });
  }
  if (name === 'Di') {
    await run(sql`insert into membership_term (membership_id, since, tier, monthly_price_cents, standing)
      values (${membership!.id}, '2026-03-20T11:00:00-04:00', 'household', 14900, 'venue')`);
    await run(
      sql`update memberships set tier = 'household', monthly_price_cents = 14900 where id = ${membership!.id}`,
    );
  }
  // Writes the due grants, like the task.
  await run(sql`select write_due_grants(${customer_id}, ${until ? `${until}T00:00:00Z` : NOW}, ${ZONE})`);
  if (!until) return;
  await run(sql`update memberships set end_date = ${until}, status = 'ended' where id = ${membership!.id}`);
  await run(sql`update customers set status = 'inactive' where id = ${customer_id}`);
}

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = {
    db: database.db,
    now: () => new Date(NOW),
    venue: { time_zone: ZONE },
    currency: 'usd',
    readLagging: (work) => work(database.db),
  };
  staff = { Sam: await person('Sam'), Tea: await person('Tea') };
  const customers = new Map<string, string>();
  for (const of of MEMBERSHIPS) {
    const [name, tier, , from] = of;
    if (!customers.has(name)) {
      const [customer] =
        await run(sql`insert into customers (id, user_id, tier, status, member_since, created_at)
        values (gen_random_uuid(), ${await person(name)}, ${tier}, 'active', ${from}, ${from}) returning id`);
      customers.set(name, customer!.id);
    }
    await live(customers.get(name) ?? '', of);
  }
  await voidPour(VOIDED);
});
afterAll(() => database.close());

/** The glasses given and unused in the periods that ended on January 1. */
const ofEli = () =>
  run(sql`select to_char(day, 'YYYY-MM-DD') as month, tier, periods, given, unused from unused_summary
           where day = '2026-01-01'`);

const glassesOf = <Row extends { glasses: number }>(rows: Row[], key: keyof Row) =>
  Object.fromEntries(rows.map((row) => [row[key], row.glasses]));

describe('pours', () => {
  it('are counted by the venue’s day and hour, even when the clocks change', async () => {
    const { days, hours, places, staff } = await reportPours(ctx, MARCH);
    expect(days).toEqual(MARCH_DAYS);
    expect(hours.map(({ weekday, hour, glasses }) => [weekday, hour, glasses])).toEqual([
      // Tuesday the 31st, Saturday the 7th, Sundays the 1st and the 8th.
      [2, 23, 2],
      [6, 23, 2],
      [7, 0, 1],
      [7, 1, 1],
      [7, 3, 1],
      [7, 23, 3],
    ]);
    expect(glassesOf(places, 'location')).toEqual({ main_bar: 5, tasting_room: 2, private_event: 3 });
    expect(glassesOf(staff, 'name')).toEqual({ Sam: 6, Tea: 4 });
  });

  it('are the same from summaries, and a void of an old pour is seen at once', async () => {
    const before = await reportPours(ctx, MARCH);
    expect(await closeDays(ctx)).toBeGreaterThan(100);
    expect(await closeDays(ctx)).toBe(0);
    expect(await reportPours(ctx, MARCH)).toEqual(before);
    const [{ kept } = { kept: 0 }] = await rowsOf<{ kept: number }>(
      database.db,
      sql`select sum(glasses)::integer as kept from pour_summary where day between ${MARCH.from} and ${MARCH.to}`,
    );
    expect(kept).toBe(10);

    const december = { from: '2025-12-01', to: '2025-12-31' };
    const glasses = async () => (await reportPours(ctx, december)).days.map((it) => it.glasses);
    expect(await glasses()).toEqual([1]);
    expect(await ofEli()).toEqual([{ month: '2026-01-01', tier: 'select', periods: 1, given: 4, unused: 3 }]);
    await voidPour(LONG_AGO);
    expect(await glasses()).toEqual([]);
    expect(await ofEli()).toEqual([{ month: '2026-01-01', tier: 'select', periods: 1, given: 4, unused: 4 }]);
    // Both days stayed closed: nothing was left to write.
    expect(await closeDays(ctx)).toBe(0);
  });

  it('are counted again when the venue moves to another time zone', async () => {
    const inTokyo = { ...ctx, venue: { time_zone: 'Asia/Tokyo' } };
    const { days } = await reportPours(inTokyo, { from: '2026-03-01', to: '2026-03-02' });
    expect(days).toEqual([{ day: '2026-03-01', pours: 2, glasses: 3 }]);
  });
});

describe('members', () => {
  it('counts who joined by each colleague, who is still here, and the days they stayed on average', async () => {
    const signedUp = (who: string, by: keyof typeof staff) =>
      run(sql`update customers c set signed_up_by_staff_id = ${staff[by]} from profiles p
               where p.id = c.user_id and p.first_name = ${who} returning c.id`);
    for (const who of ['Ana', 'Ben', 'Eli']) await signedUp(who, 'Sam');
    await signedUp('Cy', 'Tea');
    const range = { from: '2026-02-01', to: '2026-03-31' };
    // Ben stayed from February 15 to March 15, Eli is back since March 25, Cy here since March 5; Ana joined before.
    expect((await reportMembers(ctx, range)).sign_ups).toEqual([
      { staff_id: staff.Sam, name: 'Sam', members: 2, still_members: 1, days_stayed: 18 },
      { staff_id: staff.Tea, name: 'Tea', members: 1, still_members: 1, days_stayed: 28 },
    ]);
    await run(sql`insert into imported_account (user_id, imported_at)
      select user_id, now() from customers c join profiles p on p.id = c.user_id where p.first_name = 'Cy' returning user_id as id`);
    expect((await reportMembers(ctx, range)).sign_ups.map(({ name }) => name)).toEqual(['Sam']);
  });

  it('are those with a membership at the end of each day', async () => {
    const { step, points } = await reportMembers(ctx, MARCH);
    expect(step).toBe('day');
    const at = (day: string) => points.find((point) => point.day === day);
    expect(at('2026-03-04')?.tiers).toEqual({ select: 2, premier: 1, elite: 1 });
    expect(at('2026-03-05')?.members).toBe(5);
    expect(at('2026-03-10')?.members).toBe(4);
    expect(at('2026-03-15')?.members).toBe(3);
    expect(at('2026-03-31')).toEqual({
      day: '2026-03-31',
      members: 4,
      tiers: { select: 2, premier: 1, household: 1 },
      standings: { venue: 4 },
    });
  });

  it('lost are compared with those at the beginning; one who returned within the month is not lost', async () => {
    await run(sql`insert into leaving_reason (membership_id, reason, created_at)
      select id, 'price', now() from memberships where end_date = '2026-03-15'`);
    const { months, reasons } = await reportRevenue(ctx, MARCH);
    expect(months).toEqual([
      {
        month: '2026-03-01',
        opening: 4,
        joined: 1,
        lost: 1,
        closing: 4,
        churn: 0.25,
        opening_cents: 25_600,
        new_cents: 3_900,
        // Di 4000 more, Eli 3000.
        expansion_cents: 7_000,
        contraction_cents: 0,
        lost_cents: 6_900,
        closing_cents: 29_600,
      },
    ]);
    expect(reasons).toEqual([{ reason: 'price', members: 1 }]);
  });

  it('absent for 21 days are listed with the reason; a voided pour is not a visit', async () => {
    const members = await findAtRisk(ctx, ctx.db);
    const notSeen = members.filter(({ risks }) => risks.some(({ kind }) => kind === 'absent'));
    expect(notSeen).toMatchObject([
      {
        name: 'Ana',
        last_visit: '2026-03-01',
        days_away: 32,
        risks: [{ level: 'low', text: 'Too few visits to tell, last here 32 days ago' }],
      },
    ]);
  });
});

it('glasses left unused are those of the billing periods that ended in the month', async () => {
  const { months } = await reportUnused(ctx, MARCH);
  expect(months).toEqual([
    // Di's from 28 February, which began with Elite: 1 and 3 of 14.
    { month: '2026-03-01', tier: 'elite', periods: 1, given: 14, unused: 10 },
    // Ben's one month: 2 of 8 and one on the house.
    { month: '2026-03-01', tier: 'premier', periods: 1, given: 9, unused: 7 },
    // Ana's month to the 10th: 3 of 4. Eli's to the 1st: none of 4.
    { month: '2026-03-01', tier: 'select', periods: 2, given: 8, unused: 5 },
  ]);
});

it('tonight began at six in the morning', async () => {
  expect(await getTonight(ctx)).toEqual({
    since: '2026-04-02T10:00:00.000Z',
    poured: [{ hour: 7, location: 'main_bar', glasses: 2 }],
    members_came: 1,
    joined: 0,
    applications: 0,
    overdue: 0,
  });
});

describe('files', () => {
  const file = async (report: ReportName) => {
    const { headers, body } = await exportReport(ctx, { report, ...MARCH });
    expect(headers['content-disposition']).toBe(`attachment; filename="${report}-2026-03-01-2026-03-31.csv"`);
    return (await new Response(body).text()).replace('\uFEFF', '').trimEnd().split('\r\n');
  };

  const unit = (name: string) => `"${name} (USD, smallest unit)"`;

  it.each<[ReportName, string[]]>([
    [
      'revenue',
      [
        `Month,Members at the start,Joined,Lost,Members at the end,Churn,${['Start', 'New', 'Expansion', 'Contraction', 'Lost', 'End'].map(unit)}`,
        '2026-03-01,4,1,1,4,0.25,25600,3900,7000,0,6900,29600',
      ],
    ],
    ['reasons', ['Reason,Members', 'It costs too much,1']],
    [
      'days',
      ['Day,Pours,Times served', ...['2026-03-01,1,1', '2026-03-07,2,1', '2026-03-08,5,3', '2026-03-31,2,1']],
    ],
    [
      'hours',
      [
        'Weekday (1 is Monday),Hour,Pours,Times served',
        ...['2,23,2,1', '6,23,2,1', '7,0,1,1', '7,1,1,1', '7,3,1,1', '7,23,3,1'],
      ],
    ],
    ['places', ['Place,Pours,Times served', ...['main_bar,5,3', 'private_event,3,1', 'tasting_room,2,2']]],
    ['staff', ['Staff,Id,Pours,Times served', 'Sam,SAM,6,3', 'Tea,TEA,4,3']],
    [
      'unused',
      [
        'Month,Tier,Billing periods,Pours given,Left unused',
        ...['2026-03-01,elite,1,14,10', '2026-03-01,premier,1,9,7', '2026-03-01,select,2,8,5'],
      ],
    ],
  ])('of %s have the report’s figures under their names', async (report, lines) => {
    const withoutIds = (line: string) => line.replace(staff.Sam, 'SAM').replace(staff.Tea, 'TEA');
    expect((await file(report)).map(withoutIds)).toEqual(lines);
  });

  it('of members have a column for each tier that a member had, and for each standing', async () => {
    const [header, ...days] = await file('members');
    const standings =
      'Billed at the venue,A gift,On the house,Paid by card,Set to end,Paused,Payment overdue';
    expect(header).toBe(`Day,Members,elite,household,premier,select,${standings}`);
    expect(days).toHaveLength(31);
    expect([days[3], days[19]]).toEqual([
      '2026-03-04,4,1,0,1,2,4,0,0,0,0,0,0',
      '2026-03-20,3,0,1,0,2,3,0,0,0,0,0,0',
    ]);
  });
});

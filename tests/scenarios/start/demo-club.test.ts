import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeCardMembers } from '../../../scripts/demo/card-members.ts';
import { chanceFrom } from '../../../scripts/demo/chance.ts';
import { seedDemo } from '../../../scripts/demo/demo-seed.ts';
import { tellMembers } from '../../../scripts/demo/member-story.ts';
import { tellPours } from '../../../scripts/demo/pour-story.ts';
import { writeHistory } from '../../../scripts/demo/write-history.ts';
import type { OwnMembership } from '../../../src/contract/members.ts';
import { localDate } from '../../../src/domain/calendar.ts';
import { type DuesState, duesState, YEAR_MONTHS } from '../../../src/domain/membership/dues.ts';
import { tonight } from '../../../src/domain/reports/tonight.ts';
import { DEMO_PASSWORD, findDemoAccounts } from '../../../src/server/auth/demo-accounts.ts';
import { claimStripeMode } from '../../../src/server/db/claim-stripe-mode.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { getTonight } from '../../../src/server/reports/tonight-report.ts';
import { brokenInvariants } from '../../../torture/invariants.ts';
import { writeAsMode } from '../../support/billing/databases.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import { testClock } from '../../support/harness/clock.ts';

const ZONE = 'America/New_York';

let app: TestApp;
const ask = <Row>(statement: string) => rowsOf<Row>(app.services.db, sql.raw(statement));

async function fill({ services, sandbox, clock }: TestApp): Promise<void> {
  const present = clock.now();
  const account = { secretKey: sandbox.stripeSecretKey, apiUrl: sandbox.url };
  await seedDemo(services, { ...account, setBack: (to) => clock.set(to ?? present) });
  await writeHistory(services);
  await writeCardMembers(services, account);
  await fetch(`${sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST' });
}

beforeAll(async () => {
  app = await createTestApp({ timeZone: ZONE, clock: testClock('2026-06-15T12:00:00Z') });
  const { db, now } = app.services;
  await claimStripeMode(db, 'demo', now());
  await writeAsMode(db, 'demo');
  await fill(app);
});
afterAll(() => app.close());

it('breaks no invariant', async () => {
  expect(await brokenInvariants((statement) => ask(statement), ZONE)).toEqual([]);
});

it('has 169 members, some of whom left, who came least on Mondays', async () => {
  const [club] = await ask<Record<string, number>>(
    `select count(*)::int as members, (count(*) filter (where status = 'active'))::int as active from customers`,
  );
  expect(club).toEqual({ members: 169, active: expect.any(Number) });
  expect(club?.active).toBeGreaterThan(80);
  expect(club?.active).toBeLessThan(145);
  const days = await ask<{ weekday: number; glasses: number }>(
    `select extract(isodow from created_at at time zone '${ZONE}')::int as weekday, sum(quantity)::int as glasses
       from pours group by 1 order by 2`,
  );
  expect(days.map(({ weekday }) => weekday)[0]).toBe(1);
  expect(days.at(-1)?.glasses).toBeGreaterThan(4 * (days[0]?.glasses ?? 0));
});

it('has a member who drank while the bar was open, never twice at the same time, and guests tonight', async () => {
  const [own] = await ask<Record<string, number>>(
    `select count(*)::int as pours, count(distinct created_at::time)::int as times,
            min(extract(hour from created_at at time zone '${ZONE}'))::int as first,
            max(extract(hour from created_at at time zone '${ZONE}'))::int as last
       from pours where customer_id in (select c.id from customers c join profiles p on p.id = c.user_id
                                         where p.email = 'member@demo.test')`,
  );
  expect(own).toEqual({ pours: 10, times: 10, first: expect.any(Number), last: expect.any(Number) });
  expect(own?.first).toBeGreaterThanOrEqual(16);
  expect(own?.last).toBeLessThan(23);
  // At eight in the morning, on a Monday.
  const { poured, members_came } = await getTonight(app.services);
  expect(members_came).toBeGreaterThan(3);
  expect(poured.map(({ hour }) => hour).every((hour) => hour >= 6 && hour < 8)).toBe(true);
});

it('has a first member who pays by card, was renewed, and has pours that rolled over', async () => {
  const [own] = await ask<Record<string, unknown>>(
    `select s.status, s.card_last4, s.current_period_end > '${app.clock.now().toISOString()}' as runs,
            (select count(*)::int from billing_payment p where p.user_id = s.user_id) as payments,
            (select sum(g.glasses)::int from glass_grant g join memberships m on m.id = g.membership_id
              where m.stripe_subscription_id = s.stripe_subscription_id and g.kind = 'rollover') as rolled_over
       from billing_subscription s join profiles p on p.id = s.user_id where p.email = 'member@demo.test'`,
  );
  expect(own).toEqual({ status: 'active', card_last4: '4242', runs: true, payments: 2, rolled_over: 3 });
});

it('shows its first member when they are billed, how much, and with which card', async () => {
  const member = app.visitor();
  await member.must('POST', '/api/auth/sign-in', { email: 'member@demo.test', password: DEMO_PASSWORD });
  const { subscription } = await member.must<{ subscription: unknown }>(
    'POST',
    '/api/functions/get-subscription-details',
    {},
  );
  expect(subscription).toMatchObject({
    status: 'active',
    cancel_at_period_end: false,
    current_period_end: expect.any(Number),
    amount: 6900,
    payment_method: { brand: 'visa', last4: '4242' },
  });
});

it.each([
  ['customers', 'customers', 'created_at'],
  ['pours', 'pours', 'created_at'],
  ['payments by card', 'billing_payment', 'created_at'],
  ['memberships by card', 'memberships where stripe_subscription_id is not null', 'began_at'],
  ['wines', 'wine', 'created_at'],
])('%s came one after another, not at the second of the start', async (_, rows, column) => {
  const [most] = await ask<{ at: string; rows: number }>(
    `select date_trunc('second', ${column})::text as at, count(*)::int as rows from ${rows} group by 1 order by 2 desc limit 1`,
  );
  expect(most?.rows).toBeGreaterThan(0);
  expect(most?.rows).toBeLessThanOrEqual(3);
});

it('has every standing of members who pay by card, and members’ verdicts on their wines', async () => {
  const standings = await ask<{ status: string; ends: boolean; pauses: boolean; members: number }>(
    `select status, cancel_at_period_end as ends, paused_from is not null as pauses, count(*)::int as members
       from billing_subscription group by 1, 2, 3 order by 1, 2, 3`,
  );
  expect(standings).toEqual([
    { status: 'active', ends: false, pauses: false, members: 8 },
    { status: 'active', ends: false, pauses: true, members: 2 },
    { status: 'active', ends: true, pauses: false, members: 2 },
    { status: 'canceled', ends: false, pauses: false, members: 1 },
    { status: 'past_due', ends: false, pauses: false, members: 2 },
  ]);
  const verdicts = await ask<{ verdict: string; said: number }>(
    `select verdict, count(*)::int as said from pour_rating group by 1 order by 1`,
  );
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['fine', 'loved', 'not_mine']);
  expect(Math.min(...verdicts.map(({ said }) => said))).toBeGreaterThan(20);
});

it.each([
  ['in the morning', '2026-06-15T13:00:00Z', 3],
  ['in the evening', '2026-06-15T23:30:00Z', 4],
  ['after midnight, when tonight is the evening that was', '2026-06-16T06:00:00Z', 10],
])('has guests tonight when it is started %s', (_, at, hours) => {
  const tiers = [{ name: 'select', glasses: 4, price_cents: 3900 }];
  const when = { now: new Date(at), timeZone: ZONE };
  const chance = chanceFrom(1855);
  const members = tellMembers(150, tiers, localDate(when.now, ZONE), chance);
  const { since } = tonight(when.now, ZONE);
  const poured = tellPours(members, tiers, when, chance).filter((it) => it.at >= since);
  expect(poured.length).toBeGreaterThan(3);
  for (const it of poured) {
    expect(it.at.getTime()).toBeLessThan(when.now.getTime());
    expect(it.at.getTime()).toBeGreaterThan(when.now.getTime() - (hours + 0.2) * 3_600_000);
  }
});

it('has members at the venue who are paid, due, overdue and not counted', async () => {
  const members = await ask<{ paid_until: string | null; grace_until: string | null; ends_on: null }>(
    `select paid_until::text, grace_until::text, ends_on from memberships
      where status = 'active' and stripe_subscription_id is null`,
  );
  const states = members.map((it) => duesState(it, localDate(app.clock.now(), ZONE)));
  const count = (state: DuesState) => states.filter((it) => it === state).length;
  expect(count('paid')).toBeGreaterThan(60);
  // Few, because members in these states get an email.
  for (const state of ['due', 'overdue', 'not_counted'] as const) {
    expect(count(state), state).toBeGreaterThan(0);
    expect(count(state), state).toBeLessThan(9);
  }
  expect(count('ended')).toBe(0);
});

it('has members of a year, one of which ends within thirty days', async () => {
  const years = await ask<{ email: string; amount: number; days: number }>(
    `select p.email, d.amount_cents as amount, m.paid_until - '${localDate(app.clock.now(), ZONE)}'::date as days
       from memberships m join customers c on c.id = m.customer_id join profiles p on p.id = c.user_id
       join dues d on d.membership_id = m.id
      where m.status = 'active' and m.paid_months = ${YEAR_MONTHS} order by days`,
  );
  expect(years).toEqual([
    { email: 'ines@demo.test', amount: 109_000, days: 20 },
    { email: 'tobias@demo.test', amount: 39_000, days: 269 },
  ]);
  const member = app.visitor();
  await member.must('POST', '/api/auth/sign-in', { email: 'tobias@demo.test', password: DEMO_PASSWORD });
  const { tiers_up } = await member.must<OwnMembership>('GET', '/api/customers/own');
  expect(tiers_up.map(({ tier }) => tier)).toEqual(['premier', 'elite']);
});

it('has the same history in every installation', () => {
  const tiers = [{ name: 'select', glasses: 4, price_cents: 3900 }];
  const when = { now: new Date('2026-06-15T12:00:00Z'), timeZone: ZONE };
  const tell = () => {
    const chance = chanceFrom(1);
    const members = tellMembers(20, tiers, '2026-06-15', chance);
    return { members, poured: tellPours(members, tiers, when, chance) };
  };
  expect(tell()).toEqual(tell());
  expect(new Set(tell().members.map(({ email }) => email)).size).toBe(20);
});

it('lets only the accounts that it names sign in: the others have no password', async () => {
  const [{ passwords } = { passwords: 0 }] = await ask<{ passwords: number }>(
    `select count(*)::int as passwords from accounts a join profiles p on p.id = a.user_id
      where p.email not in ('staff@demo.test', 'member@demo.test', 'tobias@demo.test', 'ines@demo.test',
                            'wren@demo.test', 'bartender@demo.test', 'hideo@demo.test', 'saoirse@demo.test', 'luca@demo.test')`,
  );
  expect(passwords).toBe(0);
  expect(await findDemoAccounts(app.services.db)).toContain('staff@demo.test');
});

it('is written once: a second start changes nothing', async () => {
  const count = () =>
    ask('select (select count(*) from pours) as pours, (select count(*) from profiles) as profiles');
  const before = await count();
  await fill(app);
  expect(await count()).toEqual(before);
});

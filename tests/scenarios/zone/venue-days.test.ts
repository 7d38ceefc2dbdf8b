import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import type { MemberAtRisk } from '../../../src/contract/staff/members-at-risk.ts';
import {
  addDays,
  addMonths,
  atHour,
  isTimeZone,
  startOfDay,
  venueTime,
} from '../../../src/domain/calendar.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { customers } from '../../../src/server/db/schema.ts';
import { celebrate } from '../../../src/server/pours/celebrations.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { cardMember, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp } from '../../support/harness/app.ts';
import { testClock } from '../../support/harness/clock.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

// Tests elsewhere run in an evening of Los Angeles, when UTC has the next day. In a morning of Auckland it has the day before.
// Here that day is also of another month.

test.each([
  { time_zone: 'Pacific/Auckland', now: '2026-06-30T18:30:00Z', today: '2026-07-01', hour: 6 },
  { time_zone: 'America/Los_Angeles', now: '2026-07-01T03:30:00Z', today: '2026-06-30', hour: 20 },
])('the days of a venue in $time_zone are those of its calendar', async ({ time_zone, now, today, hour }) => {
  const clock = testClock(now);
  const app = await createTestApp({ timeZone: time_zone, clock });
  const staff = await app.staff();
  const [yesterday, tomorrow, next] = [addDays(today, -1), addDays(today, 1), addMonths(today, 1)];
  const midnight = (day: string) => startOfDay(day, time_zone);
  const report = <T = { days: unknown[]; payments: { day: string }[] }>(
    name: string,
    from = today,
    to = from,
  ) => staff.must<T>('GET', `/api/reports/${name}?from=${from}&to=${to}`);
  const listed = async (filter: object) =>
    (await staff.must<{ members: unknown[] }>('POST', '/api/directory', filter)).members.length;

  // Members begin today, for a month of days at the venue.
  const till = await venueMember(app, staff, 'household');
  const card = await cardMember(app);
  const leaver = await venueMember(app, staff);
  const partner = await shareWith(app, till);
  const page = (of = till) => `/api/customers/${of.customer_id}`;
  const atBar = (of = till) => staff.must('GET', `${page(of)}/bar`);
  const own = (of = till) => of.caller.must<{ pours: { resets_at: number } }>('GET', '/api/customers/own');
  for (const it of [till, card, partner])
    expect(await staff.must('GET', page(it))).toMatchObject({ customer: { member_since: today } });
  expect((await own()).pours.resets_at * 1000).toBe(midnight(next).getTime());
  const joined = (day: string) => listed({ joined_from: day, joined_to: day });
  expect([await joined(yesterday), await joined(today), await joined(tomorrow)]).toEqual([0, 4, 0]);

  // Their pours and payments are today's.
  await pour(staff, till.customer_id);
  await pour(staff, leaver.customer_id, { quantity: 4 });
  expect(await atBar(leaver)).toMatchObject({ pours_balance: 0, pours_return_on: next });
  expect(await till.caller.must('GET', '/api/pours/months')).toMatchObject([
    { month: today.slice(0, 7), visits: 1 },
  ]);
  expect(await report('pours')).toMatchObject({ days: [{ day: today, pours: 2 }], hours: [{ hour }] });
  expect((await report('pours', yesterday)).days).toEqual([]);
  const since = atHour(today, 6, time_zone).toISOString();
  expect(await staff.must('GET', '/api/reports/tonight')).toMatchObject({
    since,
    poured: [{ hour }],
    joined: 4,
  });
  const paid = async (day: string) => (await report('payments', day)).payments.map((it) => it.day);
  expect([await paid(yesterday), await paid(today), await paid(tomorrow)]).toEqual([
    [],
    Array(3).fill(today),
    [],
  ]);
  const [payment] = await staff.must<{ id: string }[]>('GET', `${page(card)}/payments`);
  const refund = {
    request_id: app.services.newId(),
    payment_id: payment?.id,
    amount: 100,
    shown_refunded: 0,
    reason: 'A wait',
  };
  await staff.must('POST', `${page(card)}/refunds`, refund);
  const refunds = async (day: string) => {
    const file = await staff.raw('GET', `/api/reports/payments/csv?from=${day}&to=${day}`);
    return (await file.text()).split('\n').flatMap((line) => /^(.{10}).*,refund,/.exec(line)?.[1] ?? []);
  };
  expect([await refunds(yesterday), await refunds(today), await refunds(tomorrow)]).toEqual([
    [],
    [today],
    [],
  ]);
  expect(await report('members', yesterday, tomorrow)).toMatchObject({
    points: [
      { day: yesterday, members: 0 },
      { day: today, members: 3 },
    ],
  });
  const months = await report<{ months: unknown[] }>('revenue', today);
  expect(months).toMatchObject({ months: [{ month: `${today.slice(0, 7)}-01`, joined: 3, closing: 3 }] });

  // Files are named by the day, and the audit is filtered by it.
  const paths = ['applications/csv', 'audit/csv', 'members-at-risk/csv', 'directory/csv', 'exports/members'];
  for (const path of [...paths.map((it) => `/api/${it}`), `${page()}/timeline/csv`]) {
    const { headers } = await staff.raw('GET', path);
    expect(headers.get('content-disposition'), path).toContain(today);
  }
  const audited = async (day: string) =>
    (await staff.must<{ entries: AuditEntry[] }>('GET', `/api/audit?from=${day}&to=${day}`)).entries.length;
  expect([await audited(yesterday), await audited(tomorrow)]).toEqual([0, 0]);
  expect(await audited(today)).toBeGreaterThan(0);

  // So are birthdays, anniversaries and the day of the hundredth glass.
  const [, month, day] = today.split('-').map(Number);
  await staff.must('PUT', `${page(card)}/about`, { allergies: null, birthday: { month, day, year: null } });
  const member_since = addMonths(today, -12);
  const { db } = app.services;
  await db.update(customers).set({ member_since }).where(eq(customers.id, till.customer_id));
  // Four of them today.
  await db.update(customers).set({ total_pours_lifetime: 101 }).where(eq(customers.id, leaver.customer_id));
  await celebrate(app.services);
  expect(await own(card)).toMatchObject({ celebrations: [{ kind: 'birthday' }] });
  expect(await atBar()).toMatchObject({ celebrations: [{ kind: 'anniversary' }] });
  expect(await atBar(leaver)).toMatchObject({ celebrations: [{ kind: 'hundredth' }] });

  const bounced = await venueMember(app, staff);

  // A membership ends with a day of the venue.
  const end = async (of: typeof till, when: string) => {
    const { period_end } = await staff.must<{ period_end: string }>('GET', `${page(of)}/membership-end`);
    await staff.must('POST', `${page(of)}/membership-end`, { when, reason: 'other', period_end });
  };
  await end(till, 'period_end');
  const paidUntil = addMonths(today, 12);
  const ends = { last_day: addDays(paidUntil, -1), ends_at: midnight(paidUntil).toISOString() };
  expect(await own()).toMatchObject({ ends });
  await end(leaver, 'now');
  expect(await atBar(leaver)).toMatchObject({ no_access_since: today });
  const timeline = await staff.must('GET', `${page(leaver)}/timeline`);
  expect(timeline).toMatchObject({
    entries: expect.arrayContaining([
      expect.objectContaining({ kind: 'joined', at: expect.stringContaining(now.slice(0, 19)) }),
      expect.objectContaining({ kind: 'ended', at: midnight(today).toISOString() }),
    ]),
  });

  // Days since a visit are counted between days of the venue.
  const away = async (days: number) => {
    clock.set(atHour(addDays(today, days), hour + 1, time_zone));
    const { members } = await staff.must<{ members: MemberAtRisk[] }>(
      'GET',
      '/api/members-at-risk?reason=absent',
    );
    return members.find(({ customer_id }) => customer_id === till.customer_id);
  };
  const recent = () => listed({ visited: 'within-7' });
  expect([await away(7), await recent()]).toEqual([undefined, 2]);
  expect([await away(8), await recent()]).toEqual([undefined, 0]);
  expect(await away(20)).toBeUndefined();
  expect(await away(21)).toMatchObject({ days_away: 21, last_visit: today });

  // The days of grace after a void begin today.
  const [first] = (await staff.must<Dues>('GET', `${page(bounced)}/dues`)).entries;
  const dues = await staff.must('POST', `/api/dues/${first?.id}/void`, { reason: 'Bounced' });
  expect(dues).toMatchObject({ state: 'overdue', grace_until: addDays(today, 21 + 7) });
  await app.close();
});

test('the database and the server show the same clock in every time zone that a venue can have', async () => {
  const { db, close } = await createTestDatabase();
  const known = await rowsOf<{ name: string }>(
    db,
    sql`select name from pg_timezone_names union select abbrev from pg_timezone_abbrevs`,
  );
  const names = [...Intl.supportedValuesOf('timeZone'), ...known.map(({ name }) => name)].filter(isTimeZone);
  expect(names).toContain('Europe/Kyiv');
  for (const at of ['2026-01-15T23:30:00Z', '2026-07-15T23:30:00Z']) {
    const shown = await rowsOf<{ name: string; clock: string }>(
      db,
      sql`select name, to_char(${at}::timestamptz at time zone name, 'YYYY-MM-DD"T"HH24:MI:SS.000Z') as clock
            from json_array_elements_text(${JSON.stringify(names)}::json) as name`,
    );
    expect(shown).toEqual(
      names.map((name) => ({ name, clock: venueTime(new Date(at), name).toISOString() })),
    );
  }
  await close();
});

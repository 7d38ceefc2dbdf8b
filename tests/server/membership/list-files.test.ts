import { eq } from 'drizzle-orm';
import Papa from 'papaparse';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListedMember } from '../../../src/contract/staff/directory.ts';
import type { MemberTag } from '../../../src/contract/staff/member-record.ts';
import type { MemberAtRisk } from '../../../src/contract/staff/members-at-risk.ts';
import { localDate } from '../../../src/domain/calendar.ts';
import { RISK_LEVELS } from '../../../src/domain/reports/members-at-risk.ts';
import { audit_entry, profiles, staff_permission } from '../../../src/server/db/schema.ts';
import { listApplications } from '../../../src/server/membership/application-list.ts';
import { listDirectory } from '../../../src/server/membership/directory/directory.ts';
import { importFile } from '../../support/fixtures/imports.ts';
import { applied, pour, RATINGS, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/members.md, "The list of members": as a file.

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

/** The lines of a file, without its header. */
async function linesOf(path: string): Promise<string[]> {
  const file = await staff.raw('GET', path);
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return (await file.text()).trimEnd().split('\r\n').slice(1);
}

/** The last line of a file, cell by header. */
async function lastRowOf(path: string): Promise<Record<string, string> | undefined> {
  const text = (await (await staff.raw('GET', path)).text()).trimEnd();
  return Papa.parse<Record<string, string>>(text, { header: true }).data.at(-1);
}

it('the file of members has those of the filter, in list order, and no name runs as a formula', async () => {
  const anna = await venueMember(app, staff);
  const bert = await venueMember(app, staff);
  await venueMember(app, staff);
  const { db } = app.services;
  await db
    .update(profiles)
    .set({ first_name: '=1+1', last_name: 'A, "B"' })
    .where(eq(profiles.id, anna.caller.id));
  const { id: tag } = await staff.must<MemberTag>('POST', `/api/customers/${anna.customer_id}/tags`, {
    label: 'VIP',
  });
  await staff.must('POST', `/api/customers/${bert.customer_id}/tags`, { label: 'VIP' });
  const { members } = await staff.must<{ members: ListedMember[] }>('POST', '/api/directory', {
    tag,
    order: 'joined',
  });
  const lines = await linesOf(`/api/directory/csv?tag=${tag}&order=joined`);
  expect(lines.map((line) => line.slice(-36))).toEqual(members.map(({ id }) => id));
  expect(lines.find((line) => line.endsWith(anna.customer_id))).toMatch(/^'=1\+1,"A, ""B""",guest/);
  expect(await staff.must('GET', '/api/tags')).toEqual([{ id: tag, label: 'VIP' }]);
  expect((await staff.call('GET', '/api/directory/csv?search=Ada')).status).toBe(400);
});

it('applications, and a member’s timeline, are files too, and each file leaves an audit entry', async () => {
  const id = await applied(await app.customer());
  const applications = await linesOf('/api/applications/csv?status=pending&tier=all');
  expect(applications.at(-1) ?? '').toMatch(new RegExp(`,pending,yes,.*,${id}$`));
  const member = await venueMember(app, staff);
  await pour(staff, member.customer_id, { quantity: 2, notes: 'Birthday' });
  const history = await linesOf(`/api/customers/${member.customer_id}/timeline/csv`);
  expect(history.find((line) => line.includes(',poured,'))).toMatch(/,poured,.*,2,,main_bar,,,Birthday$/);
  const rows = await app.services.db.select().from(audit_entry).where(eq(audit_entry.act, 'list_exported'));
  expect(rows.map(({ facts, subject_id }) => ({ ...facts, subject_id }))).toEqual(
    expect.arrayContaining([
      { list: 'members', subject_id: null },
      { list: 'applications', subject_id: null },
      { list: 'timeline', subject_id: member.caller.id },
    ]),
  );
});

it('each cell of the file of applications is under its header', async () => {
  const begun = app.clock.now().toISOString();
  const applicant = {
    first_name: 'Uma',
    last_name: 'Reyes',
    email: 'uma@example.test',
    phone: '+1 555 0142',
  };
  const id = await applied(await app.customer(applicant), 'premier');
  app.clock.advance({ minutes: 60 });
  await staff.must('POST', `/api/applications/${id}/reject`, { notes: 'Too far away' });
  expect(await lastRowOf('/api/applications/csv?status=rejected&tier=all')).toEqual({
    'Begun (UTC)': begun,
    'First name': 'Uma',
    'Last name': 'Reyes',
    Email: 'uma@example.test',
    Phone: "'+1 555 0142",
    Tier: 'premier',
    Status: 'rejected',
    Complete: 'yes',
    'Reviewed (UTC)': app.clock.now().toISOString(),
    Notes: 'Too far away',
    ...Object.fromEntries(Object.entries(RATINGS).map(([rating, value]) => [rating, String(value)])),
    'Application id': id,
  });
});

it('each cell of the file of members is under its header', async () => {
  const { customer_id } = await venueMember(app, staff, 'premier');
  app.clock.advance({ days: 2 });
  await pour(staff, customer_id, { quantity: 3 });
  const label = { label: 'Under its header' };
  const { id: tag } = await staff.must<MemberTag>('POST', `/api/customers/${customer_id}/tags`, label);
  const { members } = await staff.must<{ members: ListedMember[] }>('POST', '/api/directory', { tag });
  const [member] = members;
  expect(await lastRowOf(`/api/directory/csv?tag=${tag}`)).toEqual({
    'First name': 'Ada',
    'Last name': member?.last_name,
    Email: member?.email,
    Phone: "'+43 1 234567",
    Tier: 'Premier',
    Standing: 'venue',
    Payment: 'venue',
    'Paid until': member?.paid_until,
    'Member since': member?.member_since,
    'Last visit (UTC)': app.clock.now().toISOString(),
    'Pours left': '5',
    'Lifetime pours': '3',
    'Member id': customer_id,
  });
});

it('files of members at risk and of an import leave an audit entry; a report without names leaves none', async () => {
  const { id } = await importFile(app, staff, 'email,first_name,last_name\nmoved@example.test,Mo,Ved');
  await linesOf('/api/members-at-risk/csv');
  await linesOf('/api/reports/places/csv?from=2026-06-01&to=2026-06-30');
  await linesOf(`/api/imports/${id}/csv`);
  const rows = await app.services.db.select().from(audit_entry).where(eq(audit_entry.act, 'list_exported'));
  const lists = rows.map(({ facts }) => (facts as { list: string }).list);
  expect(lists.filter((list) => list.includes(' ')).sort()).toEqual(['import report', 'members at risk']);
  expect(lists).not.toContain('places');
});

it('the pages of members, and of applications, are together their file, without repeats or gaps', async () => {
  for (let more = 0; more < 4; more++) await venueMember(app, staff);
  const walk = async <Row>(
    read: (cursor?: string) => Promise<{ rows: Row[]; next_cursor: string | null }>,
  ) => {
    const rows: Row[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await read(cursor ?? undefined);
      expect(page.rows.length).toBeLessThanOrEqual(2);
      rows.push(...page.rows);
      cursor = page.next_cursor;
    } while (cursor);
    return rows;
  };
  const members = await walk(async (cursor) => {
    const { members, next_cursor } = await listDirectory(app.services, { ...(cursor && { cursor }) }, 2);
    return { rows: members.map(({ id }) => id), next_cursor };
  });
  const ids = (await linesOf('/api/directory/csv')).map((line) => line.slice(-36));
  expect(members).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const filter = { status: 'all', tier: 'all' } as const;
  const applications = await walk(async (cursor) => {
    const { applications, next_cursor } = await listApplications(
      app.services,
      { ...filter, ...(cursor && { cursor }) },
      2,
    );
    return { rows: applications.map(({ id }) => id), next_cursor };
  });
  expect(applications).toEqual(
    (await linesOf('/api/applications/csv?status=all')).map((line) => line.slice(-36)),
  );
});

it('the file of members at risk has everyone on the page, or those with one reason, in its order', async () => {
  app.clock.advance({ days: 5 });
  const away = await venueMember(app, staff);
  await pour(staff, away.customer_id);
  app.clock.advance({ days: 5 });
  const later = await venueMember(app, staff);
  await pour(staff, later.customer_id);
  app.clock.advance({ days: 30 });
  const shown = async (query = '') => {
    const path = `/api/members-at-risk${query}`;
    const { total, members } = await staff.must<{ total: number; members: MemberAtRisk[] }>('GET', path);
    const lines = (await linesOf(`/api/members-at-risk/csv${query}`)).map((line) => line.split(',')[1]);
    expect(lines).toEqual(members.map((it) => it.customer_id));
    expect(total).toBe(members.length);
    return members;
  };
  const all = await shown();
  const levels = all.map(({ level }) => RISK_LEVELS.indexOf(level));
  expect(levels).toEqual([...levels].sort());
  const notSeen = await shown('?reason=absent');
  expect(all).toEqual(expect.arrayContaining(notSeen));
  expect(notSeen.slice(-2).map((it) => [it.customer_id, it.days_away])).toEqual([
    [away.customer_id, 35],
    [later.customer_id, 30],
  ]);
  expect(await shown('?reason=payment')).toEqual([]);
});

it('each cell of the file of members at risk is under its header', async () => {
  const { customer_id } = await venueMember(app, staff);
  await pour(staff, customer_id);
  const last = localDate(app.clock.now(), VENUE_ZONE);
  app.clock.advance({ days: 35 });
  const { members } = await staff.must<{ members: MemberAtRisk[] }>(
    'GET',
    '/api/members-at-risk?reason=absent',
  );
  const member = members.at(-1);
  expect(await lastRowOf('/api/members-at-risk/csv?reason=absent')).toEqual({
    Member: member?.name,
    Id: customer_id,
    Tier: 'select',
    'Last visit': last,
    'Days away': '35',
    Risk: member?.level,
    Why: member?.risks.map(({ text }) => text).join('; '),
  });
});

it('the file of members at risk has all of them, though the page shows 200', async () => {
  const crowd = Array.from({ length: 201 }, (_, i) => `crowd${i}@example.test,Crowd,${i},select,T-${i}`);
  await importFile(app, staff, ['Email,First name,Last name,Tier,Payment reference', ...crowd].join('\n'));
  app.clock.advance({ days: 40 });
  const { total, members } = await staff.must<{ total: number; members: MemberAtRisk[] }>(
    'GET',
    '/api/members-at-risk?reason=absent',
  );
  expect(total).toBeGreaterThan(200);
  expect(members).toHaveLength(200);
  expect(await linesOf('/api/members-at-risk/csv?reason=absent')).toHaveLength(total);
});

it('each file has the venue’s day in its name, in the evening too, when UTC has the next', async () => {
  const { customer_id } = await venueMember(app, staff);
  const today = localDate(app.clock.now(), VENUE_ZONE);
  expect(today).not.toBe(localDate(app.clock.now(), 'UTC'));
  const nameOf = async (path: string) =>
    (await staff.raw('GET', path)).headers.get('content-disposition')?.match(/"(.*)"/)?.[1];
  expect([
    await nameOf('/api/directory/csv'),
    await nameOf('/api/exports/members'),
    await nameOf('/api/members-at-risk/csv'),
    await nameOf('/api/applications/csv?status=pending&tier=all'),
    await nameOf(`/api/customers/${customer_id}/timeline/csv`),
    await nameOf('/api/audit/csv'),
  ]).toEqual([
    `members-${today}.csv`,
    `members-${today}.csv`,
    `members-at-risk-${today}.csv`,
    `applications-${today}.csv`,
    `history-${today}.csv`,
    `audit-${today}.csv`,
  ]);
});

it('the file of members requires manage_members or see_reports', async () => {
  const bartender = await app.staff();
  expect((await bartender.call('GET', '/api/directory/csv')).status).toBe(403);
  const given_at = app.clock.now();
  await app.services.db
    .insert(staff_permission)
    .values({ user_id: bartender.id, permission: 'see_reports', given_at });
  expect((await bartender.raw('GET', '/api/directory/csv')).status).toBe(200);
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { MemberDetail } from '../../../src/contract/members.ts';
import type { TimelineEntry } from '../../../src/contract/staff/member-record.ts';
import { membership_term, tier_rollover } from '../../../src/server/db/schema.ts';
import { findAtRisk } from '../../../src/server/reports/at-risk/members-at-risk.ts';
import { reportMembers } from '../../../src/server/reports/members-report.ts';
import { reportRevenue } from '../../../src/server/reports/revenue-report.ts';
import { getTonight } from '../../../src/server/reports/tonight-report.ts';
import { reportUnused } from '../../../src/server/reports/unused-report.ts';
import { importFile, undoImport } from '../../support/fixtures/imports.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { testClock } from '../../support/harness/clock.ts';

// docs/rules/imports.md, "Moving in and out" and "Reports": a club imported from a file on April 2, counted by hand.

/** Select gives 4 glasses a month, Premier 8. Ana's periods begin on the 10th, Ben's on the 5th, Cy's on the 2nd. */
const FILE = [
  'Email,First name,Last name,Tier,Member since,Payment reference,Glasses left',
  'ana@moved.test,Ana,Ruiz,premier,2025-12-10,T-1,3',
  'ben@moved.test,Ben,Chen,select,2026-03-05,T-2,',
  // The file has no start date.
  'cy@moved.test,Cy,Diaz,select,,T-3,',
  // No longer a member.
  'di@moved.test,Di,Oz,elite,2024-01-01,,',
].join('\n');
const MOVED = '2026-04-02T12:00:00Z';
const RANGE = { from: '2025-12-01', to: '2026-04-30' };

let app: TestApp;
let staff: Caller;
let file_id: string;
beforeAll(async () => {
  app = await createTestApp({ clock: testClock(MOVED) });
  // Unused glasses roll over here, but none were given here before the move, so none are left from then.
  await app.services.db
    .insert(tier_rollover)
    .values({ tier_name: 'premier', since: new Date('2020-01-01'), glasses: 8 });
  staff = await app.staff();
  const { id, imported_rows } = await importFile(app, staff, FILE);
  expect(imported_rows).toBe(4);
  file_id = id;
});
beforeEach(() => app.clock.set(MOVED));
afterAll(() => app.close());

const months = async () =>
  (await reportRevenue(app.services, RANGE)).months.map((it) => [
    it.month,
    it.opening,
    it.joined,
    it.lost,
    it.closing_cents,
  ]);

async function directory(filter: object) {
  const { members } = await staff.must<{
    members: { id: string; first_name: string; member_since: string }[];
  }>('POST', '/api/directory', filter);
  return members;
}

it('imported members joined in their original month, or without a date on the day of the import', async () => {
  expect(await months()).toEqual([
    ['2025-12-01', 0, 1, 0, 6900],
    ['2026-01-01', 1, 0, 0, 6900],
    ['2026-02-01', 1, 0, 0, 6900],
    ['2026-03-01', 1, 1, 0, 10_800],
    ['2026-04-01', 2, 1, 0, 14_700],
  ]);
  const { points } = await reportMembers(app.services, { from: '2026-03-01', to: '2026-03-31' });
  const at = (day: string) => points.find((it) => it.day === day)?.tiers;
  expect(at('2026-03-04')).toEqual({ premier: 1 });
  expect(at('2026-03-05')).toEqual({ premier: 1, select: 1 });
  // No guest came in tonight.
  expect(await getTonight(app.services)).toMatchObject({ joined: 0 });
});

it('the list of members and the timeline show the same day', async () => {
  const found = await directory({ joined_from: '2025-12-10', joined_to: '2025-12-10' });
  expect(found).toMatchObject([{ first_name: 'Ana', member_since: '2025-12-10' }]);
  const { entries } = await staff.must<{ entries: TimelineEntry[] }>(
    'GET',
    `/api/customers/${found[0]?.id}/timeline`,
  );
  expect(entries.filter(({ kind }) => kind === 'joined')).toMatchObject([
    { at: '2025-12-10T08:00:00.000Z', by: null, tier: 'premier', text: 'From an import' },
  ]);
});

it('glasses from before the import are neither unused nor rolled over', async () => {
  const [ana] = await directory({ joined_from: '2025-12-10', joined_to: '2025-12-10' });
  const member = () => staff.must<MemberDetail>('GET', `/api/customers/${ana?.id}`);
  expect(await member()).toMatchObject({ available_pours: 3, grants: [{ kind: 'period', pours: 3 }] });
  expect((await reportUnused(app.services, RANGE)).months).toEqual([]);
  app.clock.advance({ days: 10 });
  // Three glasses are left of the period that was current at the import; Ben's ended on the 5th.
  expect(await member()).toMatchObject({ available_pours: 11, grants: [{ kind: 'rollover', pours: 3 }, {}] });
  expect((await reportUnused(app.services, RANGE)).months).toEqual([
    { month: '2026-04-01', tier: 'premier', periods: 1, given: 3, unused: 3 },
    { month: '2026-04-01', tier: 'select', periods: 1, given: 4, unused: 4 },
  ]);
});

it('nobody counts as absent in their first three weeks', async () => {
  const notSeen = async () =>
    (await findAtRisk(app.services, app.services.db))
      .flatMap(({ name, risks }) => risks.flatMap((it) => (it.kind === 'absent' ? [[name, it.text]] : [])))
      .sort();
  app.clock.advance({ days: 20 });
  expect(await notSeen()).toEqual([]);
  app.clock.advance({ days: 1 });
  const text = 'No visit recorded in 21 days';
  expect(await notSeen()).toEqual([
    ['Ana Ruiz', text],
    ['Ben Chen', text],
    ['Cy Diaz', text],
  ]);
});

it('undoing the import removes all of this, also from days that are closed', async () => {
  app.clock.advance({ days: 10 });
  await app.services.db.execute(sql`select close_report_day(d.day::date, ${app.services.venue.time_zone})
    from generate_series('2026-04-01'::timestamp, '2026-04-30', interval '1 day') d(day)`);
  expect((await reportUnused(app.services, RANGE)).months).toHaveLength(2);
  expect(await undoImport(app, staff, file_id)).toMatchObject({ kept_rows: 0 });
  expect((await months()).every(([, opening, joined]) => opening === 0 && joined === 0)).toBe(true);
  expect(await app.services.db.$count(membership_term)).toBe(0);
  expect((await reportUnused(app.services, RANGE)).months).toEqual([]);
});

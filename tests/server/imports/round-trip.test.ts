import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit_entry, member_import } from '../../../src/server/db/schema.ts';
import { csvLine } from '../../../src/server/platform/csv.ts';
import { importFile, settleImports, undoImport, uploadFile } from '../../support/fixtures/imports.ts';
import { pour, venueMember } from '../../support/fixtures/members.ts';
import { wholeDatabase } from '../../support/fixtures/whole-member.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/imports.md, "Moving in and out".

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const COLUMNS = [
  'Email',
  'First name',
  'Last name',
  'Phone',
  'Birthday',
  'Tier',
  'Member since',
  'Payment reference',
  'Paid until',
  'Pours left',
  'Tags',
  'Allergies',
  'Notes',
];
const fileOf = (rows: string[][]) => [COLUMNS, ...rows].map(csvLine).join('');

/** Everything but the imports themselves, their audit entries and the sessions. */
async function clubNow() {
  const all = await wholeDatabase(app);
  for (const table of ['member_import', 'member_import_row', 'audit_entry', 'sessions']) all.delete(table);
  return all;
}

const oneOf = (...texts: string[]) => fc.constantFrom('', ...texts);
const right = fc
  .tuple(
    fc.integer({ min: 0, max: 40 }).map((n) => `m${n}@move.test`),
    fc.constantFrom('Ana', 'Zoë', '=Bo'),
    fc.constantFrom('Ruiz', 'O’Neill', 'de la Cruz'),
    oneOf('+43 1 234', '0664'),
    oneOf('29.2.', '1980-04-07'),
    oneOf('Select', 'premier', 'Household'),
    oneOf('2019-03-31', '31.1.2020'),
    oneOf('T-1', '@2'),
    oneOf('2099-05-31', '1.1.2099'),
    oneOf('0', '3', '77'),
    oneOf('VIP', 'vip; Press', '"a; b"'),
    oneOf('Nuts'),
    oneOf('Window table', 'One\n---\nTwo'),
  )
  .map((cells) =>
    cells.map((cell, n) =>
      n === 7 && !cells[5] ? '' : (n === 8 || n === 9) && !(cells[5] && cells[7]) ? '' : cell,
    ),
  );
/** The fault in one row of four. */
const fault = fc.constantFrom<[column: number, cell: string]>(
  [0, 'e@'],
  [0, 'f@move.test'],
  [1, ''],
  [4, '31.2.'],
  [5, 'Gold'],
  [6, '2999-01-01'],
  [8, '2001-01-01'],
  [9, '101'],
);
const row = fc
  .tuple(right, fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fault }))
  .map(([cells, wrong]) => (wrong ? cells.with(wrong[0], wrong[1]) : cells));

it('any file that is imported and undone leaves the club as it was', async () => {
  // A person in every file, with a shared tag.
  await importFile(
    app,
    staff,
    fileOf([['f@move.test', 'Fay', 'Fox', '', '', 'Select', '', 'T-9', '', '', 'VIP', '', '']]),
  );
  const before = await clubNow();
  let imported = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
      const { id } = await uploadFile(staff, fileOf(rows));
      await settleImports(app);
      const started = await staff.call('POST', `/api/imports/${id}/start`, {});
      await settleImports(app);
      if (started.status === 200) {
        imported += 1;
        expect(await undoImport(app, staff, id)).toMatchObject({ imported_rows: 0, kept_rows: 0 });
      } else await staff.must('DELETE', `/api/imports/${id}`);
      expect(await clubNow()).toEqual(before);
    }),
    { numRuns: 8, seed: 42 },
  );
  expect(imported).toBeGreaterThan(5);
});

it('the download of all members, imported into an empty club, gives the same download', async () => {
  const members = [
    [
      'ana@trip.test',
      'Ana',
      'Ruiz',
      '+1 555',
      '1980-04-07',
      'premier',
      '2019-03-31',
      '=T-77',
      '2099-05-31',
      '3',
      'VIP; "Rock, Paper"',
      'Nuts',
      'One\n---\nTwo',
    ],
    ['bo@trip.test', 'Bo', 'Chen', '', '29.2.', 'reserve', '2020-01-05', '', '', '', '', '', "'=odd"],
    ['cy@trip.test', 'Cy', 'Diaz', '', '', '', '', '', '', '', '', '', ''],
  ];
  await app.services.db.delete(member_import);
  const made = await importFile(app, staff, fileOf(members));
  expect(made.imported_rows).toBe(3);
  const list = await staff.must<{ members: { id: string }[] }>('POST', '/api/directory', {
    search: 'Ruiz',
  });
  const ana = list.members[0]?.id ?? '';
  await pour(staff, ana);
  const note = await staff.must<{ id: string }>('POST', `/api/customers/${ana}/notes`, { body: 'A mistake' });
  await staff.must('DELETE', `/api/notes/${note.id}`);
  const out = await download(staff);
  expect(out).not.toContain('A mistake');
  expect(out).toContain("ana@trip.test,Ana,Ruiz,'+1 555,1980-04-07,premier,2019-03-31,'=T-77,2099-05-31,2,");
  const acts = await app.services.db.select({ act: audit_entry.act }).from(audit_entry);
  expect(acts).toContainEqual({ act: 'members_exported' });

  const elsewhere = await createTestApp();
  try {
    const other = await elsewhere.staff();
    const brought = await importFile(elsewhere, other, out);
    expect(brought.imported_rows).toBe(brought.total_rows);
    expect(await download(other)).toBe(out);
  } finally {
    await elsewhere.close();
  }
});

it('the download of all members has a note as it was last edited', async () => {
  const { customer_id } = await venueMember(app, staff);
  const note = await staff.must<{ id: string }>('POST', `/api/customers/${customer_id}/notes`, {
    body: 'Likes the bar',
  });
  await staff.must('PUT', `/api/notes/${note.id}`, { body: 'Likes the garden' });
  const out = await download(staff);
  expect(out).toContain('Likes the garden');
  expect(out).not.toContain('Likes the bar');
});

it('the download of all members has everyone, also of more people than are read at once', async () => {
  const { db } = app.services;
  await db.execute(sql`insert into profiles (id, name, first_name, last_name, email, email_verified, created_at, updated_at)
    select gen_random_uuid(), 'Many ' || n, 'Many', n::text, 'many' || n || '@trip.test', true, now(), now()
      from generate_series(1, 401) n`);
  const lines = (await download(staff)).split('\r\n');
  expect(lines.filter((line) => line.startsWith('many'))).toHaveLength(401);
});

const download = async (by: Caller) => (await by.raw('GET', '/api/exports/members')).text();

import { eq, type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { ListedApplication } from '../../../src/contract/applications.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { membership_applications, profiles } from '../../../src/server/db/schema.ts';
import {
  type ApplicationFilter,
  amongAllApplications,
  amongNewestApplications,
  newestApplications,
} from '../../../src/server/membership/application-list.ts';
import { searchWords } from '../../../src/server/membership/search-words.ts';
import { applied } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

type Stored = typeof membership_applications.$inferInsert & { name: string };

/** Inserts an applicant and their application directly into the database. */
async function insertApplication(it: Partial<Stored> = {}): Promise<Stored> {
  const { db, newId } = app.services;
  const user_id = newId();
  const name = it.name ?? 'Ada';
  await db.insert(profiles).values({
    id: user_id,
    name,
    first_name: name,
    last_name: 'Guest',
    email: `${user_id}@example.test`,
  });
  app.clock.advance({ seconds: 1 });
  const at = app.clock.now();
  const row: Stored = {
    status: 'pending',
    created_at: at,
    ...it,
    id: newId(),
    user_id,
    updated_at: at,
    name,
  };
  await db.insert(membership_applications).values(row);
  return row;
}

interface Page {
  applications: ListedApplication[];
  next_cursor: string | null;
}
type Query = Record<string, string>;
const list = (query: Query) =>
  staff.must<Page>('GET', `/api/applications?${new URLSearchParams({ status: 'all', ...query })}`);
const search = (query: Query) =>
  staff.must<Page>('POST', '/api/applications/search', { status: 'all', ...query });
const count = (query: Query = {}) =>
  staff.must<{ total: number; pending: number }>(
    'GET',
    `/api/applications/count?${new URLSearchParams(query)}`,
  );
const countFound = (query: Query) =>
  staff.must<{ total: number; pending: number }>('POST', '/api/applications/search/count', query);
const idsOf = ({ applications }: Page) => applications.map(({ id }) => id);

describe('the list of applications', () => {
  it('is newest first, with neither gaps nor repeats between pages, searched or not', async () => {
    const rows: Stored[] = [];
    for (let i = 0; i < 55; i++) {
      // Some share an instant and are ordered by id.
      const created_at = i % 3 ? rows.at(-1)?.created_at : undefined;
      rows.push(await insertApplication({ name: 'Paginator', ...(created_at ? { created_at } : {}) }));
    }
    const expected = rows
      .toSorted((a, b) => Number(b.created_at) - Number(a.created_at) || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
    for (const [more, query] of [
      [list, { status: 'pending' }],
      [search, { search: 'paginator' }],
    ] as const) {
      const pages: string[][] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page: Page = await more({ ...query, ...(cursor ? { cursor } : {}) });
        pages.push(idsOf(page));
        cursor = page.next_cursor;
      }
      expect(pages.map(({ length }) => length)).toEqual([25, 25, 5]);
      expect(pages.flat()).toEqual(expected);
    }
  });

  it('is filtered by status, tier and text, alone and together, and shows pending ones if no status is given', async () => {
    const mine = { name: 'Filtered' };
    const pending = await insertApplication({ ...mine, selected_tier: 'elite' });
    const rejected = await insertApplication({ ...mine, status: 'rejected', selected_tier: 'elite' });
    const plain = await insertApplication({ ...mine, status: 'rejected' });
    expect(idsOf(await list({ tier: 'elite' }))).toEqual([rejected.id, pending.id]);
    expect(idsOf(await list({ status: 'rejected' }))).toEqual([plain.id, rejected.id]);
    expect(idsOf(await list({ status: 'rejected', tier: 'select' }))).toEqual([plain.id]);
    expect(idsOf(await search({ search: 'filtered', status: 'pending' }))).toEqual([pending.id]);
    expect(idsOf(await search({ search: 'FILTERED guest', tier: 'select' }))).toEqual([plain.id]);
    expect(idsOf(await search({ search: 'filtered nobody' }))).toEqual([]);
    const byDefault = await staff.must<Page>('GET', '/api/applications');
    expect(byDefault.applications.every(({ status }) => status === 'pending')).toBe(true);
  });

  it('finds the same by text among the newest and through the indexes as a plain comparison does', async () => {
    const { db } = app.services;
    const letters = fc.string({ unit: fc.constantFrom(...'abnÉ_%'), minLength: 1, maxLength: 4 });
    const stored: Stored[] = [];
    for (const name of fc.sample(letters, 60)) {
      stored.push(
        await insertApplication({ name: `${name} rnd`, status: name.length % 2 ? 'approved' : 'rejected' }),
      );
    }
    const ids = async (statement: SQL) => (await rowsOf<{ id: string }>(db, statement)).map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(letters, fc.constantFrom('approved', 'rejected'), async (text, status) => {
        const words = [...searchWords(text), 'rnd'];
        const filter: ApplicationFilter = { status, tier: 'all' };
        const expected = stored
          .filter((it) => it.status === status)
          .filter((it) => fold(`${it.name} guest ${it.user_id}@example.test`).includes(fold(text)))
          .map(({ id }) => id)
          .reverse();
        expect(await ids(amongNewestApplications(filter, words, null, 100))).toEqual(expected);
        expect(await ids(amongAllApplications(filter, words, null, 100))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

const fold = (text: string) => text.toLowerCase().replaceAll('é', 'e');

describe('the counters', () => {
  it('follow an application from survey to review and deletion', async () => {
    const applicant = await app.customer();
    const before = await count();
    const id = await applied(applicant, 'elite');
    expect(await count()).toEqual({ total: before.total + 1, pending: before.pending + 1 });
    const elite = await count({ tier: 'elite' });
    await applied(applicant, 'select');
    expect(await count({ tier: 'elite' })).toEqual({ ...elite, total: elite.total - 1 });
    const rejected = await count({ status: 'rejected' });
    await staff.must('POST', `/api/applications/${id}/reject`, {});
    expect(await count({ status: 'rejected' })).toEqual({
      total: rejected.total + 1,
      pending: before.pending,
    });
    const all = await count({ status: 'all' });
    const { db } = app.services;
    await db.delete(membership_applications).where(eq(membership_applications.id, id));
    expect(await count({ status: 'all' })).toEqual({ ...all, total: all.total - 1 });
  });

  it('count what a search finds, and all that are pending', async () => {
    const { pending } = await count();
    const name = `Counted${v7().slice(-4)}`;
    for (const selected_tier of ['elite', 'elite', null])
      await insertApplication({ name, status: 'approved', selected_tier });
    const found = { search: name.toUpperCase(), status: 'approved' };
    expect(await countFound(found)).toEqual({ total: 3, pending });
    expect(await countFound({ ...found, tier: 'elite' })).toEqual({ total: 2, pending });
    expect(await countFound({ search: name })).toEqual({ total: 0, pending });
    expect(await countFound({ search: '  ', status: 'approved' })).toEqual(
      await count({ status: 'approved' }),
    );
  });
});

describe('the query plans for any number of applications', () => {
  const stopped = new Error('stopped');
  async function plan(statement: SQL): Promise<string> {
    let text = '';
    await expect(
      app.services.db.transaction(async (tx) => {
        // Otherwise leftovers of earlier tests would decide between two indexes of an empty table.
        await tx.execute(sql`set local session_replication_role = replica`);
        await tx.execute(sql`insert into membership_applications (id, user_id, status, selected_tier, created_at, updated_at)
          select gen_random_uuid(), gen_random_uuid(), (array['pending', 'approved', 'rejected'])[n % 3 + 1],
              (array['select', 'premier', 'elite', null])[n % 4 + 1], now() - n * interval '1 hour', now()
            from generate_series(1, 600) n`);
        await tx.execute(sql`analyze membership_applications`);
        for (const off of ['seqscan', 'bitmapscan', 'sort'])
          await tx.execute(sql.raw(`set local enable_${off} = off`));
        text = (await rowsOf<{ 'QUERY PLAN': string }>(tx, sql`explain ${statement}`))
          .map((it) => it['QUERY PLAN'])
          .join('\n');
        throw stopped;
      }),
    ).rejects.toBe(stopped);
    return text;
  }
  const after = ['2026-01-01T00:00:00.000Z', '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f'];

  test.each<[string, ApplicationFilter]>([
    ['newest', { status: 'all', tier: 'all' }],
    ['of_status', { status: 'pending', tier: 'all' }],
    ['of_tier', { status: 'all', tier: 'elite' }],
    ['of_status_and_tier', { status: 'pending', tier: 'elite' }],
  ])('each filter reads a page from an index in list order: %s', async (index, filter) => {
    for (const position of [null, after]) {
      for (const statement of [
        newestApplications(filter, position, 26),
        amongNewestApplications(filter, ['ada'], position, 26),
      ]) {
        const text = await plan(statement);
        expect(text).toContain(`Index Scan Backward using applications_${index} `);
        expect(text).not.toContain('Sort');
      }
    }
  });
});

it('a list of applications shows no phone numbers, which the page of one application does', async () => {
  const { id, user_id } = await insertApplication({ name: 'Callable' });
  await app.services.db.update(profiles).set({ phone: '+43 1 5550199' }).where(eq(profiles.id, user_id));
  const [all, found] = [await list({}), await search({ search: 'Callable' })];
  expect(idsOf(found)).toEqual([id]);
  expect(JSON.stringify([all, found])).not.toMatch(/5550199|phone/);
  expect(await staff.must('GET', `/api/applications/${id}`)).toMatchObject({
    applicant: { phone: '+43 1 5550199' },
  });
});

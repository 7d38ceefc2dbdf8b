import { eq, type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { MemberRow } from '../../../src/contract/members.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { customers, memberships, profile_search, profiles } from '../../../src/server/db/schema.ts';
import { amongAll, amongNewest } from '../../../src/server/membership/member-search.ts';
import { searchWords } from '../../../src/server/membership/search-words.ts';
import { pour } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

interface NewMember {
  first_name?: string;
  last_name?: string;
  email?: string;
  phone?: string;
  member_since?: string;
  status?: 'active' | 'inactive';
}

/** Inserts a member directly into the database. Returns the customer id. */
async function insertMember(it: NewMember): Promise<string> {
  const { db, newId } = app.services;
  const [user_id, id] = [newId(), newId()];
  const { first_name = 'Ada', last_name = 'Guest', email = `${user_id}@example.test` } = it;
  const { phone } = it;
  await db.insert(profiles).values({ id: user_id, name: first_name, first_name, last_name, email, phone });
  await db.insert(customers).values({
    id,
    user_id,
    tier: 'select',
    status: it.status ?? 'active',
    member_since: it.member_since ?? '2026-01-01',
    created_at: app.clock.now(),
  });
  return id;
}

interface Page {
  members: MemberRow[];
  next_cursor: string | null;
}
const page = (search: string, cursor?: string) =>
  staff.must<Page>('POST', '/api/customers/search', { search, ...(cursor ? { cursor } : {}) });
const found = async (search: string) => (await page(search)).members.map((it) => it.id);

describe('staff find a member', () => {
  let ines = '';
  let percent = '';
  let lukasz = '';
  let elena = '';
  let wei = '';
  let phil = '';
  beforeAll(async () => {
    ines = await insertMember({ first_name: 'Inés', last_name: 'Carvalho', email: 'IC@quinta.test' });
    percent = await insertMember({
      first_name: '100%',
      last_name: 'Under_score',
      email: 'back\\slash@odd.test',
    });
    lukasz = await insertMember({ first_name: 'Łukasz', last_name: 'Weiß', email: 'lw@x.test' });
    elena = await insertMember({ first_name: 'Елена', last_name: 'ЙОРДАНОВА', email: 'ey@x.test' });
    wei = await insertMember({ first_name: '伟', last_name: '王', email: 'ww@x.test' });
    phil = await insertMember({ first_name: 'Phil', email: 'phil.ip@x.test', phone: '+44 (7700) 900-123' });
    await insertMember({ first_name: 'Former', last_name: 'Inesson', status: 'inactive' });
  });

  const cases: [string, string, () => string[]][] = [
    ['without the accent', 'ines', () => [ines]],
    ['with another accent and case', 'ÎNÊS', () => [ines]],
    ['decomposed, as some keyboards send it', 'Ine\u0301s', () => [ines]],
    ['by a part of the last name', 'rval', () => [ines]],
    ['by a part of the email', 'QUINTA.te', () => [ines]],
    ['by the whole email', 'PHIL.IP@x.test', () => [phil]],
    ['by the end of its first part, and all of the second', 'il.ip@x.test', () => [phil]],
    ['not by another second part', 'phil.ip@x.tests', () => []],
    ['by a whole email with signs', 'back\\slash@odd', () => [percent]],
    ['by several words', 'ines carv', () => [ines]],
    ['by several words in another order, with extra spaces', '  carv   iné ', () => [ines]],
    ['not when one word does not match', 'ines weiss', () => []],
    ['by two letters', 'rv', () => [ines]],
    ['by one letter and a word', 'v ines', () => [ines]],
    ['by a literal percent sign', '%', () => [percent]],
    ['by a literal underscore', 'r_s', () => [percent]],
    ['by a literal backslash', 'k\\s', () => [percent]],
    ['not by wildcards', 'i%s', () => []],
    ['by plain letters for Ł and ß', 'lukasz weiss', () => [lukasz]],
    ['in Cyrillic in another case', 'елена йордан', () => [elena]],
    ['by two Cyrillic letters', 'ЙО', () => [elena]],
    ['by a name of one character', '王', () => [wei]],
    ['by the end of a phone number', '7700900123', () => [phil]],
    ['by a phone number as people write it', '(7700) 900-123', () => [phil]],
    ['by a phone number with its country', '+44 7700.900.123', () => [phil]],
    ['by a name and a phone number', 'phil 900-123', () => [phil]],
    ['by a phone number copied with marks of direction', '\u202A+44 7700\u202C', () => [phil]],
    ['by an email pasted with invisible marks', '\uFEFFphil.ip@\u200Bx.test\u200E', () => [phil]],
    ['not by letters across two fields', 'scarvalho', () => []],
    ['not when the membership has ended', 'inesson', () => []],
    ['not by quotes and braces', `'{"`, () => []],
  ];
  test.each(cases)('%s: %j', async (_, text, ids) => {
    expect(await found(text)).toEqual(ids());
  });

  test.each(cases)('through the indexes alone, %s: %j', async (_, text, ids) => {
    const rows = await rowsOf<MemberRow>(app.services.db, amongAll(searchWords(text), null, 31));
    expect(rows.map((it) => it.id)).toEqual(ids());
  });
});

describe('the search is up to date after', () => {
  it('a change of name and email', async () => {
    const id = await insertMember({ first_name: 'Beatrix', email: 'bea@old.test' });
    const { db } = app.services;
    const of = sql`id = (select user_id from customers where id = ${id})`;
    await db.update(profiles).set({ first_name: 'Zoë', email: 'zoe@new.test' }).where(of);
    expect(await found('beatrix')).toEqual([]);
    expect(await found('bea@old')).toEqual([]);
    expect(await found('zoe@new')).toEqual([id]);
  });

  it('a change of phone', async () => {
    const id = await insertMember({ first_name: 'Oda', phone: '5550188' });
    const of = sql`id = (select user_id from customers where id = ${id})`;
    await app.services.db.update(profiles).set({ phone: '555-0199' }).where(of);
    expect(await found('5550188')).toEqual([]);
    expect(await found('5550199')).toEqual([id]);
  });

  it('a pour: the row shows what is left', async () => {
    const id = await insertMember({ first_name: 'Gwendolyn' });
    await app.services.db.insert(memberships).values({
      ...{ id: app.services.newId(), customer_id: id, tier: 'select', status: 'active' },
      ...{ start_date: '2026-01-01', monthly_price_cents: 3900 },
    });
    const left = async () => (await page('gwendolyn')).members.map((it) => it.pours_balance);
    const [before = 0] = await left();
    await pour(staff, id, { quantity: 2 });
    expect(await left()).toEqual([before - 2]);
  });

  it('the end and restart of a membership', async () => {
    const id = await insertMember({ first_name: 'Thaddeus' });
    const { db } = app.services;
    await db.update(customers).set({ status: 'inactive' }).where(eq(customers.id, id));
    expect(await found('thaddeus')).toEqual([]);
    await db
      .update(customers)
      .set({ status: 'active', member_since: '2026-03-03' })
      .where(eq(customers.id, id));
    expect((await page('thaddeus')).members).toMatchObject([{ id, member_since: '2026-03-03' }]);
  });

  it('the deletion of a user', async () => {
    const id = await insertMember({ first_name: 'Ephemera' });
    const { db } = app.services;
    const [row] = await db.delete(customers).where(eq(customers.id, id)).returning();
    await db.delete(profiles).where(eq(profiles.id, row?.user_id ?? ''));
    expect(await found('ephemera')).toEqual([]);
    expect(await db.$count(profile_search, eq(profile_search.user_id, row?.user_id ?? ''))).toBe(0);
  });
});

describe('the order of the results', () => {
  it('is newest first, then by descending id, with neither gaps nor repeats between pages', async () => {
    const ids: { id: string; member_since: string }[] = [];
    for (let i = 0; i < 70; i++) {
      const member_since = `2025-0${1 + (i % 3)}-10`;
      ids.push({ id: await insertMember({ last_name: 'Paginator', member_since }), member_since });
    }
    const expected = ids
      .toSorted((a, b) => (`${a.member_since} ${a.id}` < `${b.member_since} ${b.id}` ? 1 : -1))
      .map((it) => it.id);
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { members, next_cursor }: Page = await page('paginator', cursor);
      pages.push(members.map((it) => it.id));
      cursor = next_cursor;
    }
    expect(pages.map((it) => it.length)).toEqual([30, 30, 10]);
    expect(pages.flat()).toEqual(expected);
  });

  it('without a search is the five newest members', async () => {
    const id = await insertMember({ member_since: '2026-06-01' });
    const { members, next_cursor } = await page('   ');
    expect(members).toHaveLength(5);
    expect(members[0]?.id).toBe(id);
    expect(next_cursor).toBeNull();
  });
});

describe('the query plans for any number of members', () => {
  const rolledBack = new Error('rolled back');

  /** The plan of a statement after another one ran. Both are rolled back. */
  async function plan(first: SQL, statement: SQL): Promise<string> {
    let text = '';
    const explained = app.services.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      await tx.execute(first);
      const rows = await rowsOf<{ 'QUERY PLAN': string }>(tx, sql`explain ${statement}`);
      text = rows.map((it) => it['QUERY PLAN']).join('\n');
      throw rolledBack;
    });
    await expect(explained).rejects.toBe(rolledBack);
    return text;
  }

  test.each([
    ['the start', null],
    ['a position', { day: '2026-01-01', id: '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f' }],
  ])('the newest members from %s are read in index order', async (_, after) => {
    // A sort would mean that the index with this order is not used.
    const text = await plan(sql`set local enable_sort = off`, amongNewest(['ines'], after, 31));
    expect(text).toContain('Index Only Scan Backward using profile_search_newest');
    expect(text).not.toContain('Sort Key: profile_search');
  });

  test.each([
    ['ines', 'trigrams'],
    ['Ödön', 'trigrams'],
    ['x', 'ngrams'],
    ['xq', 'ngrams'],
    ['Йо', 'ngrams'],
    ['王', 'ngrams'],
    ['@', 'ngrams'],
    ['phil.ip@x.test', 'trigrams'],
  ])('%s uses the index of %s', async (word, index) => {
    // With few members the planner prefers the ordered index, so it is dropped first.
    const text = await plan(sql`drop index profile_search_newest`, amongAll([word], null, 31));
    expect(text).toContain(`Bitmap Index Scan on profile_search_${index}`);
  });
});

it('a profile of the longest allowed text is stored and found, even in the script that folding makes longest', async () => {
  // Each syllable is folded to three characters of three bytes: more than an index could hold of all of them.
  const name = '\uac01'.repeat(80);
  const id = await insertMember({ first_name: name, last_name: name, email: `${'x'.repeat(240)}@long.test` });
  expect(await found('\uac01\uac01\uac01 @long.test')).toEqual([id]);
});

it('the search agrees with a plain comparison of folded text', { timeout: 60_000 }, async () => {
  const { db } = app.services;
  const name = fc.string({ unit: fc.constantFrom(...'aéEb ñßø%_\\王-\'"{}'), minLength: 1, maxLength: 8 });
  const typed = fc.string({ unit: fc.constantFrom(...'aeEbnso%_\\王-\'"{} '), maxLength: 5 });
  const mark = v7();
  const names = fc.sample(fc.tuple(name, name), 150);
  for (const [first_name, last_name] of names) {
    await insertMember({ first_name, last_name, email: `${v7()}@${mark}` });
  }
  const fold = (text: string) =>
    text
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ø', 'o');
  const stored = await db.select().from(profiles).innerJoin(customers, eq(customers.user_id, profiles.id));
  await fc.assert(
    fc.asyncProperty(typed, async (text) => {
      const words = searchWords(text);
      fc.pre(words.length > 0);
      const expected = stored
        .filter(({ customers: c, profiles: p }) => {
          const fields = fold(`${p.first_name} ${p.last_name} ${p.email}`);
          return c.status === 'active' && words.every((word) => fields.includes(fold(word)));
        })
        .map((it) => it.customers.id);
      const rows = await rowsOf<MemberRow>(db, amongAll(words, null, 10_000));
      expect(rows.map((it) => it.id).sort()).toEqual(expected.sort());
    }),
    { numRuns: 150 },
  );
});

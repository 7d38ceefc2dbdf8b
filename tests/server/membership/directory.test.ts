import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { BarCard } from '../../../src/contract/members.ts';
import type { ListedMember } from '../../../src/contract/staff/directory.ts';
import { addDays, atHour, localDate, startOfDay } from '../../../src/domain/calendar.ts';
import {
  DIRECTIONS,
  LISTED_DUES,
  LISTED_STANDINGS,
  type ListedDues,
  MEMBER_ORDERS,
} from '../../../src/domain/staff/member-filter.ts';
import { STAFF_PERMISSIONS } from '../../../src/domain/staff/staff-permission.ts';
import { barStanding, SUBSCRIPTION_STATUSES } from '../../../src/domain/standing.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { customers, member_directory, memberships, profiles } from '../../../src/server/db/schema.ts';
import { hasStanding } from '../../../src/server/membership/directory/directory-filter.ts';
import { cardMember, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/members.md, "The list of members".

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

interface Page {
  members: ListedMember[];
  next_cursor: string | null;
}
type Asked = Record<string, unknown>;

const page = (asked: Asked, cursor?: string | null) =>
  staff.must<Page>('POST', '/api/directory', { ...asked, ...(cursor ? { cursor } : {}) });

async function all(asked: Asked): Promise<ListedMember[]> {
  const members: ListedMember[] = [];
  let cursor: string | null = null;
  do {
    const next: Page = await page(asked, cursor);
    members.push(...next.members);
    cursor = next.next_cursor;
  } while (cursor);
  return members;
}
const names = (members: ListedMember[]) => members.map((it) => `${it.first_name} ${it.last_name}`);
const named = async (asked: Asked) => names(await all({ search: 'listed', ...asked }));
const count = (asked: Asked) =>
  staff.must<{ count: number; more: boolean }>('POST', '/api/directory/count', asked);

/** Inserts members without a sign-in, in one statement: `crowd`, with few different days, so that many are equal. */
async function insertCrowd(size: number): Promise<void> {
  await app.services.db.execute(sql`
    with people as (
      insert into profiles (id, name, first_name, last_name, email)
      select gen_random_uuid(), 'Crowd', 'Crowd', (array['Éclair', 'Adams', 'Ødegaard'])[1 + i % 3],
             'crowd' || i || '@example.test'
        from generate_series(1, ${size}::integer) i returning id, email
    ), joined as (
      insert into customers (id, user_id, tier, status, member_since, created_at)
      select gen_random_uuid(), id, (array['select', 'elite'])[1 + length(email) % 2],
             (array['active', 'inactive'])[1 + length(email) % 2],
             date '2025-01-01' + (substring(email, '\\d+')::integer % 4), now() from people returning id, member_since
    ) select 1`);
  await app.services.db.execute(sql`
    update member_visit v set last_visit = timestamptz '2026-01-01 20:00+00' + (hashtext(v.customer_id::text) % 3) * interval '1 day'
      from member_directory d where d.customer_id = v.customer_id and d.sort_name like '%crowd' and hashtext(v.customer_id::text) % 2 = 0`);
}

describe('emails and phone numbers', () => {
  it.each(['manage_members', 'see_reports'])('are shown to staff with %s alone', async (permission) => {
    const { caller } = await venueMember(app, staff);
    const bartender = await app.staff();
    const [shown] = (await all({})).filter(({ user_id }) => user_id === caller.id);
    const asBartender = async () => {
      const { members } = await bartender.must<Page>('POST', '/api/directory', { search: shown?.email });
      return members.find(({ user_id }) => user_id === caller.id);
    };
    const path = `/api/team/${bartender.id}/permissions/`;
    for (const all of STAFF_PERMISSIONS) await staff.must('PUT', `${path}${all}`, { given: false });
    expect(await asBartender()).toEqual({ ...shown, email: null, phone: null });
    const give = { given: true, password: PASSWORD };
    await staff.must('PUT', `${path}manage_money`, give);
    expect(await asBartender()).toMatchObject({ email: null, phone: null });
    await staff.must('PUT', `${path}${permission}`, give);
    expect(await asBartender()).toEqual(shown);
    expect(shown).toMatchObject({ email: expect.stringContaining('@'), phone: '+43 1 234567' });
  });
});

describe('pages', () => {
  beforeAll(() => insertCrowd(130));

  const keyOf = (it: ListedMember, order: string) =>
    order === 'name'
      ? `${it.last_name} ${it.first_name}`
          .normalize('NFD')
          .replace(/[\u0300-\u036f]/g, '')
          .replace('Ø', 'o')
          .toLowerCase()
      : order === 'joined'
        ? it.member_since
        : (it.last_visit ?? '');

  test.each(MEMBER_ORDERS.flatMap((order) => DIRECTIONS.map((direction) => [order, direction] as const)))(
    'by %s, %s: every member once, in the order of sorting them all',
    async (order, direction) => {
      for (const search of ['', 'crowd']) {
        const listed = await all({ order, direction, search });
        const sign = direction === 'asc' ? 1 : -1;
        const sorted = [...listed].sort((a, b) => {
          const [x, y] = [`${keyOf(a, order)}\n${a.id}`, `${keyOf(b, order)}\n${b.id}`];
          return x < y ? -sign : sign;
        });
        expect(listed.map((it) => it.id)).toEqual(sorted.map((it) => it.id));
        const where = search ? sql`sort_name like '%crowd'` : undefined;
        expect(new Set(listed.map((it) => it.id)).size).toBe(
          await app.services.db.$count(member_directory, where),
        );
        expect(listed.length).toBe(new Set(listed.map((it) => it.id)).size);
      }
    },
  );

  it('repeats and skips no unchanged member while others change between pages', async () => {
    const before = await all({ search: 'crowd', order: 'joined' });
    const first = await page({ search: 'crowd', order: 'joined' });
    const seen = first.members;
    const unseen = before.slice(seen.length);
    // A shown member joins later, an unseen one moves to the front, and the last one shown leaves.
    const moved = [seen[3], unseen[10], seen.at(-1)].map((it) => it?.id ?? '');
    for (const [place, id] of moved.entries()) {
      const member_since = place === 0 ? '2024-01-01' : '2025-06-01';
      await app.services.db.update(customers).set({ member_since }).where(eq(customers.id, id));
    }
    const rest: ListedMember[] = [];
    for (let cursor = first.next_cursor; cursor; ) {
      const next: Page = await page({ search: 'crowd', order: 'joined' }, cursor);
      rest.push(...next.members);
      cursor = next.next_cursor;
    }
    const still = (members: ListedMember[]) => members.map((it) => it.id).filter((id) => !moved.includes(id));
    expect([...still(seen), ...still(rest)]).toEqual(still(before));
  });

  it('starts over for a cursor of another order, or one it never gave out', async () => {
    const first = await page({ order: 'name' });
    const { next_cursor } = await page({ order: 'joined' });
    expect((await page({ order: 'name' }, next_cursor)).members).toEqual(first.members);
    const forged = Buffer.from(JSON.stringify(['visited desc', 'x', first.members[0]?.id])).toString(
      'base64url',
    );
    const newest = await page({ order: 'visited' });
    expect((await page({ order: 'visited' }, forged)).members).toEqual(newest.members);
  });

  it('counts the matches of the filter', async () => {
    expect(await count({ search: 'crowd' })).toEqual({ count: 130, more: false });
    expect(await count({ search: 'crowd', joined_from: '2025-06-01', joined_to: '2025-06-01' })).toEqual({
      count: 2,
      more: false,
    });
  });
});

describe('filters', () => {
  let byCard: string;
  let atVenue: string;
  beforeAll(async () => {
    const [card, venue] = [await cardMember(app, 'elite'), await venueMember(app, staff)];
    byCard = card.customer_id;
    atVenue = venue.customer_id;
    await card.caller.must('PATCH', '/api/profile', { first_name: 'Cara', last_name: 'Listed' });
    await venue.caller.must('PATCH', '/api/profile', { first_name: 'Vera', last_name: 'Listed' });
  });

  const cases: [string, Asked, string[]][] = [
    ['nothing', {}, ['Cara Listed', 'Vera Listed']],
    ['a tier', { tier: 'elite' }, ['Cara Listed']],
    ['who pays by card', { payment: 'card' }, ['Cara Listed']],
    ['who pays at the venue', { payment: 'venue' }, ['Vera Listed']],
    ['a standing', { standing: 'active' }, ['Cara Listed']],
    ['the standing of those who pay at the venue', { standing: 'venue' }, ['Vera Listed']],
    ['who never came', { visited: 'never' }, ['Cara Listed', 'Vera Listed']],
    ['who came this week', { visited: 'within-7' }, []],
    ['two things at once', { tier: 'elite', payment: 'venue' }, []],
  ];
  test.each(cases)('by %s: %j', async (_, asked, expected) => {
    expect(await named(asked)).toEqual(expected);
    expect(await count({ search: 'listed', ...asked })).toEqual({ count: expected.length, more: false });
  });

  // Days from today until the first unpaid one, and until the end of grace.
  const paying: [ListedDues | null, number | null, number | null, object][] = [
    [null, 8, 15, {}],
    ['due', 7, 14, {}],
    ['due', 1, 8, {}],
    [null, 1, 8, { ends_on: '2020-01-01' }],
    ['overdue', 0, 7, {}],
    ['overdue', -6, 1, {}],
    [null, -6, 1, { ends_on: '2020-01-01' }],
    [null, -7, 0, {}],
    ['not_counted', null, null, {}],
    [null, null, null, { monthly_price_cents: 0 }],
    [null, null, null, { is_gift: true, ends_on: '2099-01-01' }],
  ];
  test.each(paying)(
    '%s by payments at the venue: unpaid in %s days, without access in %s, %j',
    async (dues, unpaid, ends, more) => {
      const { db } = app.services;
      const today = localDate(app.clock.now(), VENUE_ZONE);
      const inDays = (days: number | null) => (days === null ? null : addDays(today, days));
      const [paid_until, grace_until] = [inDays(unpaid), inDays(ends)];
      const [before] = await db.select().from(memberships).where(eq(memberships.customer_id, atVenue));
      if (!before) throw new Error('The member has a membership');
      const isTheirs = eq(memberships.id, before.id);
      await db
        .update(memberships)
        .set({ paid_until, grace_until, ...more })
        .where(isTheirs);
      for (const filter of LISTED_DUES) {
        const expected = filter === dues ? ['Vera Listed'] : [];
        expect([filter, await named({ dues: filter })]).toEqual([filter, expected]);
        expect((await count({ search: 'listed', dues: filter })).count).toBe(expected.length);
      }
      const [vera] = await all({ search: 'listed', payment: 'venue' });
      expect(vera?.paid_until).toBe(paid_until);
      await db.update(memberships).set(before).where(isTheirs);
    },
  );

  it('finds the last visit as the ledger has it: poured, voided, long ago', async () => {
    const poured = await pour(staff, atVenue);
    const { pour: first } = poured.body as { pour: { id: string; created_at: string } };
    const [vera] = await all({ search: 'listed', visited: 'within-7' });
    expect(vera).toMatchObject({ first_name: 'Vera', last_visit: first.created_at, total_pours_lifetime: 1 });
    app.clock.advance({ days: 25 });
    expect(await named({ visited: 'within-7' })).toEqual([]);
    expect(await named({ visited: 'within-30' })).toEqual(['Vera Listed']);
    expect(await named({ visited: 'over-21' })).toEqual(['Vera Listed']);
    await staff.must('POST', `/api/pours/${first.id}/void`, { reason: 'Not hers' });
    expect(await named({ visited: 'never' })).toEqual(['Cara Listed', 'Vera Listed']);
  });

  it('counts the days since the last visit by the venue’s midnight', async () => {
    const day = addDays(localDate(app.clock.now(), VENUE_ZONE), 1);
    app.clock.set(atHour(day, 9, VENUE_ZONE));
    const { body } = await pour(staff, atVenue);
    const midnight = startOfDay(addDays(day, 8), VENUE_ZONE);
    app.clock.set(new Date(midnight.getTime() - 1000));
    expect(await named({ visited: 'within-7' })).toEqual(['Vera Listed']);
    app.clock.set(midnight);
    expect(await named({ visited: 'within-7' })).toEqual([]);
    await staff.must('POST', `/api/pours/${(body.pour as { id: string }).id}/void`, { reason: 'Not hers' });
  });

  it('includes former members, and rows of deleted accounts without name and email', async () => {
    const leaving = await venueMember(app, staff);
    await leaving.caller.must('PATCH', '/api/profile', { first_name: 'Lea', last_name: 'Listed' });
    await leaving.caller.must('POST', '/api/privacy/delete-account', {
      password: 'correct horse',
      confirmation: 'DELETE',
    });
    expect(await named({})).toEqual(['Cara Listed', 'Vera Listed']);
    const former = (await all({ standing: 'inactive' })).find((it) => it.id === leaving.customer_id);
    expect(former).toMatchObject({ first_name: 'Former', email: null, phone: null, former: true });
  });

  it('shows each member’s standing as the card at the bar does', async () => {
    // A month began meanwhile: its payment is in before both are read.
    await sweep(app.services.billing);
    await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
    for (const id of [byCard, atVenue]) {
      const { standing, pours_balance, tier_label } = await staff.must<BarCard>(
        'GET',
        `/api/customers/${id}/bar`,
      );
      const [listed] = (await all({ search: 'listed' })).filter((it) => it.id === id);
      expect(listed).toMatchObject({ standing, pours_balance, tier_label });
    }
  });
});

test('the filter by standing finds the members with that standing by the rule, whatever the subscription', async () => {
  const now = app.clock.now();
  const instant = fc.option(
    fc.constantFrom(-1, 0, 1).map((minutes) => new Date(now.getTime() + minutes * 60_000)),
  );
  const status = fc.constantFrom(null, ...SUBSCRIPTION_STATUSES, 'new_at_stripe');
  const facts = fc.record({
    active: fc.boolean(),
    status,
    grace_until: instant,
    ends_at: instant,
    paused_from: instant,
    paused_until: instant,
  });
  const at = (value: Date | null) => sql`${value?.toISOString() ?? null}::timestamptz`;
  await fc.assert(
    fc.asyncProperty(fc.array(facts, { minLength: 30, maxLength: 60 }), async (members) => {
      const rows = sql.join(
        members.map(
          (it, place) =>
            sql`(${place}::integer, ${it.active ? 'active' : 'inactive'}, ${it.status}::text, ${at(it.grace_until)}, ${at(it.ends_at)}, ${at(it.paused_from)}, ${at(it.paused_until)})`,
        ),
        sql`, `,
      );
      for (const standing of LISTED_STANDINGS) {
        const found = await rowsOf<{ place: number }>(
          app.services.db,
          sql`select place from (values ${rows}) as d(place, status, stripe_status, grace_until, ends_at, paused_from, paused_until)
               where ${hasStanding(standing, now)} order by place`,
        );
        const expected = members.flatMap((it, place) => {
          const subscription = it.status && {
            status: it.status,
            cancel_at_period_end: false,
            current_period_end: now,
            cancel_at: it.ends_at,
            grace_until: it.grace_until,
            paused_from: it.paused_from,
            paused_until: it.paused_until,
          };
          const has = barStanding(
            { active: it.active, subscription: subscription || null, ended_on: null, pause: it },
            now,
            'UTC',
          );
          return has.standing === standing ? [place] : [];
        });
        expect({ standing, found: found.map((it) => it.place) }).toEqual({ standing, found: expected });
      }
    }),
    { numRuns: 10 },
  );
});

test('the list follows a change of name', async () => {
  const { caller } = await venueMember(app, staff);
  await caller.must('PATCH', '/api/profile', { first_name: 'Zoë', last_name: 'Zuletzt' });
  const [last] = (await page({ order: 'name', direction: 'desc' })).members;
  expect(last).toMatchObject({ first_name: 'Zoë', last_name: 'Zuletzt' });
  const { db } = app.services;
  const [key] = await db
    .select({ sort_name: member_directory.sort_name })
    .from(member_directory)
    .innerJoin(profiles, eq(profiles.id, member_directory.user_id))
    .where(eq(profiles.last_name, 'Zuletzt'));
  expect(key?.sort_name).toBe('zuletzt zoe');
});

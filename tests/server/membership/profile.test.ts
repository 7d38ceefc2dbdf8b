import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { customers, pour_voids, pours, profiles } from '../../../src/server/db/schema.ts';
import { pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const stored = async (id: string) =>
  (await app.services.db.select().from(profiles).where(eq(profiles.id, id)))[0];

describe('PATCH /api/profile', () => {
  it('changes names and phone everywhere at once', async () => {
    const customer = await app.customer();
    const { email } = (await stored(customer.id))!;
    const changed = { first_name: 'Augusta', last_name: 'King', phone: '+44 20 1' };
    expect(await customer.must('PATCH', '/api/profile', { ...changed, first_name: '  Augusta ' })).toEqual({
      id: customer.id,
      email,
      ...changed,
    });
    expect(await stored(customer.id)).toMatchObject({ ...changed, name: 'Augusta King', email });
    expect(await customer.must('GET', '/api/session')).toMatchObject({ user: changed });
    expect(await customer.must('GET', '/api/customers/own')).toMatchObject({ profile: changed });
  });

  it('keeps fields that are not sent', async () => {
    const customer = await app.customer({ last_name: 'Byron' });
    await customer.must('PATCH', '/api/profile', { first_name: 'Anne' });
    expect(await stored(customer.id)).toMatchObject({
      first_name: 'Anne',
      last_name: 'Byron',
      name: 'Anne Byron',
      phone: '+43 1 234567',
    });
  });

  test.each([[''], ['  '], [null]])('a phone of %j removes the number', async (phone) => {
    const customer = await app.customer();
    await customer.must('PATCH', '/api/profile', { phone });
    expect((await stored(customer.id))?.phone).toBeNull();
    expect(await customer.must('GET', '/api/session')).toMatchObject({ user: { phone: null } });
  });

  test.each([
    ['an email', { email: 'other@example.test' }],
    ['a role', { role: 'staff' }],
    ['an id', { id: '00000000-0000-7000-8000-000000000000' }],
    ['a display name', { name: 'Other Name' }],
    ['an empty first name', { first_name: ' ' }],
    ['an empty last name', { last_name: '' }],
    ['no first name at all', { first_name: null }],
    ['a name too long', { first_name: 'a'.repeat(81) }],
    ['a number for a phone', { phone: 43 }],
    ['a NUL character', { last_name: 'a\0b' }],
  ])('%s is refused, and nothing changes', async (_, wrong) => {
    const customer = await app.customer();
    const before = await stored(customer.id);
    expect((await customer.call('PATCH', '/api/profile', { first_name: 'New', ...wrong })).status).toBe(400);
    expect(await stored(customer.id)).toEqual(before);
  });

  it('changes only one’s own profile, and is refused for visitors and staff', async () => {
    const [one, other] = [await app.customer(), await app.customer()];
    const before = await stored(other.id);
    await one.must('PATCH', '/api/profile', { first_name: 'Mine' });
    expect(await stored(other.id)).toEqual(before);
    expect((await app.visitor().call('PATCH', '/api/profile', { first_name: 'X' })).status).toBe(401);
    expect((await (await app.staff()).call('PATCH', '/api/profile', { first_name: 'X' })).status).toBe(403);
  });
});

describe('what members see about themselves', () => {
  it('their own visits (days with a pour) and glasses per month', async () => {
    app.clock.set('2026-04-01T06:30:00Z');
    const staff = await app.staff();
    const member = await venueMember(app, staff, 'household');
    const other = await venueMember(app, staff, 'household');
    await pour(staff, member.customer_id);
    await pour(staff, member.customer_id, { quantity: 2 });
    await pour(staff, other.customer_id);
    app.clock.advance({ minutes: 45 });
    await pour(staff, member.customer_id);
    app.clock.set('2026-06-15T12:00:00Z');
    await pour(staff, member.customer_id);

    const months = await member.caller.must<{ month: string }[]>('GET', '/api/pours/months');
    // From the month in which the membership began.
    expect(months).toEqual([
      { month: '2026-03', visits: 1, glasses: 3 },
      { month: '2026-04', visits: 1, glasses: 1 },
      { month: '2026-05', visits: 0, glasses: 0 },
      { month: '2026-06', visits: 1, glasses: 1 },
    ]);
    const { db } = app.services;
    const since = (member_since: string) =>
      db.update(customers).set({ member_since }).where(eq(customers.id, member.customer_id));
    const monthsOf = async () =>
      (await member.caller.must<{ month: string }[]>('GET', '/api/pours/months')).map(({ month }) => month);
    await since('2026-06-01');
    expect(await monthsOf(), 'came back, with visits from before').toEqual(months.map(({ month }) => month));
    await since('2020-01-01');
    const all = await monthsOf();
    expect([all.length, all[0], all[11]], 'never more than twelve').toEqual([12, '2025-07', '2026-06']);
    const [last] = await db.select().from(pours).orderBy(desc(pours.created_at)).limit(1);
    await db
      .insert(pour_voids)
      .values({ pour_id: last!.id, voided_by_staff_id: staff.id, created_at: app.clock.now() });
    expect((await member.caller.must<object[]>('GET', '/api/pours/months')).at(-1)).toEqual({
      month: '2026-06',
      visits: 0,
      glasses: 0,
    });
  });

  it('is refused for staff', async () => {
    const staff = await app.staff();
    expect((await staff.call('GET', '/api/pours/months')).status).toBe(403);
  });
});

import { and, eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeStaff } from '../../src/server/auth/staff-accounts.ts';
import { sessions, staff_pin } from '../../src/server/db/schema.ts';
import { createTestApp, PASSWORD, type TestApp } from '../support/harness/app.ts';
import type { Caller } from '../support/harness/caller.ts';
import { createDatabase } from '../support/harness/postgres.ts';

const PIN = '8042';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let tablet: Caller;
beforeAll(async () => {
  database = await createDatabase();
  app = await createTestApp({ databaseUrl: database.url });
  tablet = await app.staff();
  await tablet.must('POST', '/api/bar-devices', { name: 'Bar', idle_minutes: 5, password: PASSWORD });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

async function bartender(): Promise<Caller & { email: string }> {
  const caller = await app.staff();
  await caller.must('PUT', '/api/staff-pin', { pin: PIN, password: PASSWORD });
  const { user } = await caller.must<{ user: { email: string } }>('GET', '/api/session');
  return Object.assign(caller, { email: user.email });
}
const switchIn = ({ id: user_id }: Caller, pin = PIN) =>
  tablet.call<{ code?: string }>('POST', '/api/bar-device/person', { user_id, pin });

it('many wrong PINs at once get no more tries than the same in turn', async () => {
  const ann = await bartender();
  const answers = await Promise.all(Array.from({ length: 20 }, () => switchIn(ann, '7391')));
  const codes = answers.map((it) => it.body.code);
  expect(codes.filter((code) => code === 'WRONG_PIN')).toHaveLength(4);
  expect(codes.filter((code) => code === 'PIN_LOCKED')).toHaveLength(16);
});

it('of many who switch in at once, at most one is in, and never one who is being removed', async () => {
  const { db } = app.services;
  for (let round = 0; round < 4; round++) {
    const [ann, ben] = [await bartender(), await bartender()];
    await Promise.all([switchIn(ann), switchIn(ben), switchIn(ann), removeStaff(app.services, ben.email)]);
    expect(await db.$count(sessions, eq(sessions.userId, ben.id))).toBe(0);
    const { user } = await tablet.must<{ user: { id: string } | null }>('GET', '/api/session');
    expect([ann.id, undefined]).toContain(user?.id);
  }
});

it('a PIN removed or changed while its owner switches in leaves nobody in', async () => {
  const { db } = app.services;
  for (let round = 0; round < 4; round++) {
    const ann = await bartender();
    const ends = [
      () => db.delete(staff_pin).where(eq(staff_pin.user_id, ann.id)),
      () => ann.must('PUT', '/api/staff-pin', { pin: '5913', password: PASSWORD }),
    ][round % 2]!;
    await Promise.all([switchIn(ann), ends()]);
    const under_pin = and(eq(sessions.userId, ann.id), isNotNull(sessions.bar_device_id));
    expect(await db.$count(sessions, under_pin)).toBe(0);
  }
});

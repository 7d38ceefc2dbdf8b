import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { customers } from '../../src/server/db/schema.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { type Member, pour, venueMember } from '../support/fixtures/members.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

const { app, staff } = await openRaceApp();

const ok = (answers: { status: number }[]) => answers.filter((it) => it.status < 300).length;
const left = async ({ caller }: Member) =>
  (await caller.must<{ pours: { available_pours: number } }>('GET', '/api/customers/own')).pours
    .available_pours;
const given = async ({ caller }: Member) => {
  const { id, url } = await caller.must<{ id: string; url: string }>('POST', '/api/guest-glasses', {});
  const token = url.split('#')[1];
  await app.visitor().must('POST', '/api/guest-glasses/state-age', { token, age: 21 });
  return id;
};

it('a code shown at ten bars at once is one glass', async () => {
  const member = await venueMember(app, staff, 'select');
  const guest_glass_id = await given(member);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => pour(staff, member.customer_id, { guest_glass_id })),
  );
  expect(ok(answers)).toBe(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(await left(member)).toBe(3);
});

it('a glass withdrawn while it is being poured is either withdrawn or poured', async () => {
  for (let round = 0; round < 4; round++) {
    const member = await venueMember(app, staff, 'select');
    const guest_glass_id = await given(member);
    const [withdrawn, poured] = await Promise.all([
      member.caller.call('DELETE', `/api/guest-glasses/${guest_glass_id}`),
      pour(staff, member.customer_id, { guest_glass_id }),
    ]);
    expect([withdrawn, poured].filter(({ status }) => status >= 500)).toEqual([]);
    expect(ok([withdrawn, poured])).toBe(1);
    expect(await left(member)).toBe(ok([poured]) ? 3 : 4);
  }
});

it('glasses given at once are no more than the tier allows', async () => {
  const member = await venueMember(app, staff, 'select');
  const { db } = app.services;
  const answers = await db.transaction(async (tx) => {
    await tx.select().from(customers).where(eq(customers.id, member.customer_id)).for('update');
    // Both have begun before either goes on.
    const calls = [1, 2].map(() => member.caller.call('POST', '/api/guest-glasses', {}));
    await untilBlocked(db, 2);
    return { calls };
  });
  const done = await Promise.all(answers.calls);
  expect(done.map(({ body }) => body.code)).toContain('GUEST_GLASS_LIMIT');
  expect(ok(done)).toBe(1);
});

it('glasses given and poured at once never exceed what the month has', async () => {
  const member = await venueMember(app, staff, 'select');
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => pour(staff, member.customer_id)),
    member.caller.call('POST', '/api/guest-glasses', {}),
  ]);
  expect(ok(answers)).toBe(4);
  expect(await left(member)).toBe(0);
});

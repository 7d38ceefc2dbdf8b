import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pour_voids } from '../../src/server/db/schema.ts';
import { pour, venueMember } from '../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import type { Caller } from '../support/harness/caller.ts';
import { createDatabase } from '../support/harness/postgres.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let staff: Caller;
let colleague: Caller;
beforeAll(async () => {
  database = await createDatabase();
  app = await createTestApp({ databaseUrl: database.url });
  staff = await app.staff();
  colleague = await app.staff();
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const voidPour = (who: Caller, id: string) =>
  who.call('POST', `/api/pours/${id}/void`, { reason: 'Spilled' });
const state = (caller: Caller) =>
  caller.must<{ customer: { pours_balance: number; total_pours_lifetime: number } }>(
    'GET',
    '/api/customers/own',
  );

it('a pour voided twice at once is voided once, and its glass can be poured at most once', async () => {
  for (let round = 0; round < 10; round++) {
    const { caller, customer_id } = await venueMember(app, staff);
    await pour(staff, customer_id, { quantity: 3 });
    const last = await pour(staff, customer_id);
    const { id } = last.body.pour as { id: string };

    const [first, second, ...pours] = await Promise.all([
      voidPour(staff, id),
      voidPour(colleague, id),
      pour(staff, customer_id),
      pour(colleague, customer_id),
    ]);

    expect([first.status, second.status]).toEqual([200, 200]);
    // The responses differ only in whether the pour is the caller's own.
    const shown = [first, second].map(({ body }) => ({ ...(body.pour as object), own: null }));
    expect(shown[0]).toEqual(shown[1]);
    expect(await app.services.db.$count(pour_voids, eq(pour_voids.pour_id, id))).toBe(1);
    const poured = pours.filter((it) => it.status === 201).length;
    expect(poured).toBeLessThanOrEqual(1);
    expect(pours.filter((it) => it.status === 409 && it.body.code === 'POURS_EXCEEDED')).toHaveLength(
      2 - poured,
    );
    expect(await state(caller)).toMatchObject({
      customer: { pours_balance: 1 - poured, total_pours_lifetime: 3 + poured },
    });
  }
});

it('after many simultaneous pours and voids, balance and lifetime match the ledger', async () => {
  const { caller, customer_id } = await venueMember(app, staff, 'household');
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { body } = await pour(staff, customer_id, { quantity: 2 });
      return (body.pour as { id: string }).id;
    }),
  );
  await Promise.all([
    ...ids.slice(0, 6).flatMap((id) => [voidPour(staff, id), voidPour(colleague, id)]),
    ...Array.from({ length: 8 }, () => pour(staff, customer_id)),
  ]);
  const { rows } = (await app.services.db.execute(
    sql`select coalesce(sum(quantity), 0)::integer as not_voided from pours p
         where customer_id = ${customer_id} and not exists (select 1 from pour_voids v where v.pour_id = p.id)`,
  )) as unknown as { rows: { not_voided: number }[] };
  const poured = rows[0]?.not_voided ?? -1;
  expect(await state(caller)).toMatchObject({
    customer: { pours_balance: 20 - poured, total_pours_lifetime: poured },
  });
  expect(poured).toBeLessThanOrEqual(20);
});

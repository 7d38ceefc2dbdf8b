import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../src/server/db/results.ts';
import { type Member, venueMember } from '../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import { createDatabase } from '../support/harness/postgres.ts';

let created: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
beforeAll(async () => {
  created = await createDatabase();
  app = await createTestApp({ databaseUrl: created.url });
});
afterAll(async () => {
  await app.close();
  await created.drop();
});

const atOnce = ({ caller }: Member, path: string) =>
  Promise.all(Array.from({ length: 8 }, () => caller.must<{ token: string }>('POST', path, {})));
const cardsOf = ({ customer_id }: Member) =>
  rowsOf(
    app.services.db,
    sql`select count(*) filter (where replaced_at is null)::integer as current, count(replaced_at)::integer as replaced
          from paper_card where customer_id = ${customer_id}`,
  );

it('many requests for a paper code at once make one code, and after many for its replacement one is current', async () => {
  const member = await venueMember(app, await app.staff());
  const made = await atOnce(member, '/api/paper-cards');
  expect(new Set(made.map((it) => it.token)).size).toBe(1);
  expect(await cardsOf(member)).toEqual([{ current: 1, replaced: 0 }]);
  const replaced = await Promise.allSettled(
    Array.from({ length: 8 }, () => member.caller.call('POST', '/api/paper-cards/replace', {})),
  );
  const statuses = replaced.map((it) => (it.status === 'fulfilled' ? it.value.status : 0));
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  const [cards] = await cardsOf(member);
  expect(cards).toMatchObject({ current: 1 });
  expect(Number((cards as { replaced: number }).replaced)).toBeLessThanOrEqual(5);
});

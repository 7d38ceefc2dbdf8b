import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchedModel } from '../support/fakes/watched-model.ts';
import { venueMember } from '../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import { createDatabase } from '../support/harness/postgres.ts';

const model = watchedModel();
let database: Awaited<ReturnType<typeof createDatabase>>;
let processes: TestApp[];
beforeAll(async () => {
  database = await createDatabase();
  const summary = { fetch: model.fetch };
  processes = [
    await createTestApp({ databaseUrl: database.url, summary }),
    await createTestApp({ databaseUrl: database.url, summary }),
  ];
});
afterAll(async () => {
  for (const app of processes) await app.close();
  await database.drop();
});

it('two servers on one database ask the model once per member', async () => {
  const [one, two] = processes as [TestApp, TestApp];
  const staff = [await one.staff(), await two.staff()];
  for (let round = 1; round <= 5; round++) {
    const { customer_id } = await venueMember(one, staff[0]!);
    const all = await Promise.all(
      [...staff, ...staff, ...staff].map((it) =>
        it.must<{ summary: string }>('POST', '/api/functions/generate-profile-summary', {
          customerId: customer_id,
        }),
      ),
    );
    expect(new Set(all.map((it) => it.summary)).size).toBe(1);
    expect(all[0]?.summary).not.toBe('');
    expect(model.asked).toHaveLength(round);
  }
});

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accounts } from '../../src/server/db/schema.ts';
import { type OidcServer, startOidcServer } from '../support/fakes/oidc-server.ts';
import { startLinking } from '../support/fixtures/linked-account.ts';
import { createTestApp, PASSWORD, type TestApp } from '../support/harness/app.ts';
import { createDatabase } from '../support/harness/postgres.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let elsewhere: OidcServer;
/** Two server processes on one database. */
let one: TestApp;
let other: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  elsewhere = await startOidcServer();
  const providers = [elsewhere.config, { ...elsewhere.config, id: 'second', label: 'Second' }];
  one = await createTestApp({ databaseUrl: database.url, providers });
  other = await createTestApp({ databaseUrl: database.url, providers, publicUrl: one.url });
  elsewhere.allow(one.url);
});
afterAll(async () => {
  await one.close();
  await other.close();
  await elsewhere.close();
  await database.drop();
});

it('of two users who link the same identity at the same time, one gets it', async () => {
  const users = [await one.customer(), await one.customer()];
  const callbacks = await Promise.all(
    users.map(async (caller) => {
      const { body } = await startLinking(caller, { provider: 'vineyard', password: PASSWORD });
      const { pathname, search } = new URL(await elsewhere.visit(body.url));
      return { caller, path: pathname + search };
    }),
  );
  const responses = await Promise.all(callbacks.map(({ caller, path }) => caller.raw('GET', path)));
  const pages = responses.map((it) => it.headers.get('location') ?? '');
  expect(pages.filter((page) => page.includes('linked=vineyard'))).toHaveLength(1);
  expect(pages.filter((page) => page.includes('problem='))).toHaveLength(1);
  const rows = await one.services.db.select().from(accounts).where(eq(accounts.providerId, 'vineyard'));
  expect(rows).toHaveLength(1);
  expect(one.logged.join()).not.toContain(elsewhere.person.sub);
});

it('an access token from one process works at the other, and is revoked at both', async () => {
  const staff = await one.staff();
  const apiClient = await staff.must<Record<string, string>>('POST', '/api/api-clients', {
    name: 'Till',
    password: PASSWORD,
  });
  const answer = await fetch(`${one.url}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...apiClient }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const listMembers = async () => {
    const headers = { authorization: `Bearer ${access_token}` };
    const answers = await Promise.all(
      [one, other].map(({ url }) => fetch(`${url}/api/customers`, { headers })),
    );
    return answers.map(({ status }) => status);
  };
  expect(await listMembers()).toEqual([200, 200]);
  await staff.must('DELETE', `/api/api-clients/${apiClient.client_id}`);
  expect(await listMembers()).toEqual([401, 401]);
});

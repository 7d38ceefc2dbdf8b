import { afterAll, beforeAll, expect, it } from 'vitest';
import { signOutEverywhere } from '../../../src/server/auth/revoke-access.ts';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import { enrollFactor, passCode } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function signIn(email: string, from: Caller = app.visitor()): Promise<{ two_factor?: true }> {
  return from.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
}
const sessions = async (caller: Caller) => (await caller.call('GET', '/api/sessions')).status;

it('signs out every device of a member and trusts none any more; nobody else is affected', async () => {
  const email = 'stolen@example.test';
  const [phone, bystander] = [await app.customer({ email }), await app.customer()];
  const { totp_uri } = await enrollFactor(phone, PASSWORD, -1);
  const tablet = app.visitor();
  await signIn(email, tablet);
  const code = totpCode(totp_uri);
  await passCode(tablet, code, { trust_device: true });

  expect(await signOutEverywhere(app.services, ` ${email.toUpperCase()} `)).toEqual({
    sessions: 2,
    api_clients: 0,
  });
  for (const device of [phone, tablet]) expect(await sessions(device)).toBe(401);
  expect(await signIn(email, tablet)).toEqual({ ok: true, two_factor: true });
  expect(await sessions(bystander)).toBe(200);
});

it('staff also lose their API clients and their tokens, at once', async () => {
  const staff = await app.staff();
  const { user } = await staff.must<{ user: { email: string } }>('GET', '/api/session');
  const machine = await staff.must<{ client_id: string; client_secret: string }>('POST', '/api/api-clients', {
    name: 'Till',
    password: PASSWORD,
  });
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...machine });
  const exchange = () => fetch(`${app.url}/api/auth/token`, { method: 'POST', body });
  const { access_token } = (await (await exchange()).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const ask = async () => (await fetch(`${app.url}/api/customers`, { headers })).status;
  expect(await ask()).toBe(200);

  expect(await signOutEverywhere(app.services, user.email)).toEqual({ sessions: 1, api_clients: 1 });
  expect(await ask()).toBe(401);
  expect((await exchange()).status).toBe(401);
  expect((await staff.call('GET', '/api/customers')).status).toBe(401);
  expect(await signIn(user.email)).toEqual({ ok: true });
});

it('a missing account is reported', async () => {
  expect(await signOutEverywhere(app.services, 'nobody@example.test')).toBeNull();
});

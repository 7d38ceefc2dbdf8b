import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { signCardToken } from '../../../src/server/card/card-token.ts';
import { keyFor } from '../../../src/server/config/purpose-key.ts';
import { applied, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const verify = (token: string, by = staff) => by.call('POST', '/api/functions/verify-qr-token', { token });
const generate = (caller: Caller) =>
  caller.call<{ token: string; expires_at: number }>('POST', '/api/functions/generate-qr-token', {});

describe('a card code', () => {
  it('is valid for ten minutes', async () => {
    const { caller } = await venueMember(app, staff);
    const { body } = await generate(caller);
    expect(body.expires_at).toBe(app.clock.now().getTime() / 1000 + 600);
    app.clock.advance({ seconds: 599 });
    expect(await verify(body.token)).toMatchObject({ body: { valid: true } });
    app.clock.advance({ seconds: 1 });
    expect(await verify(body.token)).toMatchObject({ status: 200, body: { valid: false } });
  });

  it('is valid with white space, quotes and invisible characters around and in it', async () => {
    const { caller } = await venueMember(app, staff);
    const { body } = await generate(caller);
    const broken = `\uFEFF“${body.token.slice(0, 20)}\u00A0\r\n\u200B${body.token.slice(20)}”.`;
    for (const text of [` ${body.token}\n`, broken])
      expect(await verify(text)).toMatchObject({ body: { valid: true } });
  });

  it('is refused without an active membership', async () => {
    expect(await generate(await app.customer())).toMatchObject({
      status: 409,
      body: { code: 'CUSTOMER_NOT_ACTIVE' },
    });
  });

  it('of a member without access is not valid, and shows only staff whose it is and since when', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const { body } = await generate(caller);
    const { db } = app.services;
    await db.execute(sql`update customers set status = 'inactive' where id = ${customer_id}`);
    await db.execute(sql`update memberships set status = 'ended', end_date = '2026-11-03'
      where customer_id = ${customer_id}`);
    const refused = {
      id: customer_id,
      first_name: 'Ada',
      last_name: expect.any(String),
      standing: 'inactive',
      no_access_since: '2026-11-03',
      pours_return_on: null,
    };
    expect((await verify(body.token)).body).toEqual({ valid: false, refused });
    // The member can get no new code, and an expired one is still refused by name.
    app.clock.advance({ minutes: 10 });
    expect((await verify(body.token)).body).toEqual({ valid: false, refused });
    const other = await verify(body.token, caller);
    expect(other.status).toBe(403);
    expect(JSON.stringify(other.body)).not.toContain('Ada');
  });

  it('that has expired reveals nothing about a member with access', async () => {
    const { caller } = await venueMember(app, staff);
    const { body } = await generate(caller);
    app.clock.advance({ minutes: 10 });
    expect((await verify(body.token)).body).toEqual({ valid: false });
  });

  it('signed by another venue is not valid', async () => {
    const { customer_id } = await venueMember(app, staff);
    const expires_at = app.clock.now().getTime() / 1000 + 600;
    const foreign = signCardToken(keyFor('another venue’s secret entirely', 'membership-card/v1'), {
      customer_id,
      expires_at,
    });
    expect(await verify(foreign)).toMatchObject({ body: { valid: false } });
  });

  test.each([
    ['nothing', ''],
    ['garbage', 'https://example.test/menu'],
    ['ten kilobytes of garbage', 'x'.repeat(10_240)],
    ['an unknown user id', '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f'],
  ])('is not %s', async (_, text) => {
    expect(await verify(text)).toMatchObject({ status: 200, body: { valid: false } });
  });
});

describe('the code of a pending applicant, their user id', () => {
  it('is valid, and takes staff to the application', async () => {
    const applicant = await app.customer();
    const application_id = await applied(applicant);
    expect(await verify(applicant.id)).toMatchObject({ body: { valid: true, application_id } });
  });

  it('is not valid once the application is rejected', async () => {
    const applicant = await app.customer();
    const id = await applied(applicant);
    await staff.must('POST', `/api/applications/${id}/reject`, {});
    expect(await verify(applicant.id)).toMatchObject({ body: { valid: false } });
  });
});

it('each staff account can verify 120 codes a minute', async () => {
  const busy = await app.staff();
  for (let i = 0; i < 120; i++) await verify('x', busy);
  expect(await verify('x', busy)).toMatchObject({
    status: 429,
    body: { code: 'TOO_MANY_ATTEMPTS', data: { retry_after_seconds: 60 } },
  });
  expect((await verify('x')).status).toBe(200);
  app.clock.advance({ seconds: 60 });
  expect((await verify('x', busy)).status).toBe(200);
});

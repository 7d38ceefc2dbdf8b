import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  customers,
  deliveries,
  memberships,
  profiles,
  sessions,
  verifications,
} from '../../../src/server/db/schema.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { venueMember } from '../../support/fixtures/members.ts';
import { enrollFactor } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

const FORGOT = '/api/auth/recover';
const RESET = '/api/auth/reset-password';
const NEW_PASSWORD = 'a better password';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function recoveryToken(email: string): Promise<string> {
  await app.visitor().must('POST', FORGOT, { email });
  return tokenIn(await mailTo(app, email), '/reset-password#');
}

describe('an unconfirmed email', () => {
  const reset = async (email: string) => {
    const token = await recoveryToken(email);
    await app.visitor().must('POST', RESET, { token, password: NEW_PASSWORD });
    return app.visitor().must('POST', '/api/auth/sign-in', { email, password: NEW_PASSWORD });
  };

  it("the owner's first recovery removes the second factor of whoever signed up with it", async () => {
    const squatter = await app.customer({ email: 'squatted@example.test' });
    await enrollFactor(squatter, PASSWORD);
    expect(await reset('squatted@example.test')).toEqual({ ok: true });
  });

  it('the first recovery ends the printed card of a gift, which a stranger may have; a later one keeps it', async () => {
    const staff = await app.staff();
    const { caller, customer_id } = await venueMember(app, staff);
    const { db } = app.services;
    const [{ email } = { email: '' }] = await db.select().from(profiles).where(eq(profiles.id, caller.id));
    await db
      .update(memberships)
      .set({ is_gift: true, paid_until: null, grace_until: null, ends_on: '2099-01-01' })
      .where(eq(memberships.customer_id, customer_id));
    await db.update(customers).set({ signed_up_by_staff_id: null }).where(eq(customers.id, customer_id));
    const print = (by: Caller) => by.must<{ token: string }>('POST', '/api/paper-cards', {});
    const { token } = await print(caller);
    const isValid = async () =>
      (await staff.must('POST', '/api/functions/verify-qr-token', { token })).valid === true;
    expect(await isValid()).toBe(true);
    await reset(email);
    expect(await isValid()).toBe(false);
    const owner = app.visitor();
    await owner.must('POST', '/api/auth/sign-in', { email, password: NEW_PASSWORD });
    const { token: own } = await print(owner);
    await reset(email);
    expect(await staff.must('POST', '/api/functions/verify-qr-token', { token: own })).toMatchObject({
      valid: true,
    });
  });

  it('a later recovery keeps it: the email is confirmed by then', async () => {
    const owner = await app.customer({ email: 'owner@example.test' });
    const { db } = app.services;
    await db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, owner.id));
    await enrollFactor(owner, PASSWORD);
    expect(await reset('owner@example.test')).toEqual({ ok: true, two_factor: true });
  });
});

describe('asking for a new password', () => {
  it('gives the same answer after the same time, account or not', async () => {
    await app.customer({ email: 'known@example.test' });
    const ask = async (email: string) => {
      const began = performance.now();
      const { status, body, headers } = await app.visitor().call('POST', FORGOT, { email });
      const answer = { status, body, headers: [...headers.keys()].filter((it) => it !== 'content-length') };
      return { answer, waited: performance.now() - began };
    };
    const [known, unknown] = [await ask('known@example.test'), await ask('nobody@example.test')];
    expect(known.answer).toEqual(unknown.answer);
    expect(known.answer).toMatchObject({ status: 200, body: { ok: true } });
    for (const { waited } of [known, unknown]) expect(waited).toBeGreaterThan(395);
    await app.services.deliveries.deliver('email');
    expect(await mailTo(app, 'known@example.test')).toMatchObject({
      subject: expect.stringMatching(/^Choose a new password/),
    });
    expect(await mailTo(app, 'nobody@example.test')).toBeUndefined();
  });

  it('is limited for each account, and says nothing about who has one', async () => {
    await app.customer({ email: 'often@example.test' });
    for (const email of ['often@example.test', 'never@example.test']) {
      for (let times = 0; times < 5; times += 1) await app.visitor().must('POST', FORGOT, { email });
      const { status, body } = await app.visitor().call('POST', FORGOT, { email: email.toUpperCase() });
      expect({ status, code: body.code }).toEqual({ status: 429, code: 'TOO_MANY_ATTEMPTS' });
    }
    app.clock.advance({ minutes: 61 });
    await app.visitor().must('POST', FORGOT, { email: 'often@example.test' });
  });

  it('without an email is refused', async () => {
    expect((await app.visitor().call('POST', FORGOT, {})).status).toBe(400);
  });

  it('takes no place to go from who sends it: apps of other services name one', async () => {
    const email = 'led-away@example.test';
    await app.customer({ email });
    const redirectTo = 'https://evil.example';
    await app.visitor().must('POST', FORGOT, { email, redirectTo, redirect_to: redirectTo });
    expect(JSON.stringify(await mailTo(app, email))).not.toContain('evil.example');
  });
});

describe('the link', () => {
  it('sets the password once, ends every session, and notifies the owner', async () => {
    const email = 'reset@example.test';
    const member = await app.customer({ email });
    const [token, second] = [await recoveryToken(email), await recoveryToken(email)];
    expect(token).not.toBe(second);
    const visitor = app.visitor();
    await visitor.must('POST', RESET, { token, password: NEW_PASSWORD });
    // A known device, not signed in.
    expect([...visitor.jar.keys()]).toEqual(['cellar-door.device']);
    const { db } = app.services;
    expect(await db.select().from(sessions).where(eq(sessions.userId, member.id))).toEqual([]);

    for (const used of [token, second]) {
      const again = await visitor.call('POST', RESET, { token: used, password: 'yet another one' });
      expect(again).toMatchObject({ status: 400, body: { code: 'LINK_INVALID' } });
    }
    expect((await visitor.call('POST', '/api/auth/sign-in', { email, password: PASSWORD })).status).toBe(401);
    await visitor.must('POST', '/api/auth/sign-in', { email, password: NEW_PASSWORD });
    expect(await mailTo(app, email)).toMatchObject({
      subject: expect.stringMatching(/^Your password was changed/),
    });
  });

  it('is valid for 30 minutes', async () => {
    const email = 'late@example.test';
    const { id } = await app.customer({ email });
    const token = await recoveryToken(email);
    const { db } = app.services;
    const [row] = await db.select().from(verifications).where(eq(verifications.value, id));
    expect(row!.expiresAt.getTime() - row!.createdAt.getTime()).toBeCloseTo(30 * 60_000, -3);
    await db
      .update(verifications)
      .set({ expiresAt: new Date(row!.expiresAt.getTime() - 30 * 60_000 - 1000) })
      .where(eq(verifications.value, id));
    const answer = await app.visitor().call('POST', RESET, { token, password: NEW_PASSWORD });
    expect(answer).toMatchObject({ status: 400, body: { code: 'LINK_INVALID' } });
  });

  it('is not used up by a password that is too short', async () => {
    const email = 'short@example.test';
    await app.customer({ email });
    const token = await recoveryToken(email);
    expect((await app.visitor().call('POST', RESET, { token, password: 'short' })).status).toBe(400);
    await app.visitor().must('POST', RESET, { token, password: NEW_PASSWORD });
  });

  it('is nowhere in the database once the email is sent, nor in the log', async () => {
    const email = 'secret@example.test';
    const { id } = await app.customer({ email });
    const token = await recoveryToken(email);
    const { db } = app.services;
    const rows = [await db.select().from(verifications), await db.select().from(deliveries)];
    expect(rows.flat().some((row) => 'value' in row && row.value === id)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(app.logged.join('\n')).not.toContain(token);
    expect(app.logged.join('\n')).not.toContain(email);
  });
});

it('is limited per client IP', async () => {
  const limited = await createTestApp({ limitAttempts: true });
  const ask = (n: number) => limited.visitor().call('POST', FORGOT, { email: `guest-${n}@example.test` });
  const statuses = (await Promise.all(Array.from({ length: 61 }, (_, n) => ask(n)))).map((it) => it.status);
  expect(statuses.filter((it) => it === 200)).toHaveLength(60);
  expect(statuses.filter((it) => it === 429)).toHaveLength(1);
  await limited.close();
});

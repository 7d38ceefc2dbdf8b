import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deliveries, profile_summary, rate_limits, two_factors } from '../../../src/server/db/schema.ts';
import { deleteOldCounts } from '../../../src/server/platform/rate-limit.ts';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import { mailsTo } from '../../support/fixtures/emails.ts';
import { venueMember } from '../../support/fixtures/members.ts';
import { enrollFactor, passCode } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';

// The server's clock was a year ahead for a while. Rows written then must not count until that year is over:
// docs/rules/README.md, "A clock that was wrong".

const YEAR = { days: 365 };
const BACK = { days: -365 };
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ limitAttempts: true, trustProxy: true });
});
afterAll(() => app.close());

let people = 0;
let email = '';
beforeEach(() => {
  people += 1;
  email = `early-${people}@example.test`;
});

const signIn = (password: string) => app.visitor().call('POST', '/api/auth/sign-in', { email, password });

it('a limit reached while the clock was ahead is open again', async () => {
  await app.customer({ email });
  app.clock.advance(YEAR);
  for (let n = 0; n < 20; n += 1) await signIn('a guess');
  expect((await signIn(PASSWORD)).status).toBe(429);
  app.clock.advance(BACK);
  expect((await signIn(PASSWORD)).status).toBe(200);
});

it('a limit of a client IP reached while the clock was ahead is open again', async () => {
  const { db } = app.services;
  const ask = () => app.visitor().call('POST', '/api/auth/verify-email', { token: 'a.b.c' });
  expect((await ask()).status).toBe(400);
  const ahead = app.clock.now().getTime() + 365 * 86_400_000;
  const dated = await db.update(rate_limits).set({ count: 1000, lastRequest: ahead }).returning();
  expect(dated.some(({ key }) => key.includes('/verify-email'))).toBe(true);
  expect((await ask()).status).toBe(400);
  const [count] = await db.select().from(rate_limits).where(sql`${rate_limits.key} like '%/verify-email'`);
  expect(count).toMatchObject({ count: 1, lastRequest: app.clock.now().getTime() });
});

it('a difference of a second between two servers opens no limit', async () => {
  await app.customer({ email });
  app.clock.advance({ seconds: 30 });
  for (let n = 0; n < 20; n += 1) await signIn('a guess');
  app.clock.advance({ seconds: -30 });
  expect((await signIn(PASSWORD)).status).toBe(429);
});

it('counts are deleted once no limit needs them, those of the wrong clock at once', async () => {
  const { db, newId } = app.services;
  await db.delete(rate_limits);
  const at = app.clock.now().getTime();
  const rows = { needed: at - 86_399_000, over: at - 86_401_000, ahead: at + 365 * 86_400_000 };
  for (const [key, lastRequest] of Object.entries(rows)) {
    await db.insert(rate_limits).values({ id: newId(), key, count: 1, lastRequest });
  }
  await deleteOldCounts(app.services);
  expect((await db.select().from(rate_limits)).map(({ key }) => key)).toEqual(['needed']);
});

it('an email written while the clock was ahead is sent', async () => {
  const { db, outbox } = app.services;
  await app.services.deliveries.deliver('email');
  app.clock.advance(YEAR);
  await outbox.enqueue(
    db,
    `test:${people}`,
    { user_id: null, email },
    { subject: 'Hello', text: 'Soon.', html: '' },
  );
  app.clock.advance(BACK);
  expect(await mailsTo(app, email)).toHaveLength(1);
  // Tried once: the next attempt is scheduled by the right clock.
  expect(await db.$count(deliveries, eq(deliveries.attempts, 1))).toBeGreaterThan(0);
});

it('a second factor locked while the clock was ahead is open', async () => {
  const person = await app.customer({ email });
  const { totp_uri } = await enrollFactor(person, PASSWORD, -1);
  await app.services.db
    .update(two_factors)
    .set({ failedVerificationCount: 10, lockedUntil: sql`now() + interval '1 year'` })
    .where(eq(two_factors.userId, person.id));
  const visitor = app.visitor();
  await visitor.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  await passCode(visitor, totpCode(totp_uri), {});
});

it('a summary whose writer has stopped is written', async () => {
  const staff = await app.staff();
  const { customer_id } = await venueMember(app, staff);
  const ask = () =>
    staff.must<{ summary: string }>('POST', '/api/functions/generate-profile-summary', {
      customerId: customer_id,
    });
  const { summary } = await ask();
  expect(summary).not.toBe('');
  // The row left by a process that dies while the model writes.
  await app.services.db
    .update(profile_summary)
    .set({ summary: null, asked_at: new Date(app.clock.now().getTime() + 365 * 86_400_000) })
    .where(eq(profile_summary.customer_id, customer_id));
  expect((await ask()).summary).not.toBe('');
});

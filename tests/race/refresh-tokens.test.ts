import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TokenSession } from '../../src/contract/auth/auth-user.ts';
import { refresh_tokens, sessions } from '../../src/server/db/schema.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { totpCode } from '../support/fakes/authenticator-app.ts';
import {
  appSessionOf,
  claimsOf,
  fromApp,
  passwordGrant,
  refreshGrant,
} from '../support/fixtures/app-session.ts';
import { createFactor, passCode } from '../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../support/harness/app.ts';
import { createDatabase } from '../support/harness/postgres.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
/** Two server processes on one database. */
let one: TestApp;
let other: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  one = await createTestApp({ databaseUrl: database.url });
  other = await createTestApp({ databaseUrl: database.url, publicUrl: one.url, sandbox: one.sandbox });
});
afterAll(async () => {
  await other.close();
  await one.close();
  await database.drop();
});

const sessionOf = ({ access_token }: TokenSession) => String(claimsOf(access_token).session_id);
const isIn = async ({ access_token: token }: TokenSession) =>
  (await fromApp(one, 'GET', '/api/auth/user', { token })).status === 200;
/** Sends one token several times at once, to both servers. */
const refreshAtOnce = (sent: TokenSession, times: number) =>
  Promise.all(
    Array.from({ length: times }, (_, index) => refreshGrant(index % 2 ? one : other, sent.refresh_token)),
  );

it('refreshes with one token at the same moment all get the same next token', async () => {
  let tokens = await appSessionOf(one, await one.customer());
  for (let round = 1; round <= 5; round += 1) {
    const replies = await refreshAtOnce(tokens, 6);
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const next = new Set(replies.map(({ body }) => body.refresh_token));
    expect(next.size).toBe(1);
    const own = eq(refresh_tokens.session_id, sessionOf(tokens));
    const [row] = await one.services.db.select().from(refresh_tokens).where(own);
    expect(row?.generation).toBe(round);
    tokens = replies[0]?.body as unknown as TokenSession;
    expect(await isIn(tokens)).toBe(true);
  }
});

it('a refresh waits for a change to its session in progress, and then sees it', async () => {
  const tokens = await appSessionOf(one, await one.customer());
  const id = sessionOf(tokens);
  const { db } = one.services;
  const reply = await db.transaction(async (tx) => {
    await tx.select().from(sessions).where(eq(sessions.id, id)).for('update');
    const waiting = refreshGrant(other, tokens.refresh_token);
    await untilBlocked(db);
    // The row after two earlier refreshes.
    const later = { token_hash: 'of a later one', generation: 2 };
    await tx.update(refresh_tokens).set(later).where(eq(refresh_tokens.session_id, id));
    return { waiting };
  });
  expect((await reply.waiting).body).toMatchObject({ code: 'SESSION_ENDED' });
  expect(await db.$count(sessions, eq(sessions.id, id))).toBe(0);
});

it('when a thief with an old token and its owner refresh at once, the session ends, whoever is first', async () => {
  const first = await appSessionOf(one, await one.customer());
  const second = (await refreshGrant(one, first.refresh_token)).body as unknown as TokenSession;
  const third = (await refreshGrant(one, second.refresh_token)).body as unknown as TokenSession;
  const [thief] = await Promise.all([
    refreshGrant(other, first.refresh_token),
    refreshGrant(one, third.refresh_token),
  ]);
  expect(thief.status).toBe(400);
  expect(await one.services.db.$count(sessions, eq(sessions.id, sessionOf(first)))).toBe(0);
  expect(await isIn(third)).toBe(false);
});

it('an app that signs in by password while two-step sign-in is turned on is not signed in', async () => {
  for (let round = 0; round < 4; round += 1) {
    const browser = await one.customer();
    const { user } = await browser.must<{ user: { email: string } }>('GET', '/api/session');
    const enrollment = await createFactor(browser, PASSWORD);
    const [, ...replies] = await Promise.all([
      passCode(browser, totpCode(enrollment.totp_uri)),
      ...[one, other, one, other].map((at) => passwordGrant(at, user.email)),
    ]);
    for (const { status, body } of replies) {
      const tokens = body as unknown as TokenSession;
      if (status === 200 && claimsOf(tokens.access_token).aud === 'authenticated') {
        expect(await isIn(tokens)).toBe(false);
      }
    }
    const apps = await one.services.db
      .select()
      .from(refresh_tokens)
      .innerJoin(sessions, eq(sessions.id, refresh_tokens.session_id))
      .where(eq(sessions.userId, browser.id));
    expect(apps).toEqual([]);
  }
});

it('signing out during a refresh leaves no valid token', async () => {
  for (let round = 0; round < 5; round += 1) {
    const tokens = await appSessionOf(one, await one.customer());
    const { access_token: token } = tokens;
    const path = '/api/auth/logout?scope=local';
    const [refreshed] = await Promise.all([
      refreshGrant(other, tokens.refresh_token),
      fromApp(one, 'POST', path, { token, body: {} }),
    ]);
    expect([200, 400]).toContain(refreshed.status);
    if (refreshed.status === 200) expect(await isIn(refreshed.body as unknown as TokenSession)).toBe(false);
    expect((await refreshGrant(one, tokens.refresh_token)).status).toBe(400);
    expect(
      await one.services.db.$count(refresh_tokens, eq(refresh_tokens.session_id, sessionOf(tokens))),
    ).toBe(0);
  }
});

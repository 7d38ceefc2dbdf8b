import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import type { WordedEmail } from '../../../src/contract/staff/emails.ts';
import { EMAIL_KIND_NAMES, type EmailKind, variablesOf } from '../../../src/domain/club/emails.ts';
import { deliveries, email_wording } from '../../../src/server/db/schema.ts';
import type { Venue } from '../../../src/server/mail/email.ts';
import { openClub } from '../../../src/server/membership/club/club.ts';
import { sampleEmail } from '../../../src/server/membership/club/email-wordings.ts';
import { emailsTo } from '../../support/fixtures/emails.ts';
import { EMAIL_VENUE } from '../../support/fixtures/every-email.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

let app: TestApp;
/** Another process on the same database. */
let other: TestApp;
let owner: Caller;
beforeAll(async () => {
  const database = await createTestDatabase();
  app = await createTestApp({ database });
  other = await createTestApp({
    database: { ...database, close: async () => undefined },
    sandbox: app.sandbox,
    clock: app.clock,
  });
  owner = await app.staff();
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const NONE = { subject: '', opening: '', closing: '' };
const emailOf = async (kind: EmailKind) => {
  const all = await owner.must<WordedEmail[]>('GET', '/api/emails');
  const found = all.find((it) => it.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};
const word = async (kind: EmailKind, words: Partial<typeof NONE>) =>
  owner.must<WordedEmail>('PUT', `/api/emails/${kind}`, {
    version: (await emailOf(kind)).version,
    wording: { ...NONE, ...words },
  });
/** The queued welcome email of a new member. */
const welcomeOf = async (of: TestApp) => {
  const { caller } = await cardMember(of, 'select');
  const rows = await emailsTo(of.services.db, caller);
  return rows.find(({ cause }) => cause.startsWith('started:'));
};

test('every email can be reworded, and has its default until then', async () => {
  const all = await owner.must<WordedEmail[]>('GET', '/api/emails');
  expect(all.map((it) => it.kind)).toEqual(EMAIL_KIND_NAMES);
  for (const it of all) {
    expect(it).toMatchObject({ wording: NONE, version: 0, problem: null });
    expect(it.default_subject).toMatch(/^\p{Lu}[^·]+$/u);
  }
  expect((await emailOf('welcome')).default_subject).toBe('Welcome to our wine club');
});

test('subject, opening and closing surround the email’s own content, in every process', async () => {
  const saved = await word('welcome', {
    subject: 'Cheers, {first_name}',
    opening: 'Lovely that you joined {club_name}.\nYour {tier} card is ready.',
    closing: 'See you before {date}!',
  });
  expect(saved).toMatchObject({ version: 1, problem: null, wording: { subject: 'Cheers, {first_name}' } });
  expect(await emailOf('welcome')).toEqual(saved);
  await expect.poll(() => other.services.club.wordingOf('welcome')?.subject).toBe('Cheers, {first_name}');
  for (const of of [app, other]) {
    const { subject, text: body, html } = (await welcomeOf(of)) ?? {};
    expect(subject).toMatch(/^Cheers, \w+ · Test Cellar$/);
    const [opening, card, fixed, closing] = [
      'Lovely that you joined Test Cellar.\n\n',
      'Your Select card is ready.',
      'Your membership is now active, with 4 pours each month.',
      'See you before ',
    ].map((text) => body?.indexOf(text) ?? -1);
    expect([opening, card, fixed, closing]).toEqual(
      [opening, card, fixed, closing].sort((a = 0, b = 0) => a - b),
    );
    expect(opening).toBeGreaterThan(0);
    expect(body).toContain('Open My Card: ');
    expect(html).toContain('Your Select card is ready.</p>');
  }
  await word('welcome', {});
  expect((await welcomeOf(app))?.subject).toBe('Welcome to our wine club · Test Cellar');
});

test('the audit has each changed field with both texts, and no unchanged one', async () => {
  await word('payment_failed', { closing: 'Call us.' });
  const entries = async () =>
    (await owner.must<{ entries: AuditEntry[] }>('GET', '/api/audit')).entries
      .filter(({ act, facts }) => act === 'email_worded' && JSON.stringify(facts).includes('payment_failed'))
      .map(({ facts }) => facts);
  const first = { email: 'payment_failed', field: 'closing', before: '', after: 'Call us.' };
  expect(await entries()).toEqual([first]);
  expect((await word('payment_failed', { closing: 'Call us.' })).version).toBe(1);
  await word('payment_failed', {});
  expect(await entries()).toEqual([{ ...first, before: 'Call us.', after: '' }, first]);
});

test('of two who save at once the second is refused, also after a reset; other emails are not affected', async () => {
  const { version } = await emailOf('welcome_back');
  const save = (opening: string, at = version) =>
    owner.call('PUT', '/api/emails/welcome_back', { version: at, wording: { ...NONE, opening } });
  const answers = await Promise.all([save('A'), save('B')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('SETTINGS_CHANGED');
  await word('welcome_back', {});
  expect((await save('C')).status, 'what was seen before the reset').toBe(409);
  expect((await emailOf('membership_suspended')).version).toBe(0);
});

test('wrong words are not stored, and the answer lists what is allowed', async () => {
  const { version } = await emailOf('tier_changed');
  const { status, body } = await owner.call('PUT', '/api/emails/tier_changed', {
    version,
    wording: { ...NONE, opening: 'For {amount}' },
  });
  expect([status, body.code]).toEqual([422, 'SETTING_REFUSED']);
  expect(JSON.stringify(body)).toContain('You can use {first_name}, {club_name}, {support_email}, {tier}.');
  const tooLong = await owner.call('PUT', '/api/emails/tier_changed', {
    version,
    wording: { ...NONE, opening: 'x'.repeat(501) },
  });
  expect(tooLong.status).toBe(400);
  expect((await emailOf('tier_changed')).version).toBe(version);
});

test.each([
  ['a variable that is no more', { ...NONE, opening: 'Dear {nickname}' }, '{nickname} isn’t available'],
  ['no texts', { opening: 7 }, 'cannot be read'],
  ['nothing', null, 'cannot be read'],
])('stored words with %s are ignored, and page and log say so', async (_, wording, why) => {
  const { db, club } = app.services;
  await word('welcome', { opening: 'Fine.' });
  const isThis = eq(email_wording.kind, 'welcome');
  const { version } = await emailOf('welcome');
  await db
    .update(email_wording)
    .set({ wording: wording ?? 'x', version: version + 1 })
    .where(isThis);
  await club.refresh();
  const email = await welcomeOf(app);
  expect(email?.subject).toBe('Welcome to our wine club · Test Cellar');
  expect(email?.text).not.toContain('Fine.');
  expect((await emailOf('welcome')).problem).toContain(why);
  expect(app.logged.filter((line) => line.includes('default wording')).at(-1)).toContain(why);
  expect((await openClub(db, club.defaults)).wordingOf('welcome')).toBeNull();
  expect(await word('welcome', {})).toMatchObject({ wording: NONE, problem: null });
});

test('stored words of an email that no longer exists are left alone', async () => {
  const { db, club } = app.services;
  const changed_at = app.clock.now();
  await db.insert(email_wording).values({ kind: 'carrier_pigeon', wording: NONE, version: 1, changed_at });
  expect((await openClub(db, club.defaults)).wordingOf('welcome')?.subject ?? '').toBe('');
  expect(await owner.must<WordedEmail[]>('GET', '/api/emails')).toHaveLength(EMAIL_KIND_NAMES.length);
});

describe('a preview', () => {
  const draft = { subject: 'Hi {first_name}', opening: 'a < b & "c"', closing: '' };
  const query = new URLSearchParams(draft);

  test('is the email with these words for a made-up member, and stores and sends nothing', async () => {
    const before = await app.services.db.$count(deliveries);
    const { version } = await emailOf('payment_received');
    const shown = await owner.must<{ subject: string; text: string }>(
      'GET',
      `/api/emails/payment_received/preview?${query}`,
    );
    expect(shown.subject).toBe('Hi Ada · Test Cellar');
    expect(shown.text).toContain('a < b & "c"\n\nWe received your payment of $39.00.');
    expect(await app.services.db.$count(deliveries)).toBe(before);
    expect((await emailOf('payment_received')).version).toBe(version);
  });

  test('as a page is escaped, runs no script, and can be framed by our own pages only', async () => {
    const { status, headers, text } = await page(`/api/emails/payment_received/preview.html?${query}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
    );
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(text).toContain('a &lt; b &amp; &quot;c&quot;</p>');
    const refused = await page('/api/emails/payment_received/preview.html?subject=%7Bx%7D&opening=&closing=');
    expect(refused.status).toBe(422);
    expect(refused.headers.get('content-type')).toContain('json');
  });

  const page = async (path: string) => {
    const answer = await owner.raw('GET', path);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
});

test('the sample of each email is under its own key, and has every variable that the email offers', () => {
  for (const kind of EMAIL_KIND_NAMES) {
    const asked: EmailKind[] = [];
    const closing = variablesOf(kind).map((name) => `${name} is {${name}}.`);
    const venue: Venue = {
      ...EMAIL_VENUE,
      wordingOf(key) {
        asked.push(key);
        return { subject: `Worded ${kind}`, opening: 'Before.', closing: closing.join('\n') };
      },
    };
    const { subject, text } = sampleEmail({ ...app.services, venue }, kind);
    expect(asked).toEqual([kind]);
    expect(subject).toBe(`Worded ${kind} · Cellar Door`);
    expect(text).toContain('\n\nBefore.\n\n');
    for (const name of variablesOf(kind)) expect(text).toMatch(new RegExp(`${name} is [^{}]+\\.\n`));
  }
});

import { eq, like } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Mailing, MailingAudience } from '../../../src/contract/staff/mailings.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { audit_entry, deliveries, mailing_recipient, profiles } from '../../../src/server/db/schema.ts';
import { sendBatch } from '../../../src/server/reports/mailings/mailing-tasks.ts';
import { emailsTo, mailTo } from '../../support/fixtures/emails.ts';
import { pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeEach(async () => {
  app = await createTestApp();
  await addStaff(app.services, 'owner@example.test', PASSWORD);
  staff = await signIn();
});
/** The owner, signed in: again after the clock has moved by days. */
async function signIn(): Promise<Caller> {
  const caller = app.visitor();
  await caller.must('POST', '/api/auth/sign-in', { email: 'owner@example.test', password: PASSWORD });
  return caller;
}
afterEach(() => app.close());

type Member = Awaited<ReturnType<typeof venueMember>>;

/** A member billed at the venue, with an answer about personal emails; null for none. */
async function member(wanted: boolean | null): Promise<Member> {
  const made = await venueMember(app, staff);
  if (wanted !== null) await answer(made, wanted);
  return made;
}
const answer = ({ caller }: Member, wanted: boolean) =>
  caller.must('PUT', '/api/personal-emails/own', { wanted, place: 'account' });
const words = { subject: 'The new Barolo, {first_name}', text: 'It is open.\n\nCome by, {first_name}.' };
const draft = (more = {}) => ({
  ...{ request_id: app.services.newId(), filter: {}, ...words },
  ...more,
});
const send = (body = draft()) => staff.call('POST', '/api/mailings', body);
const sent = async (body = draft()) => staff.must<Mailing>('POST', '/api/mailings', body);
const listed = async () => (await staff.must<Mailing[]>('GET', '/api/mailings'))[0];
const stop = (id: string) => staff.must<Mailing>('POST', `/api/mailings/${id}/stop`, {});
async function profileOf({ caller }: Member) {
  const [row] = await app.services.db.select().from(profiles).where(eq(profiles.id, caller.id));
  if (!row) throw new Error('no profile');
  return row;
}
const mailsOf = async ({ caller }: Member) =>
  (await emailsTo(app.services.db, caller)).filter(({ cause }) => cause.startsWith('mailing:'));

/** Lets all batches go out, after the minute in which nothing does. */
async function letOut(): Promise<void> {
  app.clock.advance({ minutes: 1 });
  while ((await sendBatch(app.services)) > 0);
}

it('an email to a list reaches those who agreed, with their own name, and a link that turns it off', async () => {
  const [yes, , no] = [await member(true), await member(null), await member(false)];
  const audience = await staff.must<MailingAudience>('POST', '/api/mailings/audience', { filter: {} });
  expect(audience).toEqual({ wanted: 1, unasked: 1, refused: 1, obstacle: null, next_at: null });
  expect(await sent()).toMatchObject({ recipients: 1, emailed: 0, state: 'waiting', sent_by: 'owner' });
  expect(await sendBatch(app.services)).toBe(0);
  await letOut();
  expect(await listed()).toMatchObject({ recipients: 1, emailed: 1, state: 'sent' });
  expect(await mailsOf(no)).toEqual([]);
  const { first_name, email } = await profileOf(yes);
  const mail = await mailTo(app, email);
  expect(mail?.subject).toContain(`The new Barolo, ${first_name}`);
  expect(mail?.text).toContain(`Come by, ${first_name}.`);
  expect(mail?.text).toContain('You agreed to emails like this one.');
  expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
});

it('a filter decides who gets it', async () => {
  const came = await member(true);
  await pour(staff, came.customer_id);
  const never = await member(true);
  await sent(draft({ filter: { visited: 'never' } }));
  await letOut();
  expect(await mailsOf(came)).toEqual([]);
  expect(await mailsOf(never)).toHaveLength(1);
});

it('someone who says no after it was sent gets none', async () => {
  const [stays, leaves] = [await member(true), await member(true)];
  await sent();
  await answer(leaves, false);
  await letOut();
  expect(await mailsOf(leaves)).toEqual([]);
  expect(await mailsOf(stays)).toHaveLength(1);
  expect(await listed()).toMatchObject({ recipients: 2, emailed: 1, state: 'sent' });
});

it('the same request sends it once, also after the answer was lost', async () => {
  const one = await member(true);
  const body = draft();
  const [first, second] = await Promise.all([send(body), send(body)]);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toMatchObject({ id: (first.body as Mailing).id });
  await letOut();
  expect(await mailsOf(one)).toHaveLength(1);
});

describe('a second one', () => {
  it('waits for a week, unless it is about the opening', async () => {
    await member(true);
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await send()).body).toMatchObject({ code: 'MAILING_REFUSED', data: { reason: 'too_soon' } });
    expect(await staff.must('POST', '/api/mailings/audience', { filter: {} })).toMatchObject({
      next_at: '2026-06-23T01:00:00.000Z',
    });
    expect((await send(draft({ about_opening: true }))).status).toBe(201);
    app.clock.advance({ days: 7 });
    staff = await signIn();
    expect((await send()).status).toBe(201);
  });

  it('can follow at once if the first was stopped before anything went out', async () => {
    await member(true);
    const { id } = await sent();
    expect(await stop(id)).toMatchObject({ state: 'stopped', emailed: 0 });
    expect((await send()).status).toBe(201);
  });
});

it('stopping withdraws what has not left, and counts what has', async () => {
  const members = await Promise.all(Array.from({ length: 7 }, () => member(true)));
  const { id } = await sent();
  app.clock.advance({ minutes: 1 });
  expect(await sendBatch(app.services)).toBe(5);
  expect(await listed()).toMatchObject({ state: 'sending', emailed: 5 });
  await app.services.deliveries.deliver('email');
  expect(await stop(id)).toMatchObject({ state: 'stopped', emailed: 5, recipients: 7 });
  expect(await stop(id)).toMatchObject({ state: 'stopped', emailed: 5 });
  await letOut();
  expect((await Promise.all(members.map(mailsOf))).flat()).toHaveLength(5);
  const entries = await app.services.db.select().from(audit_entry).where(like(audit_entry.act, 'mailing_%'));
  expect(entries.map(({ act, facts }) => [act, facts])).toEqual([
    ['mailing_sent', { mailing_id: id, recipients: 7, about: 'news' }],
    ['mailing_stopped', { mailing_id: id, emailed: 5 }],
  ]);
  expect(JSON.stringify(entries)).not.toContain('Barolo');
});

it('stopping withdraws emails that wait for a mail server, and their readers were not emailed', async () => {
  const members = await Promise.all(Array.from({ length: 6 }, () => member(true)));
  const { id } = await sent();
  app.clock.advance({ minutes: 1 });
  await sendBatch(app.services);
  expect(await stop(id)).toMatchObject({ state: 'stopped', emailed: 0 });
  expect((await Promise.all(members.map(mailsOf))).flat()).toEqual([]);
});

it('a visit in the week after it counts once for each member, and a voided pour never', async () => {
  const [comes, late, voids] = [await member(true), await member(true), await member(true)];
  await pour(staff, comes.customer_id);
  await sent();
  await letOut();
  expect(await listed()).toMatchObject({ came: 0 });
  await pour(staff, comes.customer_id);
  await pour(staff, comes.customer_id);
  const { id } = (await pour(staff, voids.customer_id)).body.pour as { id: string };
  expect(await listed()).toMatchObject({ came: 2 });
  await staff.must('POST', `/api/pours/${id}/void`, {});
  app.clock.advance({ days: 7 });
  staff = await signIn();
  await pour(staff, late.customer_id);
  expect(await listed()).toMatchObject({ came: 1 });
});

it('a preview is the email of the first on the list, and nothing is sent or stored', async () => {
  const one = await member(true);
  const { first_name, last_name } = await profileOf(one);
  const preview = await staff.must<{ reader: string; subject: string; text: string }>(
    'POST',
    '/api/mailings/preview',
    { filter: {}, ...words },
  );
  expect(preview.reader).toBe(`${first_name} ${last_name}`);
  expect(preview.subject).toContain(`The new Barolo, ${first_name}`);
  expect(preview.text).toContain(`Come by, ${first_name}.`);
  await letOut();
  expect(await mailsOf(one)).toEqual([]);
  expect(await listed()).toBeUndefined();
});

describe('an email to a list is refused', () => {
  it('with a link to elsewhere', async () => {
    await member(true);
    const body = draft({ text: 'Book at https://elsewhere.example' });
    expect((await send(body)).body).toMatchObject({ code: 'SETTING_REFUSED' });
  });

  it('if nobody on it has agreed', async () => {
    await member(null);
    expect((await send()).body).toMatchObject({ code: 'MAILING_REFUSED', data: { reason: 'nobody' } });
  });
});

it('an account that is deleted loses its place on a list', async () => {
  const one = await member(true);
  await sent();
  await one.caller.must('POST', '/api/privacy/delete-account', {
    password: PASSWORD,
    confirmation: 'DELETE',
  });
  await letOut();
  const { db } = app.services;
  expect(await db.$count(mailing_recipient, eq(mailing_recipient.customer_id, one.customer_id))).toBe(0);
  expect(await db.$count(deliveries, like(deliveries.cause, 'mailing:%'))).toBe(0);
});

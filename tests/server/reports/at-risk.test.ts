import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemberAtRisk } from '../../../src/contract/staff/members-at-risk.ts';
import {
  audit_entry,
  personal_email,
  personal_email_answer,
  profiles,
} from '../../../src/server/db/schema.ts';
import { writeAllDueGrants } from '../../../src/server/pours/due-grants.ts';
import { emailsTo, mailTo } from '../../support/fixtures/emails.ts';
import { pour, venueMember } from '../../support/fixtures/members.ts';
import { openWine } from '../../support/fixtures/wines.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const atRisk = async () =>
  (await staff.must<{ members: MemberAtRisk[] }>('GET', '/api/members-at-risk')).members;
const risksOf = async (customer_id: string) =>
  (await atRisk()).find((it) => it.customer_id === customer_id)?.risks ?? [];
const draft = (request_id = app.services.newId()) => ({
  request_id,
  subject: 'Come back, Ada',
  text: 'We miss you.\n\nThe new Barolo is <b>open</b>.',
});
const write = (customer_id: string, body = draft()) =>
  staff.call('POST', `/api/members-at-risk/${customer_id}/email`, body);
const personalEmailsTo = async (caller: Caller) =>
  (await emailsTo(app.services.db, caller)).filter(({ cause }) => cause.startsWith('personal-email:'));

/** A member who joined two months ago and never came. With `agreed`, they said yes to personal emails. */
async function lostMember({ agreed = true } = {}) {
  const member = await venueMember(app, staff);
  if (agreed) await member.caller.must('PUT', '/api/personal-emails/own', { wanted: true, place: 'account' });
  await app.services.db.execute(
    sql`update customers set member_since = member_since - 70, created_at = created_at - interval '70 days' where id = ${member.customer_id}`,
  );
  return member;
}

it('a new member is not at risk; one who never came is, with the days computed from the rows', async () => {
  const { customer_id } = await venueMember(app, staff);
  expect(await risksOf(customer_id)).toEqual([]);
  const lost = await lostMember();
  expect(await risksOf(lost.customer_id)).toMatchObject([
    { kind: 'absent', text: 'No visit recorded in 70 days' },
  ]);
  // A glass ends the risk, and a void brings it back.
  const { id } = (await pour(staff, lost.customer_id)).body.pour as { id: string };
  expect(await risksOf(lost.customer_id)).toEqual([]);
  await staff.must('POST', `/api/pours/${id}/void`, {});
  expect(await risksOf(lost.customer_id)).toHaveLength(1);
});

it('two disliked wines in a row are a risk; a voided glass does not count', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  const wine = await openWine(staff);
  const rated = async (verdict: string) => {
    const { id } = (await pour(staff, customer_id, { wine_id: wine.id })).body.pour as { id: string };
    await caller.must('PUT', `/api/pours/${id}/rating`, { verdict, comment: '' });
    app.clock.advance({ minutes: 1 });
    return id;
  };
  await rated('not_mine');
  expect(await risksOf(customer_id)).toEqual([]);
  const last = await rated('not_mine');
  expect(await risksOf(customer_id)).toEqual([
    { kind: 'not_mine', level: 'medium', text: 'Rated the last 2 wines “Not mine”' },
  ]);
  await staff.must('POST', `/api/pours/${last}/void`, { reason: 'Wrong glass' });
  expect(await risksOf(customer_id)).toEqual([]);
});

it('an email is sent as staff wrote it, once, with an audit entry without its text', async () => {
  const { caller, customer_id } = await lostMember();
  const body = draft();
  const [first, second] = await Promise.all([write(customer_id, body), write(customer_id, body)]);
  expect([first.status, second.status]).toEqual([201, 201]);
  const [email, ...more] = await personalEmailsTo(caller);
  expect(more).toEqual([]);
  expect(email?.subject).toContain('Come back, Ada');
  expect(email?.text).toContain('The new Barolo is <b>open</b>.');
  expect(email?.html).not.toContain('<b>open</b>');
  const [entry, ...others] = await app.services.db
    .select()
    .from(audit_entry)
    .where(and(eq(audit_entry.subject_id, caller.id), eq(audit_entry.act, 'outreach_sent')));
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ act: 'outreach_sent', facts: { kind: 'absent' } });
  expect(JSON.stringify(entry)).not.toMatch(/Barolo|Come back/);
});

it('two who write to the same member at once send one email, and nobody writes again within 30 days', async () => {
  const { caller, customer_id } = await lostMember();
  const answers = await Promise.all([write(customer_id), write(customer_id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(await personalEmailsTo(caller)).toHaveLength(1);
  app.clock.advance({ days: 29 });
  expect((await write(customer_id)).body).toMatchObject({ data: { reason: 'too_soon' } });
  app.clock.advance({ days: 1, minutes: 5 });
  expect((await write(customer_id)).status).toBe(201);
});

it('one request sends no email to a second member', async () => {
  const [first, second] = [await lostMember(), await lostMember()];
  const body = draft();
  expect((await write(first.customer_id, body)).status).toBe(201);
  expect((await write(second.customer_id, body)).body).toMatchObject({ code: 'LETTER_REFUSED' });
  expect(await personalEmailsTo(second.caller)).toEqual([]);
});

it('a member who has not said whether they want such emails gets none', async () => {
  const { caller, customer_id } = await lostMember({ agreed: false });
  expect(await caller.must('GET', '/api/personal-emails/own')).toEqual({ wanted: null });
  expect((await atRisk()).find((it) => it.customer_id === customer_id)?.obstacle).toBe('not_agreed');
  expect((await write(customer_id)).body).toMatchObject({
    code: 'LETTER_REFUSED',
    data: { reason: 'not_agreed' },
  });
  expect(await personalEmailsTo(caller)).toEqual([]);
  await caller.must('PUT', '/api/personal-emails/own', { wanted: true, place: 'dashboard' });
  const where = eq(personal_email_answer.user_id, caller.id);
  expect(await app.services.db.select().from(personal_email_answer).where(where)).toEqual([
    { user_id: caller.id, wanted: true, place: 'dashboard', answered_at: app.clock.now() },
  ]);
  expect((await write(customer_id)).status).toBe(201);
});

describe('the link in a personal email', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  const press = (token: string, body = 'List-Unsubscribe=One-Click') =>
    app.send(`/unsubscribe?token=${token}`, { method: 'POST', headers: FORM, body });
  const answerOf = async ({ id }: Caller) => {
    const where = eq(personal_email_answer.user_id, id);
    return (await app.services.db.select().from(personal_email_answer).where(where))[0];
  };
  /** A member with a personal email, the secret of its link, and the address in its header. */
  async function reader() {
    const { caller, customer_id } = await lostMember();
    await write(customer_id);
    const [delivery] = await personalEmailsTo(caller);
    const token = /Turn off emails like this one: \S+\/unsubscribe#([\w-]{43})$/.exec(
      delivery?.text ?? '',
    )?.[1];
    const mail = await mailTo(app, delivery?.recipient ?? '');
    const header = (name: string) => mail?.headers[name];
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    return { caller, customer_id, token: token ?? '', header: header('list-unsubscribe') ?? '' };
  }

  it('turns them off without a sign-in, and the member turns them on again', async () => {
    const { caller, customer_id, token } = await reader();
    expect(await app.visitor().must('POST', '/api/personal-emails/unsubscribe', { token })).toEqual({
      wanted: false,
    });
    expect(await answerOf(caller)).toMatchObject({ wanted: false, place: 'email' });
    expect((await write(customer_id)).body).toMatchObject({ data: { reason: 'opted_out' } });
    await caller.must('PUT', '/api/personal-emails/own', { wanted: true, place: 'account' });
    expect(await caller.must('GET', '/api/personal-emails/own')).toEqual({ wanted: true });
  });

  it('is also in the header, where one press of a mail program turns them off, and opening it does not', async () => {
    const { caller, token, header } = await reader();
    expect(header).toBe(`<${app.url}/unsubscribe?token=${token}>`);
    await app.send(`/unsubscribe?token=${token}`, {});
    expect((await press(token, '')).status).toBe(400);
    expect(await answerOf(caller)).toMatchObject({ wanted: true });
    const pressed = await press(token);
    expect([pressed.status, await pressed.text()]).toEqual([200, 'Personal emails are off.']);
    expect(await answerOf(caller)).toMatchObject({ wanted: false, place: 'email' });
    expect((await press(token)).status).toBe(200);
  });

  it('turns them off when the mail program posts multipart/form-data, as RFC 8058 prefers', async () => {
    const { caller, token } = await reader();
    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    const { status } = await app.send(`/unsubscribe?token=${token}`, { method: 'POST', body });
    expect(status).toBe(200);
    expect(await answerOf(caller)).toMatchObject({ wanted: false, place: 'email' });
  });

  it('works for nobody else, nor after the account was deleted', async () => {
    const [one, other] = [await reader(), await reader()];
    const mixed = Buffer.from(one.token, 'base64url');
    Buffer.from(other.token, 'base64url').copy(mixed, 0, 0, 16);
    const invalid = async (token: string) => expect((await press(token)).status).toBe(400);
    await invalid(mixed.toString('base64url'));
    await invalid('');
    expect(await answerOf(other.caller)).toMatchObject({ wanted: true });
    await app.services.db
      .update(profiles)
      .set({ erased_at: app.clock.now() })
      .where(eq(profiles.id, one.caller.id));
    await invalid(one.token);
  });
});

it('a member who said no is listed but gets no email, until saying yes', async () => {
  const { caller, customer_id } = await lostMember();
  expect(await caller.must('GET', '/api/personal-emails/own')).toEqual({ wanted: true });
  for (const _ of [1, 2]) {
    const answer = { wanted: false, place: 'account' };
    expect(await caller.must('PUT', '/api/personal-emails/own', answer)).toEqual({ wanted: false });
  }
  expect((await atRisk()).find((it) => it.customer_id === customer_id)?.obstacle).toBe('opted_out');
  expect((await write(customer_id)).body).toMatchObject({
    code: 'LETTER_REFUSED',
    data: { reason: 'opted_out' },
  });
  expect(await personalEmailsTo(caller)).toEqual([]);
  await caller.must('PUT', '/api/personal-emails/own', { wanted: true, place: 'account' });
  expect((await write(customer_id)).status).toBe(201);
});

it('nobody gets an email without a reason, nor an unknown customer', async () => {
  const { customer_id } = await venueMember(app, staff);
  expect((await write(customer_id)).body).toMatchObject({ data: { reason: 'not_at_risk' } });
  expect((await write(app.services.newId())).status).toBe(404);
  expect(await app.services.db.$count(personal_email, eq(personal_email.customer_id, customer_id))).toBe(0);
});

it('unused glasses count only in the last week of the period', async () => {
  app.clock.set('2027-01-31T12:00:00Z');
  const { customer_id } = await venueMember(app, staff);
  const kindsOn = async (day: string) => {
    app.clock.set(`${day}T12:00:00Z`);
    await writeAllDueGrants(app.services);
    return (await risksOf(customer_id)).map(({ kind }) => kind);
  };
  // The period from January 31 to February 28, and then to March 31.
  expect(await kindsOn('2027-02-20')).toEqual([]);
  expect(await kindsOn('2027-02-22')).toEqual(['absent', 'unused']);
  expect(await kindsOn('2027-03-02')).toEqual(['absent']);
  expect(await kindsOn('2027-03-27')).toEqual(['absent', 'unused']);
});

it('unused glasses no longer count from the end of a membership with a last day', async () => {
  app.clock.set('2027-01-31T12:00:00Z');
  const { customer_id } = await venueMember(app, staff);
  app.clock.set('2027-02-22T12:00:00Z');
  const kindsWithEnd = async (day: string) => {
    await app.services.db.execute(
      sql`update memberships set ends_on = ${day}::date where customer_id = ${customer_id}`,
    );
    return (await risksOf(customer_id)).map(({ kind }) => kind);
  };
  expect(await kindsWithEnd('2027-02-23')).toEqual(['absent', 'unused']);
  expect(await kindsWithEnd('2027-02-22')).toEqual(['absent']);
});

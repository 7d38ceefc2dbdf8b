import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { MemberAccount } from '../../../src/contract/staff/member-account.ts';
import {
  audit_entry,
  customers,
  profiles,
  sessions,
  staff_notice,
  staff_permission,
} from '../../../src/server/db/schema.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { cardMember, type Member, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/members.md, "A member's account, by staff".

let app: TestApp;
let staff: Caller;
let people = 0;
beforeAll(async () => {
  app = await createTestApp({ verifyEmail: 'nudge' });
  staff = await app.staff();
});
afterAll(() => app.close());

const newEmail = () => `moved-${++people}@example.test`;
const at = ({ customer_id }: Member) => `/api/customers/${customer_id}`;
const read = (member: Member) => staff.must<MemberAccount>('GET', `${at(member)}/account`);
const profileOf = async ({ caller }: Member) => {
  const [row] = await app.services.db.select().from(profiles).where(eq(profiles.id, caller.id));
  if (!row) throw new Error('No such profile');
  return row;
};
async function save(member: Member, change: Partial<MemberAccount>, by = staff) {
  const { version, first_name, last_name, phone } = await read(member);
  const body = { version, first_name, last_name, phone, ...change };
  return by.call('PUT', `${at(member)}/account`, body);
}
async function changeEmail(member: Member, email: string) {
  const { version } = await read(member);
  return staff.call('POST', `${at(member)}/email`, { version, email });
}
const confirm = ({ caller }: Member) =>
  app.services.db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, caller.id));
const confirmed = async () => {
  const member = await venueMember(app, staff);
  await confirm(member);
  return member;
};
const follow = async (email: string) =>
  app.visitor().call('POST', '/api/auth/email-change/confirm', {
    token: tokenIn(await mailTo(app, email), '/change-email#'),
  });
const audited = async ({ caller }: Member) => {
  const rows = await app.services.db.select().from(audit_entry).where(eq(audit_entry.subject_id, caller.id));
  return rows.map(({ act, facts }) => ({ act, facts }));
};

describe('name and phone', () => {
  it('are changed, and the audit says which, not what they say', async () => {
    const member = await venueMember(app, staff);
    const { body } = await save(member, { first_name: 'Grace', phone: '555 0199' });
    expect(body).toMatchObject({ first_name: 'Grace', phone: '555 0199' });
    expect(await profileOf(member)).toMatchObject({ first_name: 'Grace', phone: '555 0199' });
    expect((await profileOf(member)).name).toMatch(/^Grace /);
    expect(await audited(member)).toContainEqual({
      act: 'member_changed',
      facts: { fields: 'first_name phone' },
    });
    expect(app.logged.join()).not.toContain('555 0199');
  });

  it('saved unchanged leave no trace', async () => {
    const member = await venueMember(app, staff);
    const { body } = await save(member, {});
    expect((await read(member)).version).toBe(body.version);
    expect((await audited(member)).map(({ act }) => act)).not.toContain('member_changed');
  });

  it('are not overwritten unseen: the second to save is refused, and nothing changes', async () => {
    const member = await venueMember(app, staff);
    const seen = await read(member);
    await save(member, { first_name: 'Grace' });
    const late = { version: seen.version, first_name: 'Ida', last_name: seen.last_name, phone: null };
    expect(await staff.call('PUT', `${at(member)}/account`, late)).toMatchObject({
      status: 409,
      body: { code: 'MEMBER_CHANGED' },
    });
    expect((await profileOf(member)).first_name).toBe('Grace');
  });

  test.each([
    ['a link', 'visit evil.example'],
    ['nothing', ' '],
  ])('a name that is %s is refused', async (_, first_name) => {
    expect((await save(await venueMember(app, staff), { first_name })).body.code).toBe('BAD_REQUEST');
  });
});

describe('an email that was confirmed', () => {
  it('changes once the link in the new inbox is followed; the old one is notified, and every device signed out', async () => {
    const member = await confirmed();
    const { email: old } = await profileOf(member);
    const wanted = newEmail();
    const { body } = await changeEmail(member, wanted.toUpperCase());
    expect(body).toMatchObject({ email: old, pending_email: { new_email: wanted } });
    expect((await profileOf(member)).email).toBe(old);
    const warning = await mailTo(app, old);
    expect(warning?.subject).toMatch(/^Your email is about to change/);
    expect(warning?.text).toMatch(/^Our staff asked/m);
    expect((await mailTo(app, wanted))?.text).toContain('Our staff entered this email');

    expect((await follow(wanted)).status).toBe(200);
    expect(await profileOf(member)).toMatchObject({ email: wanted, emailVerified: true });
    const { db } = app.services;
    expect(await db.$count(sessions, eq(sessions.userId, member.caller.id))).toBe(0);
    expect((await mailTo(app, old))?.subject).toMatch(/^Your email was changed/);
    expect(await audited(member)).toContainEqual({
      act: 'member_email_changed',
      facts: { how: 'link sent' },
    });
    expect(app.logged.join()).not.toContain(wanted);
  });

  it('can be kept by staff, and by the member, who sees the requested change', async () => {
    const member = await confirmed();
    const [first, second] = [newEmail(), newEmail()];
    await changeEmail(member, first);
    expect(await member.caller.must('GET', '/api/auth/email-change')).toMatchObject({
      pending: { new_email: first },
    });
    expect(await staff.must('DELETE', `${at(member)}/email`)).toMatchObject({ pending_email: null });
    // Nothing is left to withdraw, so nothing is recorded.
    await staff.must('DELETE', `${at(member)}/email`);
    const withdrawn = { act: 'member_email_changed', facts: { how: 'withdrawn' } };
    expect(
      (await audited(member)).filter(({ facts }) => 'how' in facts && facts.how === 'withdrawn'),
    ).toEqual([withdrawn]);
    expect((await follow(first)).body.code).toBe('LINK_INVALID');
    await changeEmail(member, second);
    await member.caller.must('DELETE', '/api/auth/email-change');
    expect((await follow(second)).body.code).toBe('LINK_INVALID');
  });

  it('waits for its link for a day, and is not shown as waiting after that', async () => {
    const member = await confirmed();
    const wanted = newEmail();
    await changeEmail(member, wanted);
    app.clock.advance({ days: 1, seconds: -1 });
    expect((await read(member)).pending_email).toMatchObject({ new_email: wanted });
    app.clock.advance({ seconds: 1 });
    expect((await read(member)).pending_email).toBeNull();
  });

  it('is changed at most five times an hour, whoever asks', async () => {
    const member = await confirmed();
    for (let times = 0; times < 5; times += 1) await changeEmail(member, newEmail());
    expect((await changeEmail(member, newEmail())).body.code).toBe('TOO_MANY_ATTEMPTS');
    const own = await member.caller.call('POST', '/api/auth/email-change', {
      email: newEmail(),
      password: PASSWORD,
    });
    expect(own.body).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    expect((await changeEmail(await confirmed(), newEmail())).status).toBe(200);
  });

  it('cannot be changed where no mail server is set up', async () => {
    const member = await confirmed();
    const { outbox } = app.services;
    outbox.sends = false;
    try {
      expect((await changeEmail(member, newEmail())).body.code).toBe('EMAIL_SENDING_OFF');
    } finally {
      outbox.sends = true;
    }
  });
});

describe('an email that nobody confirmed', () => {
  it('is corrected at once: links to the old inbox and sessions end, and the new one gets a link', async () => {
    const member = await venueMember(app, staff);
    const { email: old } = await profileOf(member);
    await app.visitor().must('POST', '/api/auth/recover', { email: old });
    const reset = tokenIn(await mailTo(app, old), '/reset-password#');
    const { db: database, newId, now } = app.services;
    const notice = {
      id: newId(),
      kind: 'email_refused',
      cause: `refused:${old}`,
      created_at: now(),
    } as const;
    const facts = { subject: 'Hello' };
    await database.insert(staff_notice).values({ ...notice, user_id: member.caller.id, facts });
    const wanted = newEmail();
    const { body } = await changeEmail(member, wanted);
    const notices = eq(staff_notice.user_id, member.caller.id);
    expect(await database.$count(staff_notice, notices)).toBe(0);
    expect(body).toMatchObject({ email: wanted, email_confirmed: false, pending_email: null });
    const { db } = app.services;
    expect(await db.$count(sessions, eq(sessions.userId, member.caller.id))).toBe(0);
    const stolen = { token: reset, password: 'another long password' };
    expect((await app.visitor().call('POST', '/api/auth/reset-password', stolen)).body.code).toBe(
      'LINK_INVALID',
    );
    const mail = await mailTo(app, old);
    expect(mail?.subject).toMatch(/^This email is no longer used/);
    expect(mail?.text).not.toContain(wanted);
    const token = tokenIn(await mailTo(app, wanted), '/verify-email#');
    await app.visitor().must('POST', '/api/auth/verify-email', { token });
    expect(await read(member)).toMatchObject({ email: wanted, email_confirmed: true });
    const signIn = { email: wanted, password: PASSWORD };
    expect((await app.visitor().call('POST', '/api/auth/sign-in', signIn)).status).toBe(200);
  });

  it('of someone signed up at the bar gets the link to choose a password', async () => {
    const [typo, right] = [newEmail(), newEmail()];
    const person = { first_name: 'Mary', last_name: 'Hill', email: typo };
    const { customer_id } = await staff.must<{ customer_id: string }>('POST', '/api/bar-sign-ups', {
      ...{ person, tier: 'select', toast_reference_number: 'T-1' },
    });
    const { version } = await staff.must<MemberAccount>('GET', `/api/customers/${customer_id}/account`);
    await staff.must('POST', `/api/customers/${customer_id}/email`, { version, email: right });
    const token = tokenIn(await mailTo(app, right), '/reset-password#');
    await app.visitor().must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    expect(await staff.must('GET', `/api/customers/${customer_id}/account`)).toMatchObject({
      email: right,
      email_confirmed: true,
    });
  });
});

test.each([
  ['the one they have', (own: string) => own.toUpperCase(), 'EMAIL_UNCHANGED'],
  ['one of another account', (_: string, other: string) => other, 'EMAIL_IN_USE'],
  ['no email', () => 'not an email', 'BAD_REQUEST'],
])('a new email that is %s is refused, confirmed or not', async (_, email, code) => {
  const [one, other] = [await venueMember(app, staff), await cardMember(app)];
  const [own, taken] = [(await profileOf(one)).email, (await profileOf(other)).email];
  expect((await changeEmail(one, email(own, taken))).body.code).toBe(code);
  await confirm(one);
  expect((await changeEmail(one, email(own, taken))).body.code).toBe(code);
  expect((await profileOf(one)).email).toBe(own);
});

it('says whether the member agreed to personal emails', async () => {
  const member = await venueMember(app, staff);
  expect((await read(member)).personal_emails).toBeNull();
  for (const wanted of [true, false]) {
    await member.caller.must('PUT', '/api/personal-emails/own', { wanted, place: 'account' });
    expect((await read(member)).personal_emails).toBe(wanted);
  }
});

it('the account of a team member is theirs alone: manage_members cannot take over one with manage_staff', async () => {
  const colleague = await app.staff();
  const { db, newId } = app.services;
  const customer_id = newId();
  await db.insert(customers).values({
    ...{ id: customer_id, user_id: colleague.id, tier: 'select', status: 'inactive' as const },
    ...{ member_since: '2026-01-01', created_at: app.clock.now() },
  });
  const member = { caller: colleague, customer_id };
  await db.delete(staff_permission).where(eq(staff_permission.user_id, colleague.id));
  expect(await read(member)).toMatchObject({ of_staff: true });
  expect((await save(member, { first_name: 'Eve', last_name: 'Kim' })).body.code).toBe('STAFF_ACCOUNT');
  expect((await changeEmail(member, newEmail())).body.code).toBe('STAFF_ACCOUNT');
  expect((await staff.call('DELETE', `${at(member)}/email`)).body.code).toBe('STAFF_ACCOUNT');
  expect((await save(member, { first_name: 'Eve', last_name: 'Kim' }, colleague)).body.code).toBe(
    'NOT_ALLOWED',
  );
});

it('a deleted account cannot be changed', async () => {
  const member = await venueMember(app, staff);
  const { version } = await read(member);
  const goodbye = { password: PASSWORD, confirmation: 'DELETE' };
  await member.caller.must('POST', '/api/privacy/delete-account', goodbye);
  expect((await staff.call('GET', `${at(member)}/account`)).body.code).toBe('NOT_FOUND');
  const email = { version, email: newEmail() };
  expect((await staff.call('POST', `${at(member)}/email`, email)).body.code).toBe('NOT_FOUND');
});

describe('an email that was lost', () => {
  const send = (member: Pick<Member, 'customer_id'>) =>
    staff.call('POST', `/api/customers/${member.customer_id}/access-email`);

  it('is sent again with a link that works: three in an hour, and no more in a day than any unconfirmed email gets', async () => {
    const person = { first_name: 'Mary', last_name: 'Hill', email: newEmail() };
    const signedUp = await staff.must<{ customer_id: string }>('POST', '/api/bar-sign-ups', {
      ...{ person, tier: 'select', toast_reference_number: 'T-1' },
    });
    app.clock.advance({ minutes: 1 });
    const { body } = await send(signedUp);
    const sent_at = app.clock.now().toISOString();
    expect(body.access_email).toEqual({ kind: 'password', sent_at });
    app.clock.advance({ minutes: 1 });
    expect((await send(signedUp)).status).toBe(200);
    app.clock.advance({ minutes: 1 });
    expect(await send(signedUp)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    const token = tokenIn(await mailTo(app, person.email), '/reset-password#');
    await app.visitor().must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    expect((await send(signedUp)).body.code).toBe('NOTHING_TO_SEND');
  });

  it('confirms an email, and is in the audit without it', async () => {
    const member = await venueMember(app, staff);
    const { email } = await profileOf(member);
    expect((await send(member)).body).toMatchObject({ access_email: { kind: 'confirmation' } });
    const token = tokenIn(await mailTo(app, email), '/verify-email#');
    await app.visitor().must('POST', '/api/auth/verify-email', { token });
    expect((await send(member)).body.code).toBe('NOTHING_TO_SEND');
    expect(await audited(member)).toContainEqual({ act: 'letter_sent', facts: { letter: 'confirmation' } });
  });
});

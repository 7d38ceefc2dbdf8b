import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BarSignUp } from '../../../src/contract/staff/bar-sign-ups.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import { subscriptionConsent, yearConsent } from '../../../src/domain/consent.ts';
import { getSignUp } from '../../../src/server/auth/bar-sign-ups/bar-sign-up.ts';
import { payByLink, readPaymentLink } from '../../../src/server/auth/bar-sign-ups/payment-link.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import {
  checkout_attempt,
  consent,
  customers,
  membership_applications,
  memberships,
  payment_link,
  profiles,
  rate_limits,
} from '../../../src/server/db/schema.ts';
import { mailsTo, mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { applied, payAt, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());
beforeEach(() => app.services.db.delete(rate_limits));

interface Started {
  user_id: string;
  application_id: string;
  customer_id: string | null;
  link: { url: string; expires_at: string } | null;
}

let guests = 0;
const newPerson = () => {
  guests += 1;
  return { first_name: 'Mira', last_name: `Sol${guests}`, email: `mira${guests}@guest.example` };
};
const refused = (status: number, code: string) => ({ status, body: { code } });
const signUp = (person: object, more: object = {}, by = staff) =>
  by.call<Started & { code?: string }>('POST', '/api/bar-sign-ups', { person, tier: 'select', ...more });
const AT_VENUE = { toast_reference_number: 'T-77' };
const byPhone = async (person: object = newPerson()) => {
  const { body, status } = await signUp(person);
  expect(status).toBe(201);
  return { ...body, token: body.link?.url.split('/join#')[1] ?? '' };
};
const find = async (key: object) =>
  (
    await staff.must<{ person: { known_as: string; user_id: string; loses_password: boolean } | null }>(
      'POST',
      '/api/bar-sign-up-search',
      key,
    )
  ).person;
const follow = (id: string) => staff.must<BarSignUp>('GET', `/api/bar-sign-ups/${id}`);
const BROWSER = 'b'.repeat(43);
const OTHER_BROWSER = 'o'.repeat(43);
const read = (token: string, browser?: string) =>
  app.visitor().call('POST', '/api/payment-links/read', { token, ...(browser && { browser }) });
const words = () => subscriptionConsent(app.services.venue, { tier: 'Select', price: '$39.00' }).version;
const pay = (token: string, browser = BROWSER) =>
  app.visitor().call<{ url: string }>('POST', '/api/payment-links/pay', {
    token,
    browser,
    consentVersion: words(),
  });
const rowsOfUser = async (user_id: string) => {
  const { db } = app.services;
  return {
    applications: await db
      .select()
      .from(membership_applications)
      .where(eq(membership_applications.user_id, user_id)),
    customers: await db.select().from(customers).where(eq(customers.user_id, user_id)),
    attempts: await db.select().from(checkout_attempt).where(eq(checkout_attempt.user_id, user_id)),
  };
};

describe('someone new', () => {
  it('pays on their own phone, and the membership names who signed them up', async () => {
    const person = newPerson();
    expect(await find({ email: person.email })).toBeNull();
    const { token, user_id, application_id } = await byPhone(person);
    expect(await follow(application_id)).toMatchObject({
      state: 'waiting',
      email: person.email,
      customer_id: null,
    });
    expect(await read(token)).toMatchObject({
      status: 200,
      body: {
        state: 'offer',
        first_name: 'Mira',
        email: person.email,
        tier: { display_name: 'Select', monthly_price: 39 },
      },
    });
    expect(await follow(application_id)).toMatchObject({ state: 'opened' });
    const { body } = await pay(token);
    expect(await follow(application_id)).toMatchObject({ state: 'paying' });
    expect(await payAt(body.url, { number: '4000000000000002' })).toBeNull();
    expect(await follow(application_id)).toMatchObject({ state: 'paying' });
    const back = await payAt(body.url);
    expect(back).toBe(`${app.services.venue.public_url}/join?payment=done`);
    expect(await read(token, BROWSER)).toMatchObject({ status: 200, body: { state: 'paid' } });
    expect(await follow(application_id)).toMatchObject({ state: 'member', customer_id: expect.any(String) });
    const rows = await rowsOfUser(user_id);
    expect(rows.applications).toMatchObject([
      { status: 'approved', reviewed_by_staff_id: null, preferences: null, is_complete: true },
    ]);
    expect(rows.customers).toMatchObject([{ status: 'active', signed_up_by_staff_id: staff.id }]);
    const agreed = await app.services.db.select().from(consent).where(eq(consent.user_id, user_id));
    expect(agreed).toMatchObject([{ what: 'subscription', text_version: words() }]);
    const { entries } = await staff.must<{ entries: { kind: string; by: string }[] }>(
      'GET',
      `/api/customers/${rows.customers[0]?.id}/timeline`,
    );
    expect(entries.find((it) => it.kind === 'joined')?.by).toMatch(/^staff\d+$/);
  });

  it('who pays at the venue is a member at once, by the same approval as an applicant', async () => {
    const person = newPerson();
    const { body } = await signUp(
      { ...person, email: person.email.toUpperCase() },
      { ...AT_VENUE, tier: 'premier' },
    );
    expect(body.link).toBeNull();
    expect(await staff.must('GET', `/api/customers/${body.customer_id}`)).toMatchObject({
      standing: 'venue',
      customer: { tier: 'premier', status: 'active' },
      profile: { email: person.email },
      has_preferences: false,
    });
    const [membership] = await app.services.db
      .select()
      .from(memberships)
      .where(eq(memberships.customer_id, body.customer_id ?? ''));
    expect(membership).toMatchObject({ toast_reference_number: 'T-77', recorded_by_staff_id: staff.id });
    const { entries } = await staff.must<{ entries: unknown[] }>('GET', '/api/audit');
    expect(entries.slice(0, 2)).toMatchObject([
      { act: 'application_approved', subject: { name: `Mira ${person.last_name}` } },
      { act: 'member_signed_up', facts: { tier: 'premier', paid: 'at the venue', account: 'made' } },
    ]);
  });

  it('chooses a password by the link in one email, and takes the survey later', async () => {
    const { email, ...names } = newPerson();
    await signUp({ email, ...names }, AT_VENUE);
    const signIn = (password: string) => app.visitor().call('POST', '/api/auth/sign-in', { email, password });
    expect((await signIn(PASSWORD)).status).toBe(401);
    const mails = await mailsTo(app, email);
    const links = mails.filter((it) => it.text.includes('/reset-password#'));
    expect(links.map((it) => it.subject)).toEqual(['Choose your password · Test Cellar']);
    const token = tokenIn(links[0], '/reset-password#');
    const choose = () =>
      app.visitor().call('POST', '/api/auth/reset-password', { token, password: 'a long new password' });
    expect((await choose()).status).toBe(200);
    expect(await choose()).toMatchObject(refused(400, 'LINK_INVALID'));
    const member = app.visitor();
    await member.must('POST', '/api/auth/sign-in', { email, password: 'a long new password' });
    expect(await member.must('GET', '/api/profile/taste')).toBeNull();
    const taste = {
      wine_knowledge: 1,
      drinking_frequency: 2,
      red_wine_preference: 3,
      white_wine_preference: 4,
      adventurousness: 5,
    };
    expect(await member.must('PUT', '/api/profile/taste', taste)).toMatchObject({ ratings: taste });
  });

  it('who leaves has no membership and has paid nothing', async () => {
    const { user_id, token } = await byPhone();
    await pay(token);
    app.clock.advance({ days: 1 });
    await sweep(app.services.billing);
    const rows = await rowsOfUser(user_id);
    expect(rows).toMatchObject({
      customers: [],
      applications: [{ status: 'pending' }],
      attempts: [{ status: 'expired' }],
    });
    expect(await follow(rows.applications[0]?.id ?? '')).toMatchObject({ state: 'left' });
  });

  it('is refused with a tier that is not on offer, and no account is made', async () => {
    const person = newPerson();
    expect(await signUp(person, { tier: 'reserve' })).toMatchObject(refused(409, 'TIER_NOT_AVAILABLE'));
    expect(await find({ email: person.email })).toBeNull();
    expect(await mailTo(app, person.email)).toBeUndefined();
  });
});

describe('someone with an account', () => {
  it('is found by email in any case, and offered instead of a second account', async () => {
    const known = await app.customer({ email: 'known@guest.example' });
    expect(await find({ email: 'Known@Guest.example' })).toMatchObject({
      user_id: known.id,
      known_as: 'account',
    });
    expect(await signUp({ ...newPerson(), email: 'KNOWN@guest.example' })).toMatchObject(
      refused(409, 'PERSON_KNOWN'),
    );
    expect((await byPhone({ user_id: known.id })).user_id).toBe(known.id);
  });

  it.each([
    ['an unconfirmed', false],
    ['a confirmed', true],
  ])(
    'with %s email is taken from its maker, and the email’s owner gets a link to choose a password',
    async (_, emailVerified) => {
      const email = `squatted-${emailVerified}@guest.example`;
      const squatter = await app.customer({ email });
      await app.services.db.update(profiles).set({ emailVerified }).where(eq(profiles.id, squatter.id));
      expect(await find({ email })).toMatchObject({ loses_password: true });
      expect(await signUp({ user_id: squatter.id }, AT_VENUE)).toMatchObject({ status: 201 });
      expect((await squatter.call('GET', '/api/customers/own')).status).toBe(401);
      expect(
        (await app.visitor().call('POST', '/api/auth/sign-in', { email, password: PASSWORD })).status,
      ).toBe(401);
      expect((await mailsTo(app, email)).some((it) => it.text.includes('/reset-password#'))).toBe(true);
    },
  );

  it('that a gift or a shared membership made is taken from its maker: anyone can give one to any email', async () => {
    const holder = await venueMember(app, staff, 'household');
    const { caller: partner } = await shareWith(app, holder);
    await partner.must('DELETE', '/api/household', {});
    const { caller: given, customer_id } = await venueMember(app, staff, 'household');
    const { token: printed } = await given.must<{ token: string }>('POST', '/api/paper-cards', {});
    const { caller: accomplice } = await shareWith(app, { caller: given, customer_id });
    const { db } = app.services;
    await db
      .update(memberships)
      .set({
        is_gift: true,
        paid_until: null,
        grace_until: null,
        status: 'ended',
        ends_on: '2030-01-01',
        end_date: '2030-01-01',
      })
      .where(eq(memberships.customer_id, customer_id));
    await db
      .update(customers)
      .set({ status: 'inactive', signed_up_by_staff_id: null })
      .where(eq(customers.id, customer_id));
    for (const maker of [partner, given]) {
      expect(await find({ user_id: maker.id })).toMatchObject({ known_as: 'former', loses_password: true });
      expect(await signUp({ user_id: maker.id }, { ...AT_VENUE, tier: 'household' })).toMatchObject({
        status: 201,
      });
      expect((await maker.call('GET', '/api/customers/own')).status).toBe(401);
    }
    // What its maker could drink with ends, too.
    expect(await staff.must('POST', '/api/functions/verify-qr-token', { token: printed })).toMatchObject({
      valid: false,
    });
    expect(await accomplice.must('GET', '/api/customers/own')).toMatchObject({
      customer: { status: 'inactive' },
    });
  });

  it('and a pending application continues with its own answers', async () => {
    const applicant = await app.customer();
    const application = await applied(applicant, 'premier');
    const { application_id } = await byPhone({ user_id: applicant.id });
    expect(application_id).toBe(application);
    expect((await rowsOfUser(applicant.id)).applications).toMatchObject([
      { selected_tier: 'select', preferences: { adventurousness: 9 } },
    ]);
  });

  it('and an application that was rejected gets a new one', async () => {
    const applicant = await app.customer();
    const id = await applied(applicant);
    await staff.must('POST', `/api/applications/${id}/reject`, {});
    expect(await find({ user_id: applicant.id })).toMatchObject({ known_as: 'account' });
    const { application_id } = await byPhone({ user_id: applicant.id });
    expect(application_id).not.toBe(id);
  });

  it('who was a member rejoins with the same record, and keeps the password', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    expect(await signUp({ user_id: caller.id })).toMatchObject(refused(409, 'ALREADY_MEMBER'));
    const { db } = app.services;
    await db
      .update(memberships)
      .set({ status: 'ended', end_date: '2030-01-01' })
      .where(eq(memberships.customer_id, customer_id));
    await db.update(customers).set({ status: 'inactive' }).where(eq(customers.id, customer_id));
    expect(await find({ user_id: caller.id })).toMatchObject({ known_as: 'former', loses_password: false });
    expect(await signUp({ user_id: caller.id }, AT_VENUE)).toMatchObject({
      status: 201,
      body: { customer_id },
    });
    expect((await caller.call('GET', '/api/customers/own')).status).toBe(200);
  });

  it('who is staff cannot become a member', async () => {
    const colleague = await app.staff();
    const { email } = (await colleague.must<{ user: { email: string } }>('GET', '/api/session')).user;
    expect(await find({ email })).toMatchObject({ known_as: 'staff' });
    expect(await signUp({ ...newPerson(), email })).toMatchObject(refused(409, 'ALREADY_STAFF'));
    expect(await signUp({ user_id: colleague.id })).toMatchObject(refused(409, 'ALREADY_STAFF'));
  });

  it('that was deleted is not found, and its email is free', async () => {
    const gone = await app.customer({ email: 'gone@guest.example' });
    await gone.must('POST', '/api/privacy/delete-account', { password: PASSWORD, confirmation: 'DELETE' });
    expect(await find({ user_id: gone.id })).toBeNull();
    expect(await signUp({ user_id: gone.id })).toMatchObject(refused(404, 'NOT_FOUND'));
    expect(await signUp({ ...newPerson(), email: 'gone@guest.example' })).toMatchObject({ status: 201 });
  });
});

describe('a link to pay', () => {
  it('is stored as a hash, and is in no email and no log', async () => {
    const { token, application_id } = await byPhone();
    const [row] = await app.services.db
      .select()
      .from(payment_link)
      .where(eq(payment_link.application_id, application_id));
    expect(JSON.stringify(row)).not.toContain(token);
    await pay(token);
    expect(app.logged.filter((line) => line.includes(token))).toEqual([]);
  });

  it('belongs to the first browser that continues to payment, which may return', async () => {
    const { token } = await byPhone();
    const { body } = await pay(token);
    expect(await pay(token, OTHER_BROWSER)).toMatchObject(refused(400, 'LINK_INVALID'));
    expect(await read(token)).toMatchObject(refused(400, 'LINK_INVALID'));
    expect(await read(token, OTHER_BROWSER)).toMatchObject(refused(400, 'LINK_INVALID'));
    expect((await pay(token)).body.url).toBe(body.url);
  });

  it('is announced to staff when opened, and at payment, once a page that asks at once sees it', async () => {
    const { token, application_id } = await byPhone();
    const seen: Promise<string>[] = [];
    const by = { ...app.services, actor: { user_id: staff.id, role: 'staff' as const } };
    const asked = async () => (await getSignUp(by, { application_id })).state;
    const ctx = { ...app.services, announce: () => void seen.push(asked()) };
    await readPaymentLink(ctx, { token });
    await payByLink(ctx, { token, browser: BROWSER, consentVersion: words() });
    expect(await Promise.all(seen)).toEqual(['opened', 'paying']);
  });

  it('opened by two browsers at the same moment works for one', async () => {
    const { token } = await byPhone();
    const answers = await Promise.all([pay(token), pay(token, OTHER_BROWSER)]);
    expect(answers.map((it) => it.status).sort()).toEqual([200, 400]);
  });

  it('lasts 15 minutes, except for someone on the way back from payment', async () => {
    const [late, early] = [await byPhone(), await byPhone()];
    const { body } = await pay(early.token);
    app.clock.advance({ minutes: 15 });
    expect(await read(late.token)).toMatchObject(refused(401, 'LINK_EXPIRED'));
    expect(await pay(late.token)).toMatchObject(refused(401, 'LINK_EXPIRED'));
    expect(await follow(late.application_id)).toMatchObject({ state: 'expired' });
    await payAt(body.url);
    expect(await read(early.token, BROWSER)).toMatchObject({ body: { state: 'paid' } });
  });

  it('ends with the next one, which opens the same payment', async () => {
    const { token, application_id } = await byPhone();
    const { body: first } = await pay(token);
    const renew = () => staff.call<{ url: string }>('POST', `/api/bar-sign-ups/${application_id}/link`, {});
    const next = (await renew()).body.url.split('#')[1] ?? '';
    expect(await read(token, BROWSER)).toMatchObject(refused(400, 'LINK_INVALID'));
    const { body: second } = await pay(next, OTHER_BROWSER);
    expect(second.url).toBe(first.url);
    await payAt(second.url);
    await read(next, OTHER_BROWSER);
    expect(await renew()).toMatchObject(refused(409, 'APPLICATION_NOT_PENDING'));
  });

  it('stops working once the application is approved or rejected, and its page is closed', async () => {
    const [approved, rejected] = [await byPhone(), await byPhone()];
    const { body } = await pay(approved.token);
    await staff.must('POST', `/api/applications/${approved.application_id}/approve`, AT_VENUE);
    await staff.must('POST', `/api/applications/${rejected.application_id}/reject`, {});
    expect(await payAt(body.url)).toBeNull();
    expect(await read(rejected.token)).toMatchObject(refused(400, 'LINK_INVALID'));
    expect(await pay(rejected.token)).toMatchObject(refused(400, 'LINK_INVALID'));
    expect(await pay(approved.token)).toMatchObject(refused(409, 'ALREADY_MEMBER'));
    expect(await follow(rejected.application_id)).toMatchObject({ state: 'rejected' });
  });

  it('takes consent to the words beside the button, for the price that is charged', async () => {
    const { token } = await byPhone();
    const answer = await app
      .visitor()
      .call('POST', '/api/payment-links/pay', { token, browser: BROWSER, consentVersion: '0'.repeat(16) });
    expect(answer).toMatchObject(refused(409, 'CONSENT_OUTDATED'));
    expect((await pay(token)).status).toBe(200);
  });

  it('and the member’s own checkout are never both open', async () => {
    const member = await app.customer();
    const { db, newId } = app.services;
    await db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, member.id));
    // A member once, so the account keeps its session.
    await db.insert(customers).values({
      ...{ id: newId(), user_id: member.id, tier: 'select', status: 'inactive' as const },
      ...{ member_since: '2026-01-01', created_at: app.clock.now(), signed_up_by_staff_id: staff.id },
    });
    const { token, application_id: applicationId } = await byPhone({ user_id: member.id });
    const { body } = await pay(token);
    const own = await member.must<{ url: string }>('POST', '/api/functions/create-checkout', {
      tierName: 'select',
      applicationId,
    });
    expect(own.url).not.toBe(body.url);
    expect(await payAt(body.url)).toBeNull();
    expect((await rowsOfUser(member.id)).attempts.filter((it) => it.status === 'open')).toHaveLength(1);
  });
});

// Select costs $390 for a year here.
describe('a year by the code', () => {
  const priced = (yearly_price_cents: number | null) =>
    staff.must('PATCH', '/api/tier-settings/select', { yearly_price_cents });
  beforeAll(() => priced(39_000));
  afterAll(() => priced(null));

  const yearWords = () => yearConsent(app.services.venue, { tier: 'Select', price: '$390.00' }).version;
  const payYear = (token: string, more: object = {}) =>
    app.visitor().call<{ url: string }>('POST', '/api/payment-links/pay', {
      ...{ token, browser: BROWSER, period: 'year', consentVersion: yearWords(), ...more },
    });
  const attemptsOf = async (user_id: string) =>
    (await rowsOfUser(user_id)).attempts
      .map(({ months, status, by_link }) => ({ months, status, by_link }))
      .sort((one, other) => one.status.localeCompare(other.status));

  it('is a membership with dues of twelve months, once it is paid on their phone', async () => {
    const { token, user_id, application_id } = await byPhone();
    expect(await read(token)).toMatchObject({ body: { tier: { monthly_price: 39, yearly_price: 390 } } });
    const { body } = await payYear(token);
    expect(await follow(application_id)).toMatchObject({ state: 'paying', customer_id: null });
    expect(await payAt(body.url)).toBe(`${app.services.venue.public_url}/join?payment=done`);
    expect(await read(token, BROWSER)).toMatchObject({ body: { state: 'paid' } });
    expect(await follow(application_id)).toMatchObject({ state: 'member' });
    const { customers: rows, applications } = await rowsOfUser(user_id);
    expect(rows).toMatchObject([{ status: 'active', tier: 'select', signed_up_by_staff_id: staff.id }]);
    expect(applications).toMatchObject([{ status: 'approved', reviewed_by_staff_id: null }]);
    const { state, entries } = await staff.must<Dues>('GET', `/api/customers/${rows[0]?.id}/dues`);
    expect(state).toBe('paid');
    expect(entries).toMatchObject([
      { method: 'online', months: 12, amount_cents: 39_000, recorded_by: null, voided: null },
    ]);
    const [membership] = await app.services.db
      .select()
      .from(memberships)
      .where(eq(memberships.customer_id, rows[0]?.id ?? ''));
    expect(membership).toMatchObject({
      ...{ status: 'active', stripe_subscription_id: null, recorded_by_staff_id: staff.id },
    });
    const agreed = await app.services.db.select().from(consent).where(eq(consent.user_id, user_id));
    expect(agreed).toMatchObject([{ what: 'subscription', text_version: yearWords() }]);
  });

  it('is ordered again on the same page', async () => {
    const { token, user_id } = await byPhone();
    const { body } = await payYear(token);
    expect((await payYear(token)).body).toEqual(body);
    expect(await attemptsOf(user_id)).toEqual([{ months: 12, status: 'open', by_link: true }]);
  });

  it('and a month take each other’s place: only the page of the last choice can be paid', async () => {
    const { token, user_id, application_id } = await byPhone();
    const { body: year } = await payYear(token);
    const { body: month } = await pay(token);
    expect(month.url).not.toBe(year.url);
    expect(await payAt(year.url)).toBeNull();
    expect(await attemptsOf(user_id)).toEqual([
      { months: 12, status: 'expired', by_link: true },
      { months: null, status: 'open', by_link: true },
    ]);
    const { body: again } = await payYear(token);
    expect(await payAt(month.url)).toBeNull();
    await payAt(again.url);
    expect(await read(token, BROWSER)).toMatchObject({ body: { state: 'paid' } });
    const { customer_id } = await follow(application_id);
    const { entries } = await staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
    expect(entries.map(({ months }) => months)).toEqual([12]);
  });

  it('is not paid on a page that was closed: by a decision of staff, or by its time', async () => {
    const [approved, late] = [await byPhone(), await byPhone()];
    const { body: closed } = await payYear(approved.token);
    await staff.must('POST', `/api/applications/${approved.application_id}/approve`, AT_VENUE);
    expect(await payAt(closed.url)).toBeNull();
    const { body: left } = await payYear(late.token);
    app.clock.advance({ days: 1 });
    await sweep(app.services.billing);
    expect(await payAt(left.url)).toBeNull();
    expect(await follow(late.application_id)).toMatchObject({ state: 'left' });
    expect((await payYear(late.token)).body.url).not.toBe(left.url);
  });

  it('is refused with the words of a month, and where the tier has no price of a year', async () => {
    const { token } = await byPhone();
    expect(await payYear(token, { consentVersion: words() })).toMatchObject(refused(409, 'CONSENT_OUTDATED'));
    await priced(null);
    expect(await payYear(token)).toMatchObject(refused(409, 'TIER_NOT_AVAILABLE'));
    await priced(39_000);
    expect((await payYear(token)).status).toBe(200);
  });
});

it('only staff who manage members can sign someone up', async () => {
  const bartender = await app.staff();
  expect(await signUp(newPerson(), AT_VENUE, bartender)).toMatchObject(refused(403, 'NOT_ALLOWED'));
});

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Application } from '../../../src/contract/applications.ts';
import type { Customer } from '../../../src/contract/members.ts';
import type { TierDefinition } from '../../../src/contract/tiers.ts';
import { subscriptionConsent, yearConsent } from '../../../src/domain/consent.ts';
import {
  accounts,
  checkout_attempt,
  consent,
  customers,
  membership_applications,
  profiles,
  rate_limits,
  sessions,
  stripe_setup,
  tier_definitions,
} from '../../../src/server/db/schema.ts';
import { mailsTo, mailTo, type ReceivedEmail, tokenIn } from '../../support/fixtures/emails.ts';
import { payAt } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp({ verifyEmail: 'nudge' });
  staff = await app.staff();
});
afterAll(() => app.close());
beforeEach(() => app.services.db.delete(rate_limits));

const refused = (status: number, code: string) => ({ status, body: { code } });

let guests = 0;
const newPerson = () => {
  guests += 1;
  return { first_name: 'Mira', last_name: `Sol${guests}`, email: `mira${guests}@join.example` };
};

const join = (person: object, caller = app.visitor()) => caller.call('POST', '/api/auth/join', person);

/** Someone new, signed in, who has chosen nothing yet. */
async function joined(person = newPerson()): Promise<Caller> {
  const caller = app.visitor();
  await caller.must('POST', '/api/auth/join', person);
  await caller.remember();
  return caller;
}

/** The payment page of a tier. */
async function toPayment(caller: Caller, { tier = 'select', year = false } = {}) {
  const { id } = await caller.must<Application>('PUT', '/api/applications/own/tier', { tier });
  const { venue } = app.services;
  const words = year
    ? yearConsent(venue, { tier: 'Select', price: '$390.00' })
    : subscriptionConsent(venue, { tier: 'Select', price: '$39.00' });
  const { url } = await caller.must<{ url: string }>('POST', '/api/functions/create-checkout', {
    tierName: tier,
    applicationId: id,
    consentVersion: words.version,
    ...(year && { period: 'year' }),
  });
  return { url, application_id: id, words };
}

/** Webhooks bring the membership, although no page of ours is open. */
const delivered = () => fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
const own = (caller: Caller) => caller.must<{ customer: Customer | null }>('GET', '/api/customers/own');
const subjectOf = ({ subject }: ReceivedEmail) => subject.split(' · ')[0];
/** The email with the link to the first password. */
const passwordMail = async (email: string) =>
  (await mailsTo(app, email)).find((it) => subjectOf(it) === 'Choose your password');
const choose = (caller: Caller, password = PASSWORD) =>
  caller.call('POST', '/api/auth/choose-password', { password });
const signIn = (email: string, password = PASSWORD) =>
  app.visitor().call('POST', '/api/auth/sign-in', { email, password });

describe('someone new', () => {
  it('reads the tier, pays, and is a member before there is a password', async () => {
    expect(await app.visitor().must<TierDefinition>('GET', '/api/tiers/select/offer')).toMatchObject({
      display_name: 'Select',
      monthly_price: 39,
    });
    const person = { ...newPerson(), phone: '+43 1 234567' };
    const caller = await joined(person);
    const { url, words } = await toPayment(caller);
    expect(await payAt(url)).toContain('/payment-success?session_id=');
    await delivered();
    expect((await own(caller)).customer).toMatchObject({ status: 'active', tier: 'select' });
    const { db } = app.services;
    const [row] = await db.select().from(profiles).where(eq(profiles.id, caller.id));
    expect(row).toMatchObject({ email: person.email, phone: person.phone, emailVerified: false });
    expect(await db.$count(accounts, eq(accounts.userId, caller.id))).toBe(0);
    expect(await db.select().from(consent).where(eq(consent.user_id, caller.id))).toMatchObject([
      { what: 'subscription', text_version: words.version },
    ]);
    const applications = await db
      .select()
      .from(membership_applications)
      .where(eq(membership_applications.user_id, caller.id));
    expect(applications).toMatchObject([{ status: 'approved', preferences: null, is_complete: true }]);
  });

  it('pays a year', async () => {
    await app.services.db
      .update(tier_definitions)
      .set({ yearly_price_cents: 39_000 })
      .where(eq(tier_definitions.tier_name, 'select'));
    const person = newPerson();
    const caller = await joined(person);
    await payAt((await toPayment(caller, { year: true })).url);
    await delivered();
    expect((await own(caller)).customer).toMatchObject({ status: 'active' });
    const subjects = (await mailsTo(app, person.email)).map(subjectOf);
    expect(subjects.filter((it) => it === 'Choose your password')).toHaveLength(1);
  });

  it('who leaves before the payment has an unpaid application, and no email was sent', async () => {
    const person = newPerson();
    const caller = await joined(person);
    const { url } = await toPayment(caller);
    expect(await own(caller)).toMatchObject({
      customer: null,
      application: { status: 'pending', selected_tier: 'select', is_complete: true },
    });
    expect(await mailsTo(app, person.email)).toEqual([]);
    // The same browser goes on to the same page.
    expect((await toPayment(caller)).url).toBe(url);
    expect(await app.services.db.$count(checkout_attempt, eq(checkout_attempt.user_id, caller.id))).toBe(1);
  });

  it('whose browser was closed chooses a password by the email, and finds the membership', async () => {
    const person = newPerson();
    const caller = await joined(person);
    await payAt((await toPayment(caller)).url);
    await delivered();
    const mails = await mailsTo(app, person.email);
    expect(mails.map(subjectOf).sort()).toEqual([
      'Choose your password',
      'Receipt',
      'Welcome to our wine club',
    ]);
    const token = tokenIn(await passwordMail(person.email), '/reset-password#');
    await app.visitor().must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    // The browser that paid may not have been the owner's.
    expect((await caller.call('GET', '/api/customers/own')).status).toBe(401);
    const laptop = app.visitor();
    await laptop.must('POST', '/api/auth/sign-in', { email: person.email, password: PASSWORD });
    expect((await own(laptop)).customer).toMatchObject({ status: 'active' });
    const [row] = await app.services.db.select().from(profiles).where(eq(profiles.id, caller.id));
    expect(row?.emailVerified).toBe(true);
  });

  it('shares the rate limit of sign-ups', async () => {
    const limited = await createTestApp({ limitAttempts: true });
    try {
      const visitor = limited.visitor();
      const tries = [];
      for (let i = 0; i < 61; i += 1) {
        const path = i % 2 === 0 ? '/api/auth/join' : '/api/auth/sign-up';
        const password = i % 2 === 0 ? {} : { password: PASSWORD };
        tries.push((await visitor.call('POST', path, { ...newPerson(), ...password })).status);
      }
      expect(tries.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 200));
      expect(tries[60]).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('an email that has an account', () => {
  it('is refused, in any case, and neither account nor membership is touched', async () => {
    const person = newPerson();
    const owner = await app.customer(person);
    const before = await app.services.db.select().from(profiles).where(eq(profiles.id, owner.id));
    expect(await join({ ...person, first_name: 'Eve' })).toMatchObject(refused(422, 'EMAIL_TAKEN'));
    expect(await join({ ...person, email: person.email.toUpperCase() })).toMatchObject(
      refused(422, 'EMAIL_TAKEN'),
    );
    expect(await app.services.db.select().from(profiles).where(eq(profiles.id, owner.id))).toEqual(before);
    expect(await app.services.db.$count(sessions, eq(sessions.userId, owner.id))).toBe(1);
  });

  it('is refused too if someone left before the payment: its owner gets in by a link', async () => {
    const person = newPerson();
    await joined(person);
    expect(await join(person)).toMatchObject(refused(422, 'EMAIL_TAKEN'));
    await app.visitor().must('POST', '/api/auth/recover', { email: person.email });
    const token = tokenIn(await mailTo(app, person.email), '/reset-password#');
    await app.visitor().must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    expect(await signIn(person.email)).toMatchObject({ status: 200 });
  });

  it('signs in, and lands at the same payment', async () => {
    const owner = await app.customer();
    expect((await toPayment(owner)).url).toMatch(/\/c\/pay\//);
  });

  it('of an active member is refused another application', async () => {
    const caller = await joined();
    await payAt((await toPayment(caller)).url);
    await delivered();
    expect(await caller.call('PUT', '/api/applications/own/tier', { tier: 'premier' })).toMatchObject(
      refused(409, 'ALREADY_MEMBER'),
    );
  });

  it('keeps the answers of a survey that was begun', async () => {
    const owner = await app.customer();
    const preferences = {
      wine_knowledge: 2,
      drinking_frequency: 3,
      red_wine_preference: 4,
      white_wine_preference: 5,
      adventurousness: 6,
    };
    await owner.must('PUT', '/api/applications/own', { preferences, current_step: 2, is_complete: false });
    expect(await owner.must('PUT', '/api/applications/own/tier', { tier: 'premier' })).toMatchObject({
      preferences,
      selected_tier: 'premier',
      is_complete: true,
    });
  });
});

describe('the first password', () => {
  it('is chosen in the browser that joined, once; the email then has to be confirmed as after a sign-up', async () => {
    const person = newPerson();
    const caller = await joined(person);
    expect(await signIn(person.email)).toMatchObject(refused(401, 'INVALID_CREDENTIALS'));
    expect(await choose(caller, 'password1')).toMatchObject(refused(422, 'PASSWORD_COMMON'));
    expect(await choose(caller)).toMatchObject({ status: 200 });
    expect((await mailsTo(app, person.email)).map(subjectOf)).toEqual(['Confirm your email']);
    expect(await signIn(person.email)).toMatchObject({ status: 200 });
    expect(await choose(caller, 'another good phrase')).toMatchObject(refused(409, 'PASSWORD_CHOSEN'));
    expect(await signIn(person.email)).toMatchObject({ status: 200 });
  });

  it('is nothing that a signed-in account with one can choose again', async () => {
    expect(await choose(await app.customer(), 'another good phrase')).toMatchObject(
      refused(409, 'PASSWORD_CHOSEN'),
    );
    expect(await choose(app.visitor())).toMatchObject({ status: 401 });
  });

  it('is asked for by everything that takes the password', async () => {
    const caller = await joined();
    expect(
      await caller.call('POST', '/api/auth/change-password', { current_password: '', password: PASSWORD }),
    ).toMatchObject({ status: 400 });
    expect(await caller.call('POST', '/api/auth/passkeys/options', { password: 'anything' })).toMatchObject(
      refused(409, 'NO_PASSWORD'),
    );
  });

  it('chosen before the payment leaves nothing to email', async () => {
    const person = newPerson();
    const caller = await joined(person);
    await choose(caller);
    await payAt((await toPayment(caller)).url);
    await delivered();
    const subjects = (await mailsTo(app, person.email)).map(subjectOf);
    expect(subjects).not.toContain('Choose your password');
  });
});

describe('an account that someone else joined with', () => {
  it('is taken from them when its owner signs up at the bar, though it never had a password', async () => {
    const person = newPerson();
    const stranger = await joined(person);
    await toPayment(stranger);
    const { user_id } = await staff.must<{ user_id: string }>('POST', '/api/bar-sign-ups', {
      person: { user_id: stranger.id },
      tier: 'select',
      toast_reference_number: 'T-1',
      months: 12,
    });
    expect(user_id).toBe(stranger.id);
    expect((await stranger.call('GET', '/api/customers/own')).status).toBe(401);
    expect((await choose(stranger)).status).toBe(401);
    const token = tokenIn(await passwordMail(person.email), '/reset-password#');
    await app.visitor().must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    expect(
      await app.services.db.select().from(customers).where(eq(customers.user_id, user_id)),
    ).toMatchObject([{ status: 'active' }]);
  });

  it('and paid for is their owner’s by the link in the email', async () => {
    const person = newPerson();
    const stranger = await joined(person);
    await payAt((await toPayment(stranger)).url);
    await delivered();
    await choose(stranger);
    const token = tokenIn(await passwordMail(person.email), '/reset-password#');
    await app
      .visitor()
      .must('POST', '/api/auth/reset-password', { token, password: 'the owner’s own phrase' });
    expect((await stranger.call('GET', '/api/customers/own')).status).toBe(401);
    expect(await signIn(person.email)).toMatchObject(refused(401, 'INVALID_CREDENTIALS'));
  });
});

describe('a club', () => {
  it('that confirms emails before the first sign-in makes no such account, and tells nobody’s email', async () => {
    const strict = await createTestApp({ verifyEmail: 'required' });
    try {
      const person = newPerson();
      const { db } = strict.services;
      const visitor = strict.visitor();
      const answer = refused(403, 'EMAIL_NOT_VERIFIED');
      expect(await join(person, visitor)).toMatchObject(answer);
      expect(await db.$count(profiles, eq(profiles.email, person.email))).toBe(0);
    } finally {
      await strict.close();
    }
  });

  it('without card payments, with joining closed, or with another tier offers none', async () => {
    const visitor = app.visitor();
    const read = (tier: string, caller = visitor) => caller.call('GET', `/api/tiers/${tier}/offer`);
    expect(await read('reserve')).toMatchObject(refused(409, 'TIER_NOT_AVAILABLE'));
    expect(await read('nothing')).toMatchObject(refused(409, 'TIER_NOT_AVAILABLE'));
    const caller = await joined();
    expect(await caller.call('PUT', '/api/applications/own/tier', { tier: 'reserve' })).toMatchObject(
      refused(409, 'TIER_NOT_AVAILABLE'),
    );
    const { db } = app.services;
    await db.insert(stripe_setup).values({
      ...{ kind: 'trial' as const, request_id: app.services.newId(), refusal: 'no' },
      created_at: app.clock.now(),
    });
    expect(await read('select')).toMatchObject(refused(409, 'JOINING_CLOSED'));
    await db.delete(stripe_setup).where(eq(stripe_setup.kind, 'trial'));
    const venue = await createTestApp({ payments: 'off' });
    try {
      expect(await read('select', venue.visitor())).toMatchObject(refused(409, 'PAYMENTS_OFF'));
    } finally {
      await venue.close();
    }
  });
});

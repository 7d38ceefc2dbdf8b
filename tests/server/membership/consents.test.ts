import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountConsent, subscriptionConsent } from '../../../src/domain/consent.ts';
import { checkout_attempt, consent, profiles, tier_definitions } from '../../../src/server/db/schema.ts';
import { mailsTo } from '../../support/fixtures/emails.ts';
import { applied, cardMember, payAt } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const OLD = '0123456789abcdef';
const DELETE = { password: PASSWORD, confirmation: 'DELETE' };

const consentsOf = (user_id: string, what: 'account' | 'subscription') =>
  app.services.db
    .select()
    .from(consent)
    .where(sql`${consent.user_id} = ${user_id} and ${consent.what} = ${what}`)
    .orderBy(consent.created_at);
const attemptsOf = (user_id: string) =>
  app.services.db.select().from(checkout_attempt).where(eq(checkout_attempt.user_id, user_id));
const profileOf = (email: string) =>
  app.services.db.select({ id: profiles.id }).from(profiles).where(eq(profiles.email, email));

const signUp = (email: string, more: object) =>
  app.visitor().call('POST', '/api/auth/sign-up', {
    first_name: 'Ada',
    last_name: 'Guest',
    email,
    password: PASSWORD,
    ...more,
  });

/** The text beside the button for a tier, as on the page. */
const wordsFor = (tier = 'Select', price = '$39.00') =>
  subscriptionConsent(app.services.venue, { tier, price });

const checkout = async (caller: Caller, consentVersion?: string) =>
  caller.call<{ url: string; code: string; data: unknown }>('POST', '/api/functions/create-checkout', {
    tierName: 'select',
    applicationId: await applied(caller),
    consentVersion,
  });

describe('creating an account', () => {
  it('stores the words shown beside the button, their link and the time', async () => {
    const words = accountConsent(app.services.venue);
    expect((await signUp('one@example.test', { consent_version: words?.version })).status).toBe(200);
    const [{ id } = { id: '' }] = await profileOf('one@example.test');
    expect(await consentsOf(id, 'account')).toEqual([
      {
        id: expect.any(String),
        user_id: id,
        what: 'account',
        act_id: id,
        text_version: words?.version,
        text: 'By creating an account, you confirm that you are at least 21 years old and accept the terms of Test Cellar.',
        terms_url: 'https://venue.test/terms',
        created_at: app.clock.now(),
      },
    ]);
  });

  it('is refused with the current words when others were shown, and nothing is created', async () => {
    expect(await signUp('two@example.test', { consent_version: OLD })).toMatchObject({
      status: 409,
      body: { code: 'CONSENT_OUTDATED', data: { current: accountConsent(app.services.venue) } },
    });
    expect(await profileOf('two@example.test')).toEqual([]);
  });

  it('stores nothing when nothing was shown', async () => {
    expect((await signUp('three@example.test', {})).status).toBe(200);
    const [{ id } = { id: '' }] = await profileOf('three@example.test');
    expect(await consentsOf(id, 'account')).toEqual([]);
  });

  it('does not happen when the consent cannot be stored', async () => {
    await app.services.db.execute(sql`alter table consent add constraint none check (false) not valid`);
    const words = accountConsent(app.services.venue);
    const refused = await signUp('four@example.test', { consent_version: words?.version });
    await app.services.db.execute(sql`alter table consent drop constraint none`);
    expect(refused.status).toBe(500);
    expect(await profileOf('four@example.test')).toEqual([]);
  });
});

describe('continuing to payment', () => {
  it('stores the words with the checkout attempt, once for the same words', async () => {
    const caller = await app.customer();
    await checkout(caller, wordsFor().version);
    expect(await consentsOf(caller.id, 'subscription')).toHaveLength(1);
    await checkout(caller, wordsFor().version);
    const [attempt, ...others] = await attemptsOf(caller.id);
    expect(others).toEqual([]);
    expect(await consentsOf(caller.id, 'subscription')).toMatchObject([
      {
        act_id: attempt?.id,
        text_version: wordsFor().version,
        text: wordsFor().text,
        terms_url: 'https://venue.test/terms',
        created_at: app.clock.now(),
      },
    ]);
  });

  it('does not happen when the consent cannot be stored', async () => {
    const caller = await app.customer();
    await app.services.db.execute(sql`alter table consent add constraint none check (false) not valid`);
    const refused = await checkout(caller, wordsFor().version);
    await app.services.db.execute(sql`alter table consent drop constraint none`);
    expect(refused.status).toBe(500);
    expect(await attemptsOf(caller.id)).toEqual([]);
  });

  it('is refused after the price changed: no attempt, no page, and the words with the new price', async () => {
    const caller = await app.customer();
    const { db } = app.services;
    const ofSelect = eq(tier_definitions.tier_name, 'select');
    await db.update(tier_definitions).set({ monthly_price_cents: 4500 }).where(ofSelect);
    const refused = await checkout(caller, wordsFor().version);
    const accepted = await checkout(caller, wordsFor('Select', '$45.00').version);
    await db.update(tier_definitions).set({ monthly_price_cents: 3900 }).where(ofSelect);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'CONSENT_OUTDATED', data: { current: wordsFor('Select', '$45.00') } },
    });
    expect(accepted.status).toBe(200);
    expect(await attemptsOf(caller.id)).toMatchObject([{ amount_cents: 4500 }]);
  });

  it('stores nothing when nothing was shown', async () => {
    const caller = await app.customer();
    expect((await checkout(caller)).status).toBe(200);
    expect(await consentsOf(caller.id, 'subscription')).toEqual([]);
  });

  it('stores new words for the same open page', async () => {
    const caller = await app.customer();
    await checkout(caller);
    await checkout(caller, wordsFor().version);
    expect(await attemptsOf(caller.id)).toHaveLength(1);
    expect(await consentsOf(caller.id, 'subscription')).toHaveLength(1);
  });
});

describe('a stored consent', () => {
  it('can be neither changed nor deleted', async () => {
    const { id } = await app.customer();
    const { db } = app.services;
    const refused = { cause: { code: '23001' } };
    await expect(
      db.update(consent).set({ text: 'Anything' }).where(eq(consent.user_id, id)),
    ).rejects.toMatchObject(refused);
    await expect(db.delete(consent).where(eq(consent.user_id, id))).rejects.toMatchObject(refused);
  });

  it('is in the member’s export', async () => {
    const caller = await app.customer();
    const { sections } = await caller.must<{ sections: { table: string; rows: { text: string }[] }[] }>(
      'GET',
      '/api/privacy/export',
    );
    const own = sections.find(({ table }) => table === 'consent');
    expect(own?.rows.map(({ text }) => text)).toEqual([accountConsent(app.services.venue)?.text]);
  });

  it('goes with the account of someone who never paid, and stays with the payments of a member', async () => {
    const visitor = await app.customer();
    await visitor.must('POST', '/api/privacy/delete-account', DELETE);
    expect(await consentsOf(visitor.id, 'account')).toEqual([]);

    const { caller } = await cardMember(app);
    await caller.must('POST', '/api/privacy/delete-account', DELETE);
    expect(await consentsOf(caller.id, 'account')).toHaveLength(1);
  });
});

it('the email after the payment says price, interval, how to cancel, the age and the terms', async () => {
  const caller = await app.customer({ email: 'welcome@example.test' });
  await payAt((await checkout(caller, wordsFor().version)).body.url);
  await caller.must('POST', '/api/functions/verify-subscription-status', {});
  const welcome = (await mailsTo(app, 'welcome@example.test')).find(({ subject }) =>
    /^Welcome/.test(subject),
  );
  for (const words of [
    'Your Select membership is $39.00 per month. It renews monthly, and we charge your card, until you cancel.',
    'You can cancel anytime in your account and keep access through the month you’ve paid for.',
    'You must be 21 or older to be a member. Our terms: https://venue.test/terms',
  ]) {
    expect(welcome?.text).toContain(words);
  }
});

import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { profiles, staff_notice } from '../../../src/server/db/schema.ts';
import { changeAnswers } from '../../support/billing/answers.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { payerAtStripe } from '../../support/billing/payer-at-stripe.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/billing.md, "Billing: a subscription without an account".

beforeAll(openSharedDatabase);

/** An applicant with this email, confirmed or not. */
async function applicantWith(venue: Venue, email: string, emailVerified = true) {
  const applicant = await venue.applicant();
  await venue.db.update(profiles).set({ email, emailVerified }).where(eq(profiles.id, applicant.user));
  return applicant;
}
const running = async ({ stripe }: Venue) => (await stripe.subscriptions.list()).data.map(({ id }) => id);

describe('someone who joins by card while a membership with their email is paid at Stripe', () => {
  it('gets no second payment page, and staff get a notice', async () => {
    const venue = await openVenue();
    const { subscription } = await payerAtStripe(venue);
    const ada = await applicantWith(venue, 'ada@example.test');
    await expect(venue.checkout(ada)).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXISTS' });
    await expect(venue.checkout(ada)).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXISTS' });
    expect(await venue.state(ada.user)).toMatchObject({ customer: null, attempts: [] });
    expect(await running(venue)).toEqual([subscription]);
    expect(await venue.db.select().from(staff_notice)).toMatchObject([
      { kind: 'unknown_subscription', user_id: null, facts: { stripe_subscription_id: subscription } },
    ]);
  });

  it('with an unconfirmed email only reads to confirm it, where the club confirms emails', async () => {
    const venue = await openVenue();
    await payerAtStripe(venue);
    const ada = await applicantWith(venue, 'ada@example.test', false);
    const checkout = (verifyEmail: 'off' | 'nudge', byLink = false) =>
      venue
        .anotherProcess({ verifyEmail })
        .createCheckout(ada.user, { tierName: 'select', applicationId: ada.application, byLink });
    await expect(checkout('nudge')).rejects.toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
    await expect(checkout('nudge', true)).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXISTS' });
    await expect(checkout('off')).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXISTS' });
    expect(await venue.db.$count(staff_notice)).toBe(1);
  });

  it('is refused, though the customer at Stripe names the account of another person', async () => {
    const venue = await openVenue();
    const { user: other } = await venue.applicant();
    await payerAtStripe(venue, { user_id: other });
    const ada = await applicantWith(venue, 'ada@example.test');
    await expect(venue.checkout(ada)).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXISTS' });
    expect(await venue.state(other)).toMatchObject({ customer: null });
  });

  it('is found under an email that Stripe spells in capitals, once a webhook has named it', async () => {
    const venue = await openVenue();
    const { customer } = await payerAtStripe(venue, { email: 'Ada@Example.test' });
    await venue.stripe.customers.update(customer, { metadata: { touched: v7() } });
    await venue.delivered();
    const ada = await applicantWith(venue, 'ada@example.test');
    await expect(venue.checkout(ada)).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXISTS' });
  });

  it('pays as usual once that membership has ended', async () => {
    const venue = await openVenue();
    const { subscription } = await payerAtStripe(venue);
    const ada = await applicantWith(venue, 'ada@example.test');
    await expect(venue.checkout(ada)).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXISTS' });
    await venue.stripe.subscriptions.cancel(subscription);
    await venue.delivered();
    await venue.pay(await venue.checkout(ada));
    await venue.delivered();
    expect(await venue.state(ada.user)).toMatchObject({ customer: { status: 'active' } });
  });

  it('is a member at once if the customer at Stripe names their account', async () => {
    const venue = await openVenue();
    const ada = await applicantWith(venue, 'ada@example.test');
    const { subscription } = await payerAtStripe(venue, { user_id: ada.user });
    await expect(venue.checkout(ada)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
    expect(await venue.state(ada.user)).toMatchObject({ active: { tier: 'select', subscription } });
    expect(await venue.db.$count(staff_notice)).toBe(0);
  });
});

it('the lookup costs someone new one request, and a user with a customer at Stripe none', async () => {
  const venue = await openVenue();
  const { calls, billing } = changeAnswers(venue, {});
  const lookups = () =>
    calls.filter(({ method, path }) => method === 'GET' && path === '/v1/customers').length;
  const ada = await applicantWith(venue, 'new@example.test');
  const { url } = await billing.createCheckout(ada.user, {
    tierName: 'select',
    applicationId: ada.application,
  });
  expect(lookups()).toBe(1);
  await venue.pay(url);
  await venue.delivered();
  await venue.stripe.subscriptions.cancel((await venue.subscription(ada.user)).id);
  await venue.delivered();
  const application = await venue.reapply(ada.user);
  await billing.createCheckout(ada.user, { tierName: 'select', applicationId: application });
  expect(lookups()).toBe(1);
});

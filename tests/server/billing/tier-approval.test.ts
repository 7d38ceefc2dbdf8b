import { beforeAll, expect, test } from 'vitest';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { glassesOf } from '../../support/billing/glasses.ts';
import { stripeState } from '../../support/billing/stripe-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

/** A member on select whose bank asks for approval of every charge, with a change to premier accepted after 10 days. */
async function waitingForBank() {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.advance({ days: 10 });
  await venue.changeCard(user, 'pm_card_authenticationRequired');
  const shown = await venue.billing.previewTier(user, 'premier');
  const answer = await venue.billing.changeTier(user, shown.id);
  return { venue, user, shown, answer };
}

/** Approves the open invoice on its page, as a member does at their bank. */
async function approve(venue: Venue, user: string): Promise<void> {
  const { url } = await venue.billing.openInvoicePage(user);
  const page = new URL(new URL(url).pathname, venue.sandbox.url).href;
  await fetch(page, { method: 'POST', redirect: 'manual' });
  const body = new URLSearchParams({ answer: 'complete' });
  await fetch(`${page}/authenticate`, { method: 'POST', body, redirect: 'manual' });
  await venue.delivered();
}

test('a card that needs the bank’s approval: nothing changes before it, then the price shown is charged', async () => {
  const { venue, user, shown, answer } = await waitingForBank();
  const until = Math.floor(venue.clock.now().getTime() / 1000) + 23 * 3600;
  expect(answer).toMatchObject({ tier: 'select', amount: 3900, approval: { tier: 'premier', until } });
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'active', tier: 'select' } });
  expect(await stripeState(venue, user)).toEqual({ statuses: ['active'], kept: 3900 });

  await venue.advance({ minutes: 20 * 60 });
  await approve(venue, user);
  expect(await stripeState(venue, user)).toMatchObject({ kept: 3900 + shown.charged_now });
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'premier', price: 6900 } });
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ tier: 'premier', approval: null });
  // The glasses as of the change, not of the approval.
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4 + shown.added_glasses });
});

test('a change that the bank never approves is discarded, and the member can try again', async () => {
  const { venue, user, shown } = await waitingForBank();
  await venue.advance({ days: 1 });
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ tier: 'select', approval: null });
  expect(await stripeState(venue, user)).toEqual({ statuses: ['active'], kept: 3900 });
  await expect(venue.billing.changeTier(user, shown.id)).rejects.toMatchObject({ code: 'PREVIEW_EXPIRED' });
  await venue.changeCard(user, 'pm_card_visa');
  const again = await venue.billing.previewTier(user, 'premier');
  expect(await venue.billing.changeTier(user, again.id)).toMatchObject({ tier: 'premier', approval: null });
});

test('accepting again before the bank approves changes nothing, and another change is refused', async () => {
  const { venue, user, shown } = await waitingForBank();
  expect(await venue.billing.changeTier(user, shown.id)).toMatchObject({ approval: { tier: 'premier' } });
  await expect(venue.billing.previewTier(user, 'elite')).rejects.toMatchObject({
    code: 'TIER_CHANGE_REFUSED',
    data: { reason: 'approval_open' },
  });
  const subscription = await venue.subscription(user);
  const open = await venue.stripe.invoices.list({ subscription: subscription.id, status: 'open' });
  expect(open.data).toHaveLength(1);
});

test.each([
  ['withdraws the change', 'cancelTierChange'],
  ['cancels the membership', 'cancelSubscription'],
] as const)(
  'a member who %s while the bank is asked can no longer be charged for it',
  async (_what, verb) => {
    const { venue, user } = await waitingForBank();
    await venue.billing[verb](user);
    const subscription = await venue.subscription(user);
    expect(subscription.pending_update).toBeNull();
    const open = await venue.stripe.invoices.list({ subscription: subscription.id, status: 'open' });
    expect(open.data).toEqual([]);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      tier: 'select',
      approval: null,
    });
  },
);

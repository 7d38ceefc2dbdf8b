import { beforeAll, expect, test } from 'vitest';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

const LIMITS = { member_ms: 150, staff_ms: 100 };
/** Far above the limits, and far below the default timeout of Stripe's client. */
const AT_ONCE_MS = 2500;

/** From now on, the payments service accepts requests and never responds. */
const hang = (venue: Venue) =>
  venue.control('fail-next', { path: '/v1/', kind: 'timeout', ms: 20_000, times: 10_000 });

const recover = (venue: Venue) => fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });

/** The milliseconds until the work was refused as too slow. */
async function timeToRefuse(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await expect(work).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  return performance.now() - start;
}

test.each([
  ['verifying', (billing: Venue['billing'], user: string) => billing.reconcile(user)],
  ['previewing a tier', (billing: Venue['billing'], user: string) => billing.previewTier(user, 'elite')],
  ['canceling', (billing: Venue['billing'], user: string) => billing.cancelSubscription(user)],
  ['opening the card page', (billing: Venue['billing'], user: string) => billing.openPaymentMethodPage(user)],
  ['deleting the account', (billing: Venue['billing'], user: string) => billing.cancelEverything(user)],
])('%s waits no longer than the limit for a payment service that hangs', async (_what, work) => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await hang(venue);
  const billing = venue.anotherProcess({ limits: LIMITS });
  expect(await timeToRefuse(work(billing, user))).toBeLessThan(AT_ONCE_MS);
});

test('a request also waits no longer than the limit for the one before it', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  await hang(venue);
  const billing = venue.anotherProcess({ limits: LIMITS });
  const input = { tierName: 'select', applicationId: applicant.application };
  await timeToRefuse(billing.createCheckout(applicant.user, input));
  expect(await timeToRefuse(billing.createCheckout(applicant.user, input))).toBeLessThan(AT_ONCE_MS);
});

test('a checkout that timed out is finished by the sweeper, with one page', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const billing = venue.anotherProcess({ limits: LIMITS });
  await venue.control('fail-next', { path: '/v1/checkout/sessions', kind: 'slow', ms: 500 });
  await timeToRefuse(
    billing.createCheckout(applicant.user, { tierName: 'select', applicationId: applicant.application }),
  );
  await venue.advance({ minutes: 6 });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 1, failures: 0 });
  expect((await venue.state(applicant.user)).attempts).toEqual(['open']);
  expect((await venue.stripe.checkout.sessions.list()).data).toHaveLength(1);
});

test('after the limit nothing more is charged: the request under way is the last', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { id } = await venue.billing.previewTier(user, 'elite');
  const paths: string[] = [];
  venue.stripe.on('request', ({ path, method }: { path: string; method: string }) => {
    if (method === 'POST') paths.push(path);
  });
  await venue.control('fail-next', { path: '/v1/subscription_items', method: 'GET', kind: 'slow', ms: 400 });
  const billing = venue.anotherProcess({ limits: { ...LIMITS, staff_ms: 60_000 } });
  await timeToRefuse(billing.changeTier(user, id));
  // The user's next turn comes when the abandoned work has ended.
  await billing.closeOpenCheckout(user);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ tier: 'select' });
  expect(paths).toEqual([]);
});

test('a payment service that hangs does not hold staff up, and the page is closed later', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  await venue.checkout(applicant);
  await hang(venue);
  const billing = venue.anotherProcess({ limits: LIMITS });
  const start = performance.now();
  expect(await billing.closeOpenCheckout(applicant.user)).toEqual({ outcome: 'unreachable' });
  expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
  await recover(venue);
  await venue.approveAtVenue(applicant.user);
  await venue.advance({ minutes: 6 });
  await venue.billing.sweep();
  expect((await venue.stripe.checkout.sessions.list()).data.map(({ status }) => status)).toEqual(['expired']);
});

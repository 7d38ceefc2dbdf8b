import { beforeAll, expect, test } from 'vitest';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

type Instant = 'approval_until' | 'current_period_end' | 'grace_until' | 'paused_from' | 'paused_until';

/** Advances to a minute after an instant of the subscription, without webhooks, and sweeps. */
async function sweepJustAfter(venue: Venue, user: string, instant: Instant) {
  const [before] = (await venue.state(user)).subscriptions;
  const at = before?.[instant]?.getTime() ?? 0;
  // Reconcile just before, so that only the instant itself can make the sweeper act.
  venue.clock.set(new Date(at - 60_000));
  await venue.control('clock', { advance: 0 });
  await venue.billing.reconcile(user);
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
  await venue.advance({ minutes: 2 });
  return venue.billing.sweep();
}

test('the next sweep notices the end of a period', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.webhooks('drop');
  expect(await sweepJustAfter(venue, member.user, 'current_period_end')).toMatchObject({
    members: 1,
    failures: 0,
  });
  expect((await venue.state(member.user)).payments).toHaveLength(2);
});

test('the next sweep notices the end of a canceled membership', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.webhooks('drop');
  const { id } = await venue.subscription(member.user);
  const soon = new Date(venue.clock.now().getTime() + 5 * 86_400_000);
  await venue.stripe.subscriptions.update(id, { cancel_at: soon.getTime() / 1000 });
  venue.clock.set(new Date(soon.getTime() - 60_000));
  await venue.billing.reconcile(member.user);
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
  await venue.advance({ minutes: 2 });
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect(await venue.state(member.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
});

test('the next sweep notices the end of grace', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.control('settings', { dunning_days: [25], dunning_end: 'unpaid' });
  await venue.changeCard(member.user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 30, minutes: 1 });
  await venue.webhooks('drop');
  expect(await sweepJustAfter(venue, member.user, 'grace_until')).toMatchObject({ members: 1, failures: 0 });
  expect(await venue.state(member.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
});

test('the next sweep notices that the bank’s approval of a tier change is out of time', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.advance({ days: 10 });
  await venue.changeCard(user, 'pm_card_authenticationRequired');
  const { id } = await venue.billing.previewTier(user, 'premier');
  await venue.billing.changeTier(user, id);
  await venue.webhooks('drop');
  expect(await sweepJustAfter(venue, user, 'approval_until')).toMatchObject({ members: 1, failures: 0 });
  expect((await venue.state(user)).subscriptions).toMatchObject([
    { approval_tier: null, approval_until: null },
  ]);
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
});

test('the next sweep notices the beginning and the end of a pause', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.billing.pause(user, 1);
  await venue.webhooks('drop');
  for (const instant of ['paused_from', 'paused_until'] as const) {
    expect(await sweepJustAfter(venue, user, instant), instant).toMatchObject({ members: 1, failures: 0 });
  }
});

test('one failure does not stop the others, and is retried', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicants = [await venue.applicant(), await venue.applicant()];
  for (const person of applicants) await venue.pay(await venue.checkout(person));
  await venue.advance({ minutes: 6 });
  await venue.control('fail-next', { path: '/v1/checkout/sessions', method: 'GET', status: 500 });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 2, failures: 1 });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 1, failures: 0 });
  for (const { user } of applicants) {
    expect(await venue.state(user)).toMatchObject({
      customer: { status: 'active' },
      attempts: ['completed'],
    });
  }
});

import { beforeAll, expect, test } from 'vitest';
import { openShared } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openShared);

/** Goes to a minute after an instant of the subscription without a word from Stripe, and sweeps. */
async function sweepJustAfter(venue: Venue, user: string, instant: 'current_period_end' | 'grace_until') {
  const [before] = (await venue.standing(user)).subscriptions;
  const at = before?.[instant]?.getTime() ?? 0;
  // Asked about only now, so that nothing but the instant itself is a reason to ask again.
  venue.clock.set(new Date(at - 60_000));
  await venue.control('clock', { advance: 0 });
  await venue.billing.verify(user);
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
  await venue.pass({ minutes: 2 });
  return venue.billing.sweep();
}

test('the end of a period is noticed within a sweep', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.webhooks('drop');
  expect(await sweepJustAfter(venue, person.user, 'current_period_end')).toMatchObject({
    members: 1,
    failures: 0,
  });
  expect((await venue.standing(person.user)).payments).toHaveLength(2);
});

test('the end of a cancelled membership is noticed within a sweep', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.webhooks('drop');
  const { id } = await venue.subscription(person.user);
  const soon = new Date(venue.clock.now().getTime() + 5 * 86_400_000);
  await venue.stripe.subscriptions.update(id, { cancel_at: soon.getTime() / 1000 });
  venue.clock.set(new Date(soon.getTime() - 60_000));
  await venue.billing.verify(person.user);
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
  await venue.pass({ minutes: 2 });
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
});

test('the end of grace is noticed within a sweep', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.control('settings', { dunning_days: [25], dunning_end: 'unpaid' });
  await venue.changeCard(person.user, 'pm_card_chargeCustomerFail');
  await venue.pass({ days: 30, minutes: 1 });
  await venue.webhooks('drop');
  expect(await sweepJustAfter(venue, person.user, 'grace_until')).toMatchObject({ members: 1, failures: 0 });
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
});

test('one that fails does not keep the others waiting, and comes again', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const people = [await venue.applicant(), await venue.applicant()];
  for (const person of people) await venue.pay(await venue.checkout(person));
  await venue.pass({ minutes: 6 });
  await venue.control('fail-next', { path: '/v1/checkout/sessions', method: 'GET', status: 500 });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 2, failures: 1 });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 1, failures: 0 });
  for (const { user } of people) {
    expect(await venue.standing(user)).toMatchObject({
      customer: { status: 'active' },
      attempts: ['completed'],
    });
  }
});

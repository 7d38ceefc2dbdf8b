import { expect, test } from 'vitest';
import { openVenue } from './venue.ts';

const MEMBER = { status: 'active', tier: 'select', member_since: '2026-06-15' };

test('a webhook before the redirect makes the member', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const url = await venue.checkout(person);
  expect((await venue.standing(person.user)).attempts).toEqual(['open']);
  expect(await venue.pay(url)).toBe(303);
  await venue.delivered();

  const after = await venue.standing(person.user);
  expect(after).toMatchObject({
    customer: MEMBER,
    active: { tier: 'select', price: 3900, subscription: expect.stringMatching(/^sub_/) },
    memberships: 1,
    application: 'approved',
    attempts: ['completed'],
    reversals: [],
    payments: [{ status: 'paid', paid: 3900, refunded: 0 }],
  });
  expect(after.subscriptions).toHaveLength(1);
  expect(after.subscriptions[0]).toMatchObject({ status: 'active', card_last4: '4242', amount_cents: 3900 });
  expect(venue.answers.every((status) => status === 200)).toBe(true);
  expect(await venue.billing.verify(person.user)).toEqual({ status: 'unchanged', localStatus: 'active' });
});

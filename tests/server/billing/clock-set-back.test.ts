import { beforeAll, expect, test } from 'vitest';
import {
  billing_subscription,
  checkout_attempt,
  stripe_event,
  tier_change,
} from '../../../src/server/db/schema.ts';
import { breakable, openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

/** A clock that is a year ahead for a while. */
const ahead = (venue: Venue) => new Date(venue.clock.now().getTime() + 365 * 86_400_000);

test('a payment whose checkout began while the clock was ahead is found by the next sweep', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  await venue.db.update(checkout_attempt).set({ created_at: ahead(venue) });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 1, failures: 0 });
  expect(await venue.state(applicant.user)).toMatchObject({ customer: { status: 'active' } });
});

test('a checkout begun while it was ahead that has no page yet makes way for a new one', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const broken = breakable(venue.db);
  broken.failTransactions(true, 1);
  const input = { tierName: 'select', applicationId: applicant.application };
  const dying = venue.anotherProcess({ db: broken.db });
  await expect(dying.createCheckout(applicant.user, input)).rejects.toThrow('connection lost');
  await venue.db.update(checkout_attempt).set({ created_at: ahead(venue), expires_at: ahead(venue) });
  expect(await venue.checkout(applicant)).toMatch(/^http/);
  expect((await venue.state(applicant.user)).attempts.toSorted()).toEqual(['expired', 'open']);
});

test('a member checked while it was ahead is checked by the next sweep, once', async () => {
  const venue = await openVenue();
  await venue.member();
  await venue.db.update(billing_subscription).set({ synced_at: ahead(venue) });
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
});

test('an event that arrived while it was ahead and was not processed is retried by the next sweep', async () => {
  const venue = await openVenue();
  await venue.pay(await venue.checkout(await venue.applicant()));
  await venue.delivered();
  await venue.db.update(stripe_event).set({ processed_at: null, received_at: ahead(venue) });
  const { events } = await venue.billing.sweep();
  expect(events).toBeGreaterThan(0);
});

test('a tier change that Stripe left unanswered while it was ahead does not keep the next one waiting', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.webhooks('drop');
  const shown = await venue.billing.previewTier(user, 'premier');
  await venue.control('fail-next', { path: '/v1/subscriptions/', method: 'POST', kind: 'drop', times: 2 });
  await venue.billing.changeTier(user, shown.id).catch(() => undefined);
  await venue.db.update(tier_change).set({ created_at: ahead(venue), asked_at: ahead(venue) });
  const elite = await venue.billing.previewTier(user, 'elite');
  expect(await venue.billing.changeTier(user, elite.id)).toMatchObject({ tier: 'elite' });
});

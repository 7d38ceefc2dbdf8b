import { beforeAll, beforeEach, expect, it } from 'vitest';
import { tier_rollover } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { glassesOf, pourGlasses } from '../../support/billing/glasses.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules.md, "Glasses that roll over", of members who pay by card. A premier member has eight glasses in a period of 30
// days, or of 31; three of them roll over.
beforeAll(openSharedDatabase);

const FAILING = 'pm_card_chargeCustomerFail';
const NEXT = { days: 31, minutes: 1 };
const NONE = { rolled: 0, rolled_left: 0 };

let venue: Venue;
let user: string;
beforeEach(async () => {
  venue = await openVenue();
  await venue.db.insert(tier_rollover).values({ tier_name: 'premier', since: new Date(0), glasses: 3 });
  ({ user } = await venue.member('premier'));
});

it('adds them when the subscription renews, and as soon as the period is over, before the renewal arrives', async () => {
  await pourGlasses(venue, user, 6);
  await venue.webhooks('drop');
  await venue.advance(NEXT);
  // The share of grace, 2 of 8, and what was paid for before.
  expect(await glassesOf(venue, user)).toMatchObject({ tier_max: 4, available: 4, rolled: 2, when_paid: 6 });
  expect(await pourGlasses(venue, user, 3)).toBe(3);
  await venue.billing.sweep();
  expect(await glassesOf(venue, user)).toMatchObject({
    tier_max: 10,
    available: 7,
    rolled: 2,
    rolled_left: 0,
  });
});

it('are not counted as unpaid when the renewal is never paid', async () => {
  await venue.changeCard(user, FAILING);
  await venue.advance(NEXT);
  // Two of grace, and three that were paid for.
  expect(await pourGlasses(venue, user)).toBe(5);
  await venue.advance({ days: 40 });
  const application = await venue.reapply(user, 'premier');
  await venue.changeCard(user, 'pm_card_visa');
  await venue.pay(await venue.checkout({ user, application }, 'premier'));
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await glassesOf(venue, user)).toMatchObject({ carried: 2, available: 6, ...NONE });
});

it('do not come from a period that was not paid, and do once it is', async () => {
  await venue.changeCard(user, FAILING);
  await venue.advance(NEXT);
  await pourGlasses(venue, user, 3);
  await venue.changeCard(user, 'pm_card_visa');
  await venue.advance({ days: 4 });
  expect(await glassesOf(venue, user)).toMatchObject({ tier_max: 11, available: 8 });
  await venue.advance({ days: 28 });
  expect(await glassesOf(venue, user)).toMatchObject({ tier_max: 11, rolled: 3 });
});

it('end with the membership', async () => {
  await venue.billing.cancelSubscription(user);
  await venue.advance(NEXT);
  const application = await venue.reapply(user, 'premier');
  await venue.pay(await venue.checkout({ user, application }, 'premier'));
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await glassesOf(venue, user)).toMatchObject({ tier_max: 8, available: 8, ...NONE });
});

it('end where a pause comes between', async () => {
  await venue.billing.pause(user, 1);
  for (const _ of ['the pause', 'the month after it']) {
    await venue.advance(NEXT);
    await venue.billing.sweep();
  }
  expect(await glassesOf(venue, user)).toMatchObject({ access: true, available: 8, ...NONE });
});

it('come on top of a smaller tier, as the tier of the period that gave them says', async () => {
  const { id } = await venue.billing.previewTier(user, 'select');
  await venue.billing.changeTier(user, id);
  await venue.advance(NEXT);
  expect(await glassesOf(venue, user)).toMatchObject({ tier_max: 7, available: 7, rolled: 3 });
});

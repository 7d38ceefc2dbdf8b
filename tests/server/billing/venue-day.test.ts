import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import { closeBillingRows } from '../../../src/server/billing/upkeep/account-closure.ts';
import { customers, memberships, profiles, tier_definitions } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openGifts } from '../../support/billing/gifts.ts';
import { EVENING, openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

const [YESTERDAY, TODAY, TOMORROW] = ['2026-06-14', '2026-06-15', '2026-06-16'];

const membershipOf = async ({ db }: Venue, user: string) => {
  const [row] = await db
    .select({ membership: memberships })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(eq(customers.user_id, user));
  return row?.membership;
};

test('a membership by card that Stripe ended ends on the venue’s day', async () => {
  const venue = await openVenue(EVENING);
  const { user } = await venue.member();
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.cancel(id);
  await venue.billing.reconcile(user);
  expect(await membershipOf(venue, user)).toMatchObject({ status: 'ended', end_date: TODAY });
});

test('a membership that staff end at once ends on the venue’s day', async () => {
  const venue = await openVenue(EVENING);
  const { user } = await venue.member();
  const staff = { id: v7(), name: 'Sam', email: 'sam@example.test', first_name: 'Sam', last_name: 'Staff' };
  await venue.db.insert(profiles).values(staff);
  const { period_end } = await venue.billing.getEndOffer(user);
  const draft = { when: 'now', reason: 'service', period_end: period_end ?? '' } as const;
  const customer_id = (await membershipOf(venue, user))?.customer_id ?? '';
  await venue.billing.endForMember({ user_id: staff.id, role: 'staff' }, { customer_id, ...draft });
  expect(await membershipOf(venue, user)).toMatchObject({ status: 'ended', end_date: TODAY });
});

test('a membership at the venue whose account is erased ends on the venue’s day', async () => {
  const venue = await openVenue(EVENING);
  const { user } = await venue.applicant();
  await venue.approveAtVenue(user);
  const canceled = await venue.billing.cancelEverything(user);
  await venue.db.transaction((tx) => closeBillingRows(venue.deps, tx, user, canceled));
  expect(await membershipOf(venue, user)).toMatchObject({ status: 'ended', end_date: TODAY });
});

test('a membership at the venue with a last day ends once that day is over there', async () => {
  const venue = await openVenue(EVENING);
  const { user } = await venue.applicant();
  await venue.approveAtVenue(user);
  await venue.db.update(memberships).set({ ends_on: TOMORROW });
  await venue.advance({ minutes: 6 * 60 - 1 });
  await venue.billing.sweep();
  expect(await membershipOf(venue, user)).toMatchObject({ status: 'active' });
  await venue.advance({ minutes: 1 });
  await venue.billing.sweep();
  expect(await membershipOf(venue, user)).toMatchObject({ status: 'ended', end_date: TOMORROW });
});

test('a membership at the venue that a card follows ends, and the card’s begins, on the venue’s day', async () => {
  const venue = await openVenue(EVENING);
  const { user } = await venue.applicant();
  await venue.approveAtVenue(user);
  await venue.db.update(memberships).set({ paid_until: '2026-06-12', grace_until: '2026-06-19' });
  await venue.pay(await venue.billing.payByCard(user));
  await venue.delivered();
  const rows = await venue.db.select().from(memberships).orderBy(memberships.id);
  expect(rows).toMatchObject([
    { status: 'ended', end_date: TODAY },
    { status: 'active', start_date: TODAY },
  ]);
});

test('a year paid online begins on the venue’s day', async () => {
  const venue = await openVenue(EVENING);
  await venue.db
    .update(tier_definitions)
    .set({ yearly_price_cents: 39_000 })
    .where(eq(tier_definitions.tier_name, 'select'));
  const { user, application } = await venue.applicant();
  const order = { tierName: 'select', applicationId: application, period: 'year' } as const;
  await venue.pay((await venue.billing.createCheckout(user, order)).url);
  await venue.delivered();
  expect(await membershipOf(venue, user)).toMatchObject({ start_date: TODAY, paid_until: '2027-06-15' });
});

test('a gift can be sent today by the venue’s calendar, not yesterday, and begins on the day it is redeemed', async () => {
  const gifts = await openGifts(EVENING);
  const [buyer, friend] = [await gifts.person(), await gifts.person()];
  const email = { delivery: 'email', recipient_email: 'ben@friends.test' } as const;
  await expect(gifts.order(buyer, { ...email, send_on: YESTERDAY })).rejects.toMatchObject({
    code: 'GIFT_DAY_REFUSED',
  });
  const id = await gifts.bought(buyer, { ...email, send_on: TODAY });
  await gifts.billing.sweep();
  const [sent] = (await gifts.emails()).filter(({ recipient }) => recipient === email.recipient_email);
  const code = /Your code: (\S+)/.exec(sent?.text ?? '')?.[1] ?? '';
  await gifts.billing.gifts.resend(buyer, { id, recipient_email: email.recipient_email, send_on: TODAY });
  await gifts.billing.gifts.redeem(friend, { code });
  expect(await membershipOf(gifts.venue, friend)).toMatchObject({
    start_date: TODAY,
    ends_on: '2026-09-15',
  });
});

test('the emails about a gift name the days on which it is sent and ends by the venue’s calendar', async () => {
  const gifts = await openGifts(EVENING);
  const [buyer, friend] = [await gifts.person(), await gifts.person()];
  const textOf = async (beginning: string) =>
    (await gifts.emails()).find(({ subject }) => subject.startsWith(beginning))?.text;
  const email = { delivery: 'email', recipient_email: 'ben@friends.test', send_on: TOMORROW } as const;
  await gifts.bought(buyer, email);
  expect(await textOf('Your gift is ready')).toContain("We'll email it on June 16, 2026");
  await gifts.billing.gifts.redeem(friend, { code: await gifts.code(buyer, await gifts.bought(buyer)) });
  expect(await textOf('Welcome to our wine club')).toContain('ends on September 14, 2026');
});

test('the email about the end of a gift is sent two weeks before it, and names its last day, by the venue’s calendar', async () => {
  const gifts = await openGifts(EVENING);
  const [buyer, friend] = [await gifts.person(), await gifts.person()];
  await gifts.billing.gifts.redeem(friend, { code: await gifts.code(buyer, await gifts.bought(buyer)) });
  const ending = async () => {
    await gifts.billing.sweep();
    return (await gifts.emails()).find(({ subject }) => subject.startsWith('Your gift ends soon'));
  };
  // In the evening of August 31.
  await gifts.venue.advance({ days: 77 });
  expect(await ending()).toBeUndefined();
  await gifts.venue.advance({ days: 1 });
  expect((await ending())?.text).toContain('lasts through September 14, 2026, the last day');
});

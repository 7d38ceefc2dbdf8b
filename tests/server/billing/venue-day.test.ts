import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import { closeBillingRows } from '../../../src/server/billing/upkeep/account-closure.ts';
import { customers, memberships, profiles } from '../../../src/server/db/schema.ts';
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

test('the email about the end of a gift names its last day by the venue’s calendar', async () => {
  const gifts = await openGifts(EVENING);
  const [buyer, friend] = [await gifts.person(), await gifts.person()];
  await gifts.billing.gifts.redeem(friend, { code: await gifts.code(buyer, await gifts.bought(buyer)) });
  await gifts.venue.advance({ days: 78 });
  await gifts.billing.sweep();
  const [ending] = (await gifts.emails()).filter(({ subject }) => subject.startsWith('Your gift ends soon'));
  expect(ending?.text).toContain('lasts through September 14, 2026, the last day');
});

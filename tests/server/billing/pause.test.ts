import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  audit_entry,
  billing_act,
  glass_grant,
  membership_term,
  memberships,
} from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { beforeTransaction } from '../../support/billing/interleave.ts';
import { openVenue, RULES, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

const seconds = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000;
const JULY = seconds('2026-07-15');

const states = async ({ db }: Venue, user: string) =>
  (
    await db
      .select()
      .from(billing_act)
      .where(eq(billing_act.user_id, user))
      .orderBy(billing_act.created_at, billing_act.id)
  ).map((it) => it.state);
const paymentsOf = async (venue: Venue, user: string) => (await venue.state(user)).payments.length;
const standings = async ({ db }: Venue) =>
  (
    await db
      .select()
      .from(membership_term)
      .innerJoin(memberships, eq(memberships.id, membership_term.membership_id))
  )
    .sort((a, b) => a.membership_term.since.getTime() - b.membership_term.since.getTime())
    .map((it) => [it.membership_term.standing, it.membership_term.since.toISOString().slice(0, 10)]);
const noAudit = async () => undefined;

test('a pause of two months: glasses until the paid period ends, no charge, no glasses, then both again', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  expect(await venue.billing.getPause(user)).toMatchObject({
    obstacle: null,
    choices: [
      { months: 1, from: JULY, until: seconds('2026-08-15') },
      { months: 2, from: JULY, until: seconds('2026-09-15') },
      { months: 3, from: JULY, until: seconds('2026-10-15') },
    ],
    pause: null,
  });
  const pause = { from: JULY, until: seconds('2026-09-15') };
  expect(await venue.billing.pause(user, 2)).toMatchObject({ pause: { ...pause, begun: false } });
  expect(await states(venue, user)).toEqual(['set']);
  expect(await venue.hasAccess(user)).toBe(true);
  const { pause_collection } = await venue.subscription(user);
  expect(pause_collection).toEqual({ behavior: 'void', resumes_at: seconds('2026-09-15') - 3600 });

  await venue.webhooks('drop');
  await venue.advance({ days: 31 });
  // No event has reported the end of the period, but access ends all the same.
  expect(await venue.hasAccess(user)).toBe(false);
  await venue.billing.sweep();
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    pause: { ...pause, begun: true },
  });
  expect(await venue.state(user)).toMatchObject({
    customer: { status: 'active' },
    active: { tier: 'select' },
  });
  expect(await venue.hasAccess(user)).toBe(false);

  await venue.advance({ days: 31 });
  await venue.billing.sweep();
  expect(await venue.hasAccess(user)).toBe(false);
  expect(await paymentsOf(venue, user)).toBe(1);

  await venue.webhooks('normal');
  await venue.advance({ days: 31 });
  await venue.billing.sweep();
  expect(await venue.hasAccess(user)).toBe(true);
  expect(await paymentsOf(venue, user)).toBe(2);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    pause: null,
    current_period_end: seconds('2026-10-15'),
  });
  expect(await states(venue, user)).toEqual(['done']);
  expect(venue.noticeTypes()).toEqual([
    'membership_started',
    'payment_received',
    'pause_scheduled',
    'payment_received',
  ]);
  // No member was lost: the same membership, without revenue in between.
  expect((await venue.state(user)).memberships).toBe(1);
  expect((await standings(venue)).map(([standing]) => standing)).toEqual(['renewing', 'paused', 'renewing']);
  expect((await standings(venue))[1]?.[1]).toBe('2026-07-15');
});

test('members pause in two seasons, but no more months than the club allows in twelve; staff can give more', async () => {
  const venue = await openVenue();
  const rules = { ...RULES, pause_months_a_year: 2 };
  const club = venue.anotherProcess({ rules: () => rules });
  const { user } = await venue.member();
  await club.pause(user, 1);
  await venue.advance({ days: 62 });
  await venue.billing.sweep();
  expect((await club.getPause(user)).choices.map(({ months }) => months)).toEqual([1]);
  await expect(club.pause(user, 2)).rejects.toMatchObject({ data: { reason: 'too_soon' } });
  rules.pause_months_a_year = 1;
  expect(await club.getPause(user)).toMatchObject({
    obstacle: 'too_soon',
    again_at: seconds('2027-07-15'),
    choices: [],
  });
  await expect(club.pause(user, 1)).rejects.toMatchObject({ data: { reason: 'too_soon' } });
  await venue.billing.pauseForMember(user, 3, noAudit);
  expect(await states(venue, user)).toEqual(['done', 'set']);
});

test.each([1, 2] as const)(
  'a finished pause does not block another of %i months, even before a sweep',
  async (months) => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await venue.billing.pause(user, 1);
    await venue.delivered();
    await venue.webhooks('drop');
    await venue.advance({ days: 62 });
    expect(await states(venue, user)).toEqual(['set']);
    await venue.webhooks('normal');
    await venue.billing.pauseForMember(user, months, noAudit);
    expect(await states(venue, user)).toEqual(['done', 'set']);
    await venue.advance({ days: 31 });
    await venue.billing.endPause(user, 3900);
    expect(await states(venue, user)).toEqual(['done', 'done']);
    expect(await venue.hasAccess(user)).toBe(true);
    expect(await paymentsOf(venue, user)).toBe(3);
  },
);

test('a finished pause does not block a tier change, even before a sweep', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.billing.pause(user, 1);
  await venue.advance({ days: 62 });
  const { id } = await venue.billing.previewTier(user, 'premier');
  expect(await venue.billing.changeTier(user, id)).toMatchObject({ tier: 'premier' });
  expect(await states(venue, user)).toEqual(['done']);
});

test('members cannot pause for longer than the venue allows', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const shorter = venue.anotherProcess({ rules: () => ({ ...RULES, pause_months: 1 }) });
  expect((await shorter.getPause(user)).choices).toHaveLength(1);
  await expect(shorter.pause(user, 2)).rejects.toMatchObject({ data: { reason: 'not_offered' } });
  expect(
    await venue.anotherProcess({ rules: () => ({ ...RULES, pause_months: 0 }) }).getPause(user),
  ).toMatchObject({
    obstacle: 'not_offered',
  });
});

describe('a pause that has not begun', () => {
  test('can be withdrawn, and the membership renews as before', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await venue.billing.pause(user, 3);
    expect(await venue.billing.endPause(user, 3900)).toMatchObject({ pause: null });
    expect(await states(venue, user)).toEqual(['withdrawn']);
    await venue.advance({ days: 31 });
    expect(await paymentsOf(venue, user)).toBe(2);
    expect(venue.noticeTypes()).toContain('pause_withdrawn');
    // The pause never took effect, so another one is possible at once.
    expect(await venue.billing.getPause(user)).toMatchObject({ obstacle: null });
  });

  test('keeps the tier, because Stripe would void the charge of a change', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    const { id } = await venue.billing.previewTier(user, 'premier');
    await venue.billing.pause(user, 1);
    const refused = { code: 'TIER_CHANGE_REFUSED', data: { reason: 'paused' } };
    await expect(venue.billing.previewTier(user, 'premier')).rejects.toMatchObject(refused);
    await expect(venue.billing.changeTier(user, id)).rejects.toMatchObject(refused);
    expect(await venue.state(user)).toMatchObject({ customer: { tier: 'select' } });
  });

  test('gives way to a cancellation: the membership ends with the paid period', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await venue.billing.pause(user, 1);
    expect(await venue.billing.cancelSubscription(user)).toEqual({ cancel_at: JULY });
    await venue.advance({ days: 31 });
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' } });
    expect(await states(venue, user)).toEqual(['done']);
  });
});

describe('coming back early', () => {
  const openPaused = async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await venue.billing.pause(user, 3);
    await venue.advance({ days: 40 });
    await venue.billing.sweep();
    return { venue, user };
  };

  test('charges a whole month at once, as shown, gives all glasses, and moves the billing day', async () => {
    const { venue, user } = await openPaused();
    const { pause } = await venue.billing.getPause(user);
    expect(pause).toMatchObject({ begun: true, can_end: true, amount: 3900, currency: 'usd' });
    await expect(venue.billing.endPause(user, 3800)).rejects.toMatchObject({ code: 'PREVIEW_EXPIRED' });
    expect(await paymentsOf(venue, user)).toBe(1);
    expect(await venue.billing.endPause(user, 3900)).toMatchObject({
      pause: null,
      current_period_end: seconds('2026-08-25'),
    });
    // Again, from a page that got no response.
    await venue.billing.endPause(user, 3900);
    expect((await venue.state(user)).payments.map(({ paid }) => paid)).toEqual([3900, 3900]);
    expect(await venue.hasAccess(user)).toBe(true);
    expect(await states(venue, user)).toEqual(['done']);
    expect(venue.noticeTypes().slice(-2).sort()).toEqual(['pause_ended', 'payment_received']);
  });

  test('gives no glasses for the period that nobody paid for, and all for the new one', async () => {
    const { venue, user } = await openPaused();
    await venue.billing.endPause(user, 3900);
    const grants = await venue.db.select().from(glass_grant).orderBy(glass_grant.valid_from);
    expect(grants).toMatchObject([
      { kind: 'period', glasses: 4, period: '2026-06-15' },
      { kind: 'period', glasses: 4, period: '2026-07-25' },
    ]);
  });

  test('is paid once, even from two windows at once, or if the first answer is lost', async () => {
    const { venue, user } = await openPaused();
    await venue.control('fail-next', {
      path: '/v1/subscriptions/',
      kind: 'drop',
      when: 'after',
      method: 'POST',
      times: 2,
    });
    const outcomes = await Promise.allSettled([
      venue.billing.endPause(user, 3900),
      venue.anotherProcess().endPause(user, 3900),
    ]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    await venue.billing.endPause(user, 3900);
    await venue.billing.sweep();
    expect(await paymentsOf(venue, user)).toBe(2);
    expect(await states(venue, user)).toEqual(['done']);
  });

  test('is paid once by two servers that both saw the pause', async () => {
    const { venue, user } = await openPaused();
    // The first request is still in flight while the second is made and answered.
    await venue.control('fail-next', { path: '/v1/subscriptions/', kind: 'slow', ms: 600, method: 'POST' });
    const servers = [venue.anotherProcess(), venue.anotherProcess()];
    await Promise.allSettled(servers.map((server) => server.endPause(user, 3900)));
    await venue.billing.sweep();
    const charges = (await venue.stripe.charges.list()).data.filter(({ paid }) => paid);
    expect(charges.map(({ amount }) => amount)).toEqual([3900, 3900]);
    expect(await states(venue, user)).toEqual(['done']);
  });

  test('a declined card changes nothing; another one pays', async () => {
    const { venue, user } = await openPaused();
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await expect(venue.billing.endPause(user, 3900)).rejects.toMatchObject({ code: 'PAYMENT_REFUSED' });
    expect(await venue.hasAccess(user)).toBe(false);
    expect(await states(venue, user)).toEqual(['set']);
    await venue.changeCard(user, 'pm_card_visa');
    await venue.billing.endPause(user, 3900);
    expect(await venue.hasAccess(user)).toBe(true);
  });

  describe('by a payment that takes days', () => {
    const openUnderWay = async () => {
      const { venue, user } = await openPaused();
      await venue.control('settings', { charges: 'pending' });
      const comeBack = () => venue.billing.endPause(user, 3900);
      expect(await comeBack()).toMatchObject({ pause: { begun: true } });
      const invoices = async () => (await venue.stripe.invoices.list()).data.map(({ status }) => status);
      return { venue, user, comeBack, invoices };
    };

    test('brings the member back when it arrives, and is charged once', async () => {
      const { venue, user, comeBack, invoices } = await openUnderWay();
      expect(await venue.hasAccess(user)).toBe(false);
      await comeBack();
      // Stripe has forgotten the idempotency key.
      await venue.advance({ days: 2 });
      expect(await comeBack()).toMatchObject({ pause: { begun: true } });
      expect(await invoices()).toEqual(['open', 'void', 'paid']);
      await venue.control('charges/settle');
      await venue.delivered();
      expect(await venue.hasAccess(user)).toBe(true);
      expect(await states(venue, user)).toEqual(['done']);
      expect((await venue.state(user)).payments.map(({ paid }) => paid)).toEqual([3900, 3900]);
    });

    test('is overdue, like any renewal, if it never arrives', async () => {
      const { venue, user, comeBack, invoices } = await openUnderWay();
      await venue.control('charges/fail');
      await venue.delivered();
      expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_failed' });
      expect(await states(venue, user)).toEqual(['done']);
      await comeBack();
      expect(await invoices()).toEqual(['open', 'void', 'paid']);
    });

    test('can be asked for again once the venue has voided its invoice', async () => {
      const { venue, user, comeBack } = await openUnderWay();
      const [invoice] = (await venue.stripe.invoices.list()).data;
      await venue.stripe.invoices.voidInvoice(invoice?.id ?? '');
      await expect(comeBack()).rejects.toMatchObject({ code: 'PAYMENT_REFUSED' });
      await venue.control('settings', { charges: 'succeeded' });
      await comeBack();
      expect(await venue.hasAccess(user)).toBe(true);
    });
  });

  test('is not open to staff, because it charges the member', async () => {
    const { venue, user } = await openPaused();
    await expect(venue.billing.withdrawPause(user)).rejects.toMatchObject({
      data: { reason: 'paused' },
    });
  });

  test('is refused after a cancellation: the membership ends with the unpaid month, without a charge', async () => {
    const { venue, user } = await openPaused();
    expect(await venue.billing.cancelSubscription(user)).toEqual({ cancel_at: seconds('2026-08-15') });
    expect(venue.notices.at(-1)).toMatchObject({ type: 'cancellation_scheduled', paused: true });
    expect(await venue.hasAccess(user)).toBe(false);
    await expect(venue.billing.endPause(user, 3900)).rejects.toMatchObject({ data: { reason: 'ending' } });
    await venue.billing.resumeSubscription(user);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ pause: { begun: true } });
    await venue.billing.cancelSubscription(user);
    await venue.advance({ days: 31 });
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' } });
    expect(await paymentsOf(venue, user)).toBe(1);
  });
});

describe('a pause is extended by a month', () => {
  const AUGUST = seconds('2026-08-15');
  const SEPTEMBER = seconds('2026-09-15');
  const openPause = async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await venue.billing.pause(user, 1);
    return { venue, user };
  };
  const actOf = async ({ db }: Venue) => (await db.select().from(billing_act))[0];

  test('before it begins and while it lasts, without a charge, and the email says the new day', async () => {
    const { venue, user } = await openPause();
    expect((await venue.billing.getPause(user)).pause).toMatchObject({ extended_until: SEPTEMBER });
    expect(await venue.billing.extendPause(user, AUGUST)).toMatchObject({
      pause: { from: JULY, until: SEPTEMBER, begun: false },
    });
    await venue.advance({ days: 62 });
    await venue.billing.sweep();
    expect(await venue.billing.extendPause(user, SEPTEMBER)).toMatchObject({
      pause: { from: JULY, until: seconds('2026-10-15'), begun: true },
    });
    await venue.advance({ days: 31 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(false);
    expect(await paymentsOf(venue, user)).toBe(1);
    await venue.advance({ days: 30 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(true);
    expect(await paymentsOf(venue, user)).toBe(2);
    expect(await states(venue, user)).toEqual(['done']);
    const untils = venue.notices.flatMap((it) => (it.type === 'pause_scheduled' ? [it.until] : []));
    expect(untils).toEqual([AUGUST, SEPTEMBER, seconds('2026-10-15')].map((at) => new Date(at * 1000)));
  });

  test('once, though the call is repeated', async () => {
    const { venue, user } = await openPause();
    await venue.billing.extendPause(user, AUGUST);
    expect(await venue.billing.extendPause(user, AUGUST)).toMatchObject({ pause: { until: SEPTEMBER } });
    expect(await actOf(venue)).toMatchObject({ terms: { months: 2, declined_returns: 0 }, state: 'set' });
  });

  test('until an hour before it ends', async () => {
    const { venue, user } = await openPause();
    await venue.advance({ days: 60, minutes: 22 * 60 + 59 });
    expect((await venue.billing.getPause(user)).pause).toMatchObject({ extended_until: SEPTEMBER });
    await venue.advance({ minutes: 1 });
    expect((await venue.billing.getPause(user)).pause).toMatchObject({ extended_until: null });
    const late = venue.billing.extendPause(user, AUGUST);
    await expect(late).rejects.toMatchObject({ data: { reason: 'renewing' } });
  });

  test('within the months that members may pause, at a time and in any twelve; by staff up to three', async () => {
    const { venue, user } = await openPause();
    const rules = { ...RULES, pause_months: 1 };
    const club = venue.anotherProcess({ rules: () => rules });
    expect((await club.getPause(user)).pause).toMatchObject({ extended_until: null });
    const extended = () => club.extendPause(user, AUGUST);
    await expect(extended()).rejects.toMatchObject({ data: { reason: 'not_offered' } });
    Object.assign(rules, { pause_months: 3, pause_months_a_year: 1 });
    await expect(extended()).rejects.toMatchObject({ data: { reason: 'too_soon' } });
    const staff = { user_id: user, role: 'staff' as const };
    await club.extendPauseForMember(staff, user, AUGUST);
    await club.extendPauseForMember(staff, user, SEPTEMBER);
    expect((await actOf(venue))?.terms).toMatchObject({ months: 3 });
    const entries = await venue.db.select().from(audit_entry).orderBy(audit_entry.id);
    expect(entries.map(({ act, facts }) => [act, facts])).toEqual([
      ['membership_paused', { months: 2 }],
      ['membership_paused', { months: 3 }],
    ]);
    await expect(club.extendPauseForMember(staff, user, seconds('2026-10-15'))).rejects.toMatchObject({
      data: { reason: 'not_offered' },
    });
  });

  const silent = (venue: Venue) =>
    venue.control('fail-next', { path: '/v1/subscriptions/', kind: 'drop', method: 'POST', times: 2 });

  test('by the sweeper, if Stripe did not answer', async () => {
    const { venue, user } = await openPause();
    await venue.advance({ days: 40 });
    await silent(venue);
    const unanswered = venue.billing.extendPause(user, AUGUST);
    await expect(unanswered).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
    await venue.billing.sweep();
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ pause: { until: SEPTEMBER } });
    expect(await states(venue, user)).toEqual(['set']);
  });

  test('or ends as before, if Stripe did not answer until half an hour before the end', async () => {
    const { venue, user } = await openPause();
    await venue.advance({ days: 40 });
    await silent(venue);
    const unanswered = venue.billing.extendPause(user, AUGUST);
    await expect(unanswered).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
    await venue.advance({ days: 20, minutes: 23 * 60 + 40 });
    await venue.billing.sweep();
    expect(await actOf(venue)).toMatchObject({
      state: 'set',
      ends_at: new Date(AUGUST * 1000),
      terms: { months: 1, declined_returns: 0 },
    });
    await venue.advance({ days: 1 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(true);
    expect(await paymentsOf(venue, user)).toBe(2);
    expect(await states(venue, user)).toEqual(['done']);
  });

  test('not while a payment for coming back is under way, nor after a cancellation', async () => {
    const { venue, user } = await openPause();
    await venue.advance({ days: 40 });
    await venue.billing.cancelSubscription(user);
    const extended = () => venue.billing.extendPause(user, AUGUST);
    await expect(extended()).rejects.toMatchObject({ data: { reason: 'ending' } });
    await venue.billing.resumeSubscription(user);
    await venue.control('settings', { charges: 'pending' });
    await venue.billing.endPause(user, 3900);
    await expect(extended()).rejects.toMatchObject({ data: { reason: 'payment_open' } });
  });
});

test('a return whose charge fails is overdue, like any renewal', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.billing.pause(user, 1);
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 62 });
  await venue.billing.sweep();
  expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_failed' });
  expect(await venue.hasAccess(user)).toBe(true);
  expect(await states(venue, user)).toEqual(['done']);
});

test('a pause that never reached Stripe is requested by the sweeper while the renewal is far off', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.control('fail-next', { path: '/v1/subscriptions/', kind: 'drop', method: 'POST', times: 2 });
  await expect(venue.billing.pause(user, 1)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  expect(await states(venue, user)).toEqual(['asked']);
  await venue.billing.sweep();
  expect(await states(venue, user)).toEqual(['set']);
});

test('a pause after whose storage the connection broke is requested by the sweeper', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { db, began, happen } = beforeTransaction(venue.db);
  const dying = venue.anotherProcess({ db });
  await dying.reconcile(user);
  // A reconciliation, the pause, and the next reconciliation.
  happen(began() * 2 + 2, () => Promise.reject(new Error('connection lost')));
  await expect(dying.pause(user, 1)).rejects.toThrow('connection lost');
  expect(await states(venue, user)).toEqual(['asked']);
  await venue.billing.sweep();
  expect(await states(venue, user)).toEqual(['set']);
});

test('a pause that did not reach Stripe before the renewal is given up: no other month is skipped instead', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.control('fail-next', { path: '/v1/subscriptions/', kind: 'drop', method: 'POST', times: 2 });
  await expect(venue.billing.pause(user, 1)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  await venue.advance({ days: 31 });
  await venue.billing.sweep();
  expect(await states(venue, user)).toEqual(['refused']);
  expect((await venue.subscription(user)).pause_collection).toBeNull();
  expect(await paymentsOf(venue, user)).toBe(2);
});

test('a pause that a late request sets after its withdrawal is cleared', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.billing.pause(user, 1);
  await venue.billing.endPause(user, 3900);
  const { id } = await venue.subscription(user);
  const resumes_at = seconds('2026-08-15') - 3600;
  await venue.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at } });
  await venue.delivered();
  expect((await venue.subscription(user)).pause_collection).toBeNull();
  expect((await venue.state(user)).subscriptions[0]?.paused_from).toBeNull();
});

test('a pause that was extended at Stripe can be ended only there once it is over here, even before a sweep', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.billing.pause(user, 1);
  const { id } = await venue.subscription(user);
  await venue.advance({ days: 40 });
  await venue.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
  await venue.delivered();
  expect((await venue.billing.getPause(user)).pause).toMatchObject({ until: null, can_end: true });
  await venue.advance({ days: 30 });
  expect((await venue.billing.getPause(user)).pause).toMatchObject({ begun: true, can_end: false });
  await expect(venue.billing.endPause(user, 3900)).rejects.toMatchObject({ data: { reason: 'not_offered' } });
  expect(await paymentsOf(venue, user)).toBe(1);
});

test('a pause made at Stripe also stops the glasses, and can only be ended there', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } });
  await venue.advance({ days: 31 });
  await venue.billing.sweep();
  expect(await venue.hasAccess(user)).toBe(false);
  expect((await venue.billing.getPause(user)).pause).toMatchObject({
    until: null,
    begun: true,
    can_end: false,
  });
  await expect(venue.billing.endPause(user, 3900)).rejects.toMatchObject({ data: { reason: 'not_offered' } });
  await venue.stripe.subscriptions.update(id, { pause_collection: '' });
  await venue.delivered();
  // This month was not paid, so it gives nothing.
  expect(await venue.hasAccess(user)).toBe(false);
  await venue.advance({ days: 31 });
  await venue.billing.sweep();
  expect(await venue.hasAccess(user)).toBe(true);
  expect(await paymentsOf(venue, user)).toBe(2);
});

test('one email, a week before the return, says when and how much', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.billing.pause(user, 1);
  await venue.advance({ days: 53 });
  expect((await venue.billing.sendReminders()).sent).toBe(0);
  await venue.advance({ days: 1 });
  expect((await venue.billing.sendReminders()).sent).toBe(1);
  expect(venue.notices.at(-1)).toMatchObject({
    type: 'return_reminder',
    amount_cents: 3900,
    returns_at: new Date(seconds('2026-08-15') * 1000),
  });
});

test('deleting the account during a pause cancels at once', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.billing.pause(user, 1);
  await venue.advance({ days: 31 });
  await venue.billing.cancelEverything(user);
  const { data } = await venue.stripe.subscriptions.list({ status: 'all' });
  expect(data.map(({ status }) => status)).toEqual(['canceled']);
});

test('a pause is refused while Stripe has not answered a tier change, because it would void its charge', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { id } = await venue.billing.previewTier(user, 'premier');
  await venue.control('fail-next', { path: '/v1/subscriptions/', kind: 'drop', method: 'POST', times: 2 });
  await expect(venue.billing.changeTier(user, id)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  const refused = { code: 'PAUSE_REFUSED', data: { reason: 'change_pending' } };
  await expect(venue.billing.pause(user, 1)).rejects.toMatchObject(refused);
  await expect(venue.billing.pauseForMember(user, 1, noAudit)).rejects.toMatchObject(refused);
  expect(await states(venue, user)).toEqual([]);
});

test('a tier change and two pauses at the same moment leave a pause or a paid change', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { id } = await venue.billing.previewTier(user, 'premier');
  await Promise.allSettled([
    venue.billing.pause(user, 1),
    venue.anotherProcess().changeTier(user, id),
    venue.anotherProcess().pauseForMember(user, 2, noAudit),
  ]);
  await venue.delivered();
  await venue.billing.sweep();
  const { tier } = (await venue.state(user)).customer ?? {};
  const isPaused = (await venue.subscription(user)).pause_collection !== null;
  const kept = (await venue.stripe.charges.list()).data.reduce((sum, it) => sum + it.amount, 0);
  // A change in a pause would be free: Stripe voids its invoice.
  expect([tier, kept > 3900]).toEqual(tier === 'premier' ? ['premier', true] : ['select', false]);
  expect(isPaused || tier === 'premier').toBe(true);
});

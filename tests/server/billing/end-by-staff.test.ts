import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { EndTime } from '../../../src/domain/membership/end.ts';
import {
  audit_entry,
  billing_act,
  customers,
  leaving_reason,
  memberships,
  profiles,
} from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import type { Billing } from '../../support/billing/drive-billing.ts';
import { glassesOf, pourGlasses } from '../../support/billing/glasses.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/membership.md, "Ending by staff".

beforeAll(openSharedDatabase);

const at = (day: string) => `${day}T12:00:00.000Z`;
/** The clock starts on June 15, 2026, at noon. */
const RENEWAL = at('2026-07-15');

async function office(venue: Venue) {
  const staff = v7();
  const email = `${staff}@example.test`;
  await venue.db
    .insert(profiles)
    .values({ id: staff, name: 'Sam', email, first_name: 'Sam', last_name: 'Staff' });
  const actor = { user_id: staff, role: 'staff' as const };
  const customerOf = async (user: string) => {
    const [row] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
    return row?.id ?? v7();
  };
  return {
    staff,
    async end(
      user: string,
      when: EndTime,
      { by = venue.billing, shown }: { by?: Billing; shown?: string } = {},
    ) {
      const period_end = shown ?? (await by.getEndOffer(user)).period_end ?? RENEWAL;
      const draft = { customer_id: await customerOf(user), when, reason: 'service' as const, period_end };
      return by.endForMember(actor, draft);
    },
    keep: async (user: string, by = venue.billing) =>
      by.keepForMember(actor, { customer_id: await customerOf(user) }),
  };
}
const endsOf = async ({ db }: Venue) => (await db.select().from(billing_act)).map(({ state }) => state);
const acts = async ({ db }: Venue) =>
  (await db.select().from(audit_entry)).map(({ act, facts }) => [act, facts]);
const noticed = ({ notices }: Venue) =>
  notices.map((it) =>
    it.type === 'cancellation_scheduled'
      ? `${it.type} ${it.by_venue}`
      : it.type === 'membership_ended'
        ? `${it.type} ${it.why}`
        : it.type,
  );
const kept = async ({ stripe }: Venue) =>
  (await stripe.charges.list({ limit: 100 })).data
    .filter(({ paid }) => paid)
    .reduce((sum, { amount, amount_refunded }) => sum + amount - amount_refunded, 0);
async function atVenue(venue: Venue): Promise<string> {
  const { user } = await venue.applicant();
  await venue.approveAtVenue(user);
  return user;
}

test('the audit says who of the staff ended or kept whose membership', async () => {
  const venue = await openVenue();
  const { staff, end, keep } = await office(venue);
  const { user } = await venue.member();
  await end(user, 'period_end');
  await keep(user);
  await end(user, 'now');
  const entries = await venue.db.select().from(audit_entry).orderBy(audit_entry.id);
  expect(entries.map(({ act, actor_id, subject_id }) => [act, actor_id, subject_id])).toEqual([
    ['membership_ended', staff, user],
    ['membership_kept', staff, user],
    ['membership_ended', staff, user],
  ]);
});

describe('a membership by card', () => {
  it('with the period: keeps its glasses until then, is not charged again, and the emails say who ended it', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    expect(await end(user, 'period_end')).toEqual({
      ...{ last_charge: null, charging: null },
      ...{ paid_by: 'card', obstacle: 'ending', period_end: RENEWAL, paused: false },
      ending: { at: RENEWAL, by: 'venue', under_way: false },
    });
    expect(await venue.hasAccess(user)).toBe(true);
    expect(await acts(venue)).toEqual([['membership_ended', { when: 'period_end', reason: 'service' }]]);
    await venue.advance({ days: 31 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(false);
    expect((await venue.state(user)).customer?.status).toBe('inactive');
    await venue.advance({ days: 60 });
    await venue.billing.sweep();
    expect(await kept(venue)).toBe(3900);
    expect(noticed(venue).slice(2)).toEqual(['cancellation_scheduled true', 'membership_ended null']);
    expect((await venue.db.select().from(leaving_reason)).map(({ reason }) => reason)).toEqual(['service']);
  });

  it('at once: nothing more is poured, and nothing is refunded', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await venue.advance({ days: 3 });
    expect(await end(user, 'now')).toMatchObject({ paid_by: null, obstacle: 'no_membership' });
    expect(await venue.hasAccess(user)).toBe(false);
    expect((await venue.subscription(user)).status).toBe('canceled');
    await venue.advance({ days: 60 });
    await venue.billing.sweep();
    expect(await kept(venue)).toBe(3900);
    expect(noticed(venue).slice(2)).toEqual(['membership_ended ended_by_staff']);
    await expect(end(user, 'now')).rejects.toMatchObject({ data: { reason: 'no_membership' } });
  });

  it.each(['period_end', 'now'] as const)('paused (%s): the pause ends with the membership', async (when) => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await venue.billing.pause(user, 2);
    await venue.advance({ days: 40 });
    await venue.billing.sweep();
    await end(user, when);
    await venue.advance({ days: 70 });
    await venue.billing.sweep();
    expect(await kept(venue)).toBe(3900);
    expect((await venue.state(user)).active).toBeNull();
  });

  it.each(['period_end', 'now'] as const)('before a tier change (%s): it is dropped', async (when) => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member('premier');
    await venue.billing.changeTier(user, (await venue.billing.previewTier(user, 'select')).id);
    const before = await kept(venue);
    await end(user, when);
    await venue.advance({ days: 40 });
    await venue.billing.sweep();
    expect(await kept(venue)).toBe(before);
    expect((await venue.state(user)).active).toBeNull();
  });

  it('with a payment due: can only end now, and the open invoice is void', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await venue.advance({ days: 31 });
    await venue.billing.sweep();
    expect(await venue.billing.getEndOffer(user)).toMatchObject({ paid_by: 'card', obstacle: 'overdue' });
    await expect(end(user, 'period_end')).rejects.toMatchObject({ data: { reason: 'overdue' } });
    await end(user, 'now');
    const invoices = (await venue.stripe.invoices.list({ limit: 10 })).data.map(({ status }) => status);
    expect(invoices.sort()).toEqual(['paid', 'void']);
    expect(await venue.hasAccess(user)).toBe(false);
  });

  it('is not ended if the dialog’s words no longer hold', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await expect(end(user, 'period_end', { shown: at('2026-08-15') })).rejects.toMatchObject({
      code: 'PREVIEW_EXPIRED',
    });
    expect(await endsOf(venue)).toEqual([]);
  });
});

describe('while Stripe does not answer', () => {
  const silent = (venue: Venue, times: number) =>
    venue.control('fail-next', {
      path: '/v1/subscriptions/',
      kind: 'status',
      when: 'before',
      method: 'POST',
      times,
    });

  it('the end is recorded, and the sweeper completes it', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await silent(venue, 1);
    expect(await end(user, 'period_end')).toMatchObject({ ending: { by: 'venue', under_way: true } });
    expect(await endsOf(venue)).toEqual(['asked']);
    await venue.billing.sweep();
    expect(await venue.billing.getEndOffer(user)).toMatchObject({ ending: { under_way: false } });
    expect(noticed(venue).slice(2)).toEqual(['cancellation_scheduled true']);
  });

  const unreachable = (venue: Venue) =>
    venue.control('fail-next', { path: '/v1/', kind: 'drop', when: 'before', times: 1000 });
  const reachable = (venue: Venue) => fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });

  it('not even about the period, the end is recorded with the day that was shown, and the sweeper completes it', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await unreachable(venue);
    expect(await end(user, 'period_end')).toMatchObject({ ending: { at: RENEWAL, under_way: true } });
    expect(await endsOf(venue)).toEqual(['asked']);
    await reachable(venue);
    await venue.billing.sweep();
    expect(await endsOf(venue)).toEqual(['set']);
    expect((await venue.subscription(user)).cancel_at_period_end).toBe(true);
  });

  it('and the period that was shown is over: nothing is recorded', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await unreachable(venue);
    venue.clock.advance({ days: 31 });
    await expect(end(user, 'period_end')).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
    expect(await endsOf(venue)).toEqual([]);
  });

  it('and the membership renews meanwhile: it ends at once, and the charge is refunded', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await venue.webhooks('hold');
    await silent(venue, 1);
    await end(user, 'period_end');
    await venue.advance({ days: 31 });
    expect(await kept(venue)).toBe(7800);
    await venue.billing.sweep();
    await venue.billing.sweep();
    expect(await kept(venue)).toBe(3900);
    expect((await venue.subscription(user)).status).toBe('canceled');
    expect(await venue.hasAccess(user)).toBe(false);
  });

  it('at once stops the glasses at once', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await venue.control('fail-next', {
      path: '/v1/',
      kind: 'drop',
      when: 'before',
      method: 'GET',
      times: 20,
    });
    await end(user, 'now', { shown: RENEWAL });
    expect(await venue.hasAccess(user)).toBe(false);
    expect(await pourGlasses(venue, user)).toBe(0);
    await fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
    await venue.advance({ minutes: 6 });
    await venue.billing.sweep();
    expect((await venue.subscription(user)).status).toBe('canceled');
  });
});

describe('keeping it after all', () => {
  it('lets it renew as before, and says so', async () => {
    const venue = await openVenue();
    const { end, keep } = await office(venue);
    const { user } = await venue.member();
    await end(user, 'period_end');
    expect(await keep(user)).toMatchObject({ paid_by: 'card', obstacle: null, ending: null });
    expect(await endsOf(venue)).toEqual(['withdrawn']);
    await venue.advance({ days: 31 });
    await venue.billing.sweep();
    expect(await kept(venue)).toBe(7800);
    expect(noticed(venue)).toContain('cancellation_withdrawn');
    expect((await acts(venue)).map(([act]) => act)).toEqual(['membership_ended', 'membership_kept']);
  });

  it('is up to the member alone if the member canceled, before or after staff', async () => {
    const venue = await openVenue();
    const { end, keep } = await office(venue);
    const { user } = await venue.member();
    await expect(keep(user)).rejects.toMatchObject({ data: { reason: 'not_ending' } });
    await end(user, 'period_end');
    await venue.billing.cancelSubscription(user);
    await expect(keep(user)).rejects.toMatchObject({ data: { reason: 'by_member' } });
    await expect(end(user, 'period_end')).rejects.toMatchObject({ data: { reason: 'ending' } });
    expect((await venue.subscription(user)).cancel_at_period_end).toBe(true);
    expect(noticed(venue).slice(2)).toEqual(['cancellation_scheduled true']);
    await end(user, 'now');
    expect((await venue.subscription(user)).status).toBe('canceled');
  });

  it('can also be done by the member, whose next cancellation is their own', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await end(user, 'period_end');
    await venue.billing.resumeSubscription(user);
    expect(await endsOf(venue)).toEqual(['withdrawn']);
    await venue.advance({ minutes: 1 });
    await venue.billing.cancelSubscription(user);
    expect(noticed(venue).at(-1)).toBe('cancellation_scheduled false');
  });

  it('is completed by the sweeper if Stripe did not answer', async () => {
    const venue = await openVenue();
    const { end, keep } = await office(venue);
    const { user } = await venue.member();
    await end(user, 'period_end');
    await venue.control('fail-next', {
      path: '/v1/',
      kind: 'drop',
      when: 'before',
      method: 'GET',
      times: 20,
    });
    expect(await keep(user)).toMatchObject({ ending: { under_way: true } });
    await fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
    await venue.billing.sweep();
    expect((await venue.subscription(user)).cancel_at_period_end).toBe(false);
    expect(await endsOf(venue)).toEqual(['withdrawn']);
  });
});

test.each([
  ['cancels', (venue: Venue, user: string) => venue.anotherProcess().cancelSubscription(user)],
  ['keeps it', (venue: Venue, user: string) => venue.anotherProcess().resumeSubscription(user)],
  ['pauses', (venue: Venue, user: string) => venue.anotherProcess().pause(user, 1)],
  [
    'ends it too',
    async (venue: Venue, user: string) =>
      (await office(venue)).end(user, 'period_end', { by: venue.anotherProcess() }),
  ],
])(
  'a member who %s while staff end the membership: our copy matches Stripe, and an end at once stands',
  async (_, act) => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const { user } = await venue.member();
    await Promise.allSettled([end(user, 'period_end'), act(venue, user)]);
    await venue.billing.sweep();
    await venue.billing.reconcile(user);
    const { cancel_at_period_end } = await venue.subscription(user);
    expect((await venue.billing.getSubscriptionDetails(user))?.cancel_at_period_end).toBe(
      cancel_at_period_end,
    );
    await Promise.allSettled([end(user, 'now'), act(venue, user)]);
    await venue.billing.sweep();
    await venue.advance({ days: 90 });
    await venue.billing.sweep();
    expect((await venue.subscription(user)).status).toBe('canceled');
    expect(await kept(venue)).toBe(3900);
  },
);

describe('a membership at the venue', () => {
  it('with the period: its glasses end at midnight of the announced day, even if no sweep ran', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const user = await atVenue(venue);
    const offer = await end(user, 'period_end');
    // Midnight in Vienna.
    expect(offer).toEqual({
      ...{ last_charge: null, charging: null },
      ...{ paid_by: 'venue', obstacle: 'ending', period_end: '2026-07-14T22:00:00.000Z', paused: false },
      ending: { at: '2026-07-14T22:00:00.000Z', by: 'venue', under_way: false },
    });
    await venue.advance({ days: 29, minutes: 9 * 60 + 59 });
    expect(await glassesOf(venue, user)).toMatchObject({ access: true });
    await venue.advance({ minutes: 2 });
    expect(await glassesOf(venue, user)).toMatchObject({ access: false, available: 0 });
    expect(await pourGlasses(venue, user)).toBe(0);
    await venue.billing.sweep();
    await venue.billing.sweep();
    expect((await venue.state(user)).customer?.status).toBe('inactive');
    const [row] = await venue.db.select().from(memberships);
    expect(row).toMatchObject({ status: 'ended', end_date: '2026-07-15' });
    expect(noticed(venue)).toEqual(['cancellation_scheduled true', 'membership_ended null']);
  });

  it('at once: access ends, even if an end with the period was set', async () => {
    const venue = await openVenue();
    const { end } = await office(venue);
    const user = await atVenue(venue);
    await end(user, 'period_end');
    expect(await end(user, 'now')).toMatchObject({ paid_by: null });
    expect(await venue.hasAccess(user)).toBe(false);
    expect(noticed(venue)).toEqual(['cancellation_scheduled true', 'membership_ended ended_by_staff']);
    expect(await endsOf(venue)).toEqual(['withdrawn', 'set']);
  });

  it('with the period: can be kept until then', async () => {
    const venue = await openVenue();
    const { end, keep } = await office(venue);
    const user = await atVenue(venue);
    await end(user, 'period_end');
    expect(await keep(user)).toMatchObject({ ending: null, obstacle: null });
    await venue.advance({ days: 40 });
    await venue.billing.sweep();
    expect(await glassesOf(venue, user)).toMatchObject({ access: true });
    expect(noticed(venue)).toEqual(['cancellation_scheduled true', 'cancellation_withdrawn']);
  });
});

test('two staff who end it at the same time end it once', async () => {
  const venue = await openVenue();
  const { end } = await office(venue);
  const { user } = await venue.member();
  await Promise.all([end(user, 'period_end'), end(user, 'period_end', { by: venue.anotherProcess() })]);
  expect(await acts(venue)).toHaveLength(1);
  expect(noticed(venue).slice(2)).toEqual(['cancellation_scheduled true']);
});

test('without a membership there is nothing to end', async () => {
  const venue = await openVenue();
  const { end } = await office(venue);
  const { user } = await venue.applicant();
  await expect(end(user, 'now')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

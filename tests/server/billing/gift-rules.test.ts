import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { giftForm } from '../../../src/contract/gifts/gifts.ts';
import {
  audit_entry,
  customers,
  gift_membership,
  household_seat,
  staff_notice,
  tier_definitions,
} from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openGifts } from '../../support/billing/gifts.ts';

// docs/rules/gifts.md, "Gifts": redeeming, and refunds of the payment. Select costs 39 dollars a month, a gift of three
// months 117.

beforeAll(openSharedDatabase);

const refused = (reason: string) => ({ code: 'GIFT_REFUSED', data: { reason } });
const EMAIL = { delivery: 'email', recipient_email: 'ben@friends.test', send_on: '2026-06-15' } as const;

describe('buying', () => {
  it('is refused for a free tier', async () => {
    const gifts = await openGifts();
    const { db } = gifts.venue;
    const isSelect = eq(tier_definitions.tier_name, 'select');
    await db.update(tier_definitions).set({ monthly_price_cents: 0 }).where(isSelect);
    await expect(gifts.order(await gifts.person())).rejects.toMatchObject({ code: 'TIER_NOT_AVAILABLE' });
    await db.update(tier_definitions).set({ monthly_price_cents: 3900 }).where(isSelect);
  });

  const FORM = { tier: 'select', months: 3, from_name: 'Anna', to_name: 'Ben', delivery: 'card' };
  it.each(['See https://x.example', 'www.x.example', 'write to a@x.example', '<b>Hi</b>'])(
    'takes no message like %s',
    (message) => {
      expect(giftForm.safeParse({ ...FORM, message }).success).toBe(false);
      expect(giftForm.safeParse({ ...FORM, message: 'Enjoy!\nSee you @ the bar' }).success).toBe(true);
    },
  );

  it.each([1, 4, 24])('is refused for %i months', (months) => {
    expect(giftForm.safeParse({ ...FORM, months }).success).toBe(false);
  });
});

test('a page that is completed before the money arrives makes no gift, and deletes the order if it never does', async () => {
  const gifts = await openGifts();
  const { venue, billing } = gifts;
  const buyer = await gifts.person();
  const { id } = await gifts.order(buyer);
  const { sessions } = venue.stripe.checkout;
  const open = await sessions.retrieve((await gifts.row(id))?.stripe_session_id ?? '');
  const answer = (status: 'processing' | 'requires_payment_method') => {
    const payment_intent = { id: 'pi_by_transfer', object: 'payment_intent', status };
    const page = { ...open, status: 'complete', payment_status: 'unpaid', payment_intent };
    sessions.retrieve = (async () => page) as unknown as typeof sessions.retrieve;
  };
  answer('processing');
  await billing.reconcile(buyer);
  expect(await gifts.row(id)).toMatchObject({ status: 'ordered', paid_at: null });
  answer('requires_payment_method');
  await billing.reconcile(buyer);
  expect(await gifts.row(id)).toBeUndefined();
});

test('an email goes out at most five times a day, and a refund deletes its words', async () => {
  const gifts = await openGifts({ start: '2026-06-15T10:00:00Z' });
  const buyer = await gifts.person();
  const id = await gifts.bought(buyer, EMAIL);
  const again = { id, recipient_email: EMAIL.recipient_email, send_on: EMAIL.send_on };
  for (let n = 0; n < 5; n++) await gifts.billing.gifts.resend(buyer, again);
  await expect(gifts.billing.gifts.resend(buyer, again)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
  await gifts.billing.gifts.refund(buyer, { id });
  expect(await gifts.row(id)).toMatchObject({
    ...{ to_name: null, message: null, recipient_email: null, code_hash: null },
  });
});

test('the end is announced two weeks before, once', async () => {
  const gifts = await openGifts();
  const [buyer, friend] = [await gifts.person(), await gifts.person()];
  // From June 15 to September 14.
  await gifts.billing.gifts.redeem(friend, { code: await gifts.code(buyer, await gifts.bought(buyer)) });
  const reminders = async () => {
    await gifts.billing.sweep();
    return (await gifts.emails()).filter(({ subject }) => subject.startsWith('Your gift ends soon'));
  };
  await gifts.venue.advance({ days: 77 });
  expect(await reminders()).toEqual([]);
  await gifts.venue.advance({ days: 1 });
  expect(await reminders()).toHaveLength(1);
  await gifts.venue.advance({ days: 1 });
  expect(await reminders()).toHaveLength(1);
});

describe('redeeming', () => {
  it('takes consent to what the page said about age and terms', async () => {
    const gifts = await openGifts();
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const code = await gifts.code(buyer, await gifts.bought(buyer));
    await expect(
      gifts.billing.gifts.redeem(friend, { code, consent_version: '0'.repeat(16) }),
    ).rejects.toMatchObject({ code: 'CONSENT_OUTDATED' });
  });

  it('is refused to a paused member, and to someone who shares a membership', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const buyer = await gifts.person();
    const code = await gifts.code(buyer, await gifts.bought(buyer));
    const { user: paused } = await venue.member();
    await billing.pause(paused, 2);
    await venue.advance({ days: 32 });
    expect(await venue.hasAccess(paused)).toBe(false);
    const partner = await gifts.person();
    const [holder] = await venue.db.select().from(customers).where(eq(customers.user_id, paused));
    const partner_id = venue.deps.newId();
    const at = venue.clock.now();
    await venue.db.insert(customers).values({
      ...{ id: partner_id, user_id: partner, tier: 'select', status: 'inactive', member_since: '2026-06-15' },
      created_at: at,
    });
    const seat = {
      id: venue.deps.newId(),
      holder_id: holder?.id ?? '',
      customer_id: partner_id,
      joined_at: at,
    };
    await venue.db.insert(household_seat).values(seat);
    // Even while that membership has lapsed, since it may return without an act of the partner.
    await venue.db.update(customers).set({ status: 'inactive' }).where(eq(customers.id, partner_id));
    for (const user of [paused, partner])
      await expect(billing.gifts.redeem(user, { code })).rejects.toMatchObject(refused('member'));
  });

  it('makes someone past grace a member again, and a card payment that arrives late is refunded', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const { user } = await venue.member();
    await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await venue.advance({ days: 30, minutes: 1 });
    await venue.advance({ days: 2 });
    expect(await venue.state(user)).toMatchObject({ active: null, subscriptions: [{ status: 'unpaid' }] });
    const buyer = await gifts.person();
    const code = await gifts.code(buyer, await gifts.bought(buyer));
    await billing.gifts.redeem(user, { code });
    await venue.payInvoice(user);
    await billing.reconcile(user);
    const after = await venue.state(user);
    expect(after).toMatchObject({
      active: { subscription: null },
      memberships: 2,
      reversals: ['venue_member'],
    });
    // The earlier month stays paid; the later charge was refunded.
    expect(after.payments.map(({ paid, refunded }) => paid - refunded)).toEqual([3900, 0]);
  });
});

test('staff see the gifts that a member bought, but not for whom, with which message and to which email', async () => {
  const gifts = await openGifts();
  const { user: buyer } = await gifts.venue.member();
  const id = await gifts.bought(buyer, EMAIL);
  expect(await gifts.billing.gifts.list(buyer)).toMatchObject([
    { id, to_name: 'Ben', message: 'Enjoy!', recipient_email: EMAIL.recipient_email },
  ]);
  const [customer] = await gifts.venue.db.select().from(customers).where(eq(customers.user_id, buyer));
  expect(await gifts.billing.gifts.listForMember({ customer_id: customer?.id ?? '' })).toMatchObject([
    { id, to_name: null, message: null, recipient_email: null },
  ]);
});

describe('giving back', () => {
  it('by staff: all of it, only for this member’s gift, with an audit entry that omits what was written', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const { user: buyer } = await venue.member();
    const staff = await gifts.person();
    const actor = { user_id: staff, role: 'staff' } as const;
    const [customer] = await venue.db.select().from(customers).where(eq(customers.user_id, buyer));
    const { user: other } = await venue.member();
    const [others] = await venue.db.select().from(customers).where(eq(customers.user_id, other));
    const id = await gifts.bought(buyer);
    const customer_id = customer?.id ?? '';
    await expect(
      billing.gifts.refundForMember(actor, { customer_id: others?.id ?? '', id }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await billing.gifts.refundForMember(actor, { customer_id, id })).status).toBe('refunded');
    expect(await gifts.kept(id)).toBe(0);
    expect(await venue.db.select().from(audit_entry)).toMatchObject([
      {
        act: 'gift_refunded',
        actor_id: staff,
        subject_id: buyer,
        facts: { gift_id: id, amount_cents: 11_700 },
      },
    ]);
  });

  it('in part at Stripe changes nothing, and a later refund returns the rest', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const buyer = await gifts.person();
    const id = await gifts.bought(buyer);
    const payment_intent = (await gifts.row(id))?.stripe_payment_intent_id ?? '';
    await venue.stripe.refunds.create({ payment_intent, amount: 1000 });
    await venue.delivered();
    expect(await gifts.row(id)).toMatchObject({ status: 'paid', refunded_cents: 1000 });
    expect(await venue.db.select().from(staff_notice)).toEqual([]);
    expect((await billing.gifts.refund(buyer, { id })).status).toBe('refunded');
    expect(await gifts.row(id)).toMatchObject({ refunded_cents: 11_700 });
    expect(await gifts.kept(id)).toBe(0);
  });

  it('that Stripe finally refuses notifies staff, and the code stays dead', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const id = await gifts.bought(buyer);
    const code = await gifts.code(buyer, id);
    const refusal = { path: '/v1/refunds', method: 'POST', kind: 'status', status: 400, when: 'before' };
    await venue.control('fail-next', refusal);
    expect((await billing.gifts.refund(buyer, { id })).status).toBe('kept');
    expect(await venue.db.select().from(staff_notice)).toMatchObject([
      { kind: 'gift_reversed', facts: { why: 'not_refunded', redeemed: false } },
    ]);
    await expect(billing.gifts.redeem(friend, { code })).rejects.toMatchObject({ code: 'GIFT_CODE_UNKNOWN' });
  });
});

test('disputed after redemption, staff are notified and the membership continues; lost before, the code is dead', async () => {
  const gifts = await openGifts();
  const { venue, billing } = gifts;
  const [buyer, friend] = [await gifts.person(), await gifts.person()];
  const [redeemed, lost] = [await gifts.bought(buyer), await gifts.bought(buyer)];
  const code = await gifts.code(buyer, lost);
  await billing.gifts.redeem(friend, { code: await gifts.code(buyer, redeemed) });
  for (const id of [redeemed, lost]) {
    await venue.control('disputes', { payment_intent: (await gifts.row(id))?.stripe_payment_intent_id });
    await venue.delivered();
    await venue.control('disputes/close', { won: false });
    await venue.delivered();
  }
  expect(await venue.state(friend)).toMatchObject({ active: { tier: 'select' } });
  expect(await venue.hasAccess(friend)).toBe(true);
  await expect(billing.gifts.redeem(await gifts.person(), { code })).rejects.toMatchObject(
    refused('disputed'),
  );
  const notices = await venue.db.select().from(staff_notice);
  expect(notices.map(({ user_id, facts }) => [user_id, facts])).toMatchObject([
    [friend, { why: 'disputed', redeemed: true }],
    [buyer, { why: 'disputed', redeemed: false }],
  ]);
  expect(await venue.db.$count(gift_membership)).toBe(2);
});

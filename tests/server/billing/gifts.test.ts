import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../../src/domain/calendar.ts';
import { giftAcceptance, giftConsent } from '../../../src/domain/consent.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import {
  billing_customer,
  gift_membership,
  memberships,
  staff_notice,
} from '../../../src/server/db/schema.ts';
import { brokenInvariants } from '../../../torture/invariants.ts';
import { breakable, openSharedDatabase } from '../../support/billing/databases.ts';
import { type GiftVenue, openGifts } from '../../support/billing/gifts.ts';
import { glassesOf, pourGlasses } from '../../support/billing/glasses.ts';
import { interleaved } from '../../support/billing/interleave.ts';

// docs/rules/gifts.md, "Gifts". Select costs 39 dollars a month. The clock starts on June 15, 2026.

beforeAll(openSharedDatabase);

const refused = (reason: string) => ({ code: 'GIFT_REFUSED', data: { reason } });
/** Rows that these fixtures omit: the database's mode, and the reviewers. */
const NOT_HERE = /mode of the database|review has its time/;
const holds = async ({ venue }: GiftVenue) => {
  const broken = await brokenInvariants((it) => rowsOf(venue.db, sql.raw(it)), 'Europe/Vienna');
  expect(broken.filter((line) => !NOT_HERE.test(line))).toEqual([]);
};
const today = ({ venue }: GiftVenue) => venue.clock.now().toISOString().slice(0, 10);
const leave = async (gifts: GiftVenue) => (await gifts.venue.db.select().from(gift_membership)).length;

describe('buying', () => {
  it('is one payment for all months, at the price shown, taxed like the tiers; no card is stored', async () => {
    const gifts = await openGifts({ pricing: { taxBehavior: 'exclusive' } });
    const { venue, billing } = gifts;
    const buyer = await gifts.person();
    const price = '$234.00 plus tax';
    const words = giftConsent(venue.deps.venue, { tier: 'Select', months: 6, price });
    const id = await gifts.bought(buyer, { months: 6, consent_version: words.version });
    // 6 x 39 dollars, and the sandbox's 20 %.
    expect(await gifts.row(id)).toMatchObject({ status: 'paid', amount_cents: 23_400, paid_cents: 28_080 });
    expect(await billing.gifts.list(buyer)).toMatchObject([
      { id, amount: 28_080, status: 'paid', months: 6 },
    ]);
    const [session] = (await venue.stripe.checkout.sessions.list()).data;
    expect(session).toMatchObject({ mode: 'payment', subscription: null, invoice: null });
    const customer = String(session?.customer);
    expect((await venue.stripe.paymentMethods.list({ customer })).data).toEqual([]);
    expect((await venue.state(buyer)).customer).toBeNull();
    await holds(gifts);
  });

  it('gives a repeated request the same page; a new request closes the earlier page', async () => {
    const gifts = await openGifts();
    const buyer = await gifts.person();
    const first = await gifts.order(buyer);
    expect(await gifts.order(buyer, { request_id: first.id })).toEqual(first);
    const second = await gifts.order(buyer, { months: 12 });
    expect(await gifts.venue.pay(first.url)).toBe(410);
    expect(await gifts.row(first.id)).toBeUndefined();
    expect(await gifts.venue.pay(second.url)).toBe(303);
    // A page paid while being left is a gift all the same.
    await gifts.order(buyer);
    expect((await gifts.row(second.id))?.status).toBe('paid');
  });

  it('opens one page although Stripe’s answer is lost', async () => {
    const gifts = await openGifts();
    const { venue } = gifts;
    const buyer = await gifts.person();
    const request_id = venue.deps.newId();
    const fault = { path: '/v1/checkout/sessions', method: 'POST', kind: 'drop', when: 'after', times: 2 };
    await venue.control('fail-next', fault);
    await expect(gifts.order(buyer, { request_id })).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
    await venue.advance({ minutes: 1 });
    const { url } = await gifts.order(buyer, { request_id });
    const { data } = await venue.stripe.checkout.sessions.list();
    expect(data.map((it) => it.url)).toEqual([url]);
  });

  it('leaves nothing behind when it is not paid', async () => {
    const gifts = await openGifts();
    const buyer = await gifts.person();
    await gifts.order(buyer);
    expect(await gifts.billing.gifts.list(buyer)).toEqual([]);
    await gifts.venue.advance({ days: 2 });
    expect(await leave(gifts)).toBe(0);
    await gifts.venue.webhooks('drop');
    await gifts.order(buyer);
    await gifts.venue.advance({ days: 2 });
    await gifts.billing.sweep();
    expect(await leave(gifts)).toBe(0);
  });

  it('is noticed without a webhook: when the buyer returns, or by the sweeper', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const buyer = await gifts.person();
    await venue.webhooks('drop');
    const one = await gifts.order(buyer);
    await venue.pay(one.url);
    expect((await billing.gifts.check(buyer, { id: one.id })).status).toBe('paid');
    const two = await gifts.order(buyer);
    await venue.pay(two.url);
    await venue.advance({ minutes: 6 });
    await billing.sweep();
    expect((await gifts.row(two.id))?.status).toBe('paid');
    expect(
      (await gifts.emails()).filter(({ subject }) => subject.startsWith('Your gift is ready')),
    ).toHaveLength(2);
  });

  it('takes a paid tier on offer, a day from today to a year ahead, and consent', async () => {
    const gifts = await openGifts();
    const buyer = await gifts.person();
    await expect(gifts.order(buyer, { tier: 'reserve' })).rejects.toMatchObject({
      code: 'TIER_NOT_AVAILABLE',
    });
    await expect(
      gifts.order(buyer, { delivery: 'email', recipient_email: 'b@c.test', send_on: '2026-06-14' }),
    ).rejects.toMatchObject({ code: 'GIFT_DAY_REFUSED' });
    await expect(gifts.order(buyer, { consent_version: '0'.repeat(16) })).rejects.toMatchObject({
      code: 'CONSENT_OUTDATED',
    });
    expect(await leave(gifts)).toBe(0);
  });

  it('stores the code as a hash, shows it to its buyer only, and a new code ends it', async () => {
    const gifts = await openGifts();
    const { billing, venue } = gifts;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const id = await gifts.bought(buyer);
    const code = await gifts.code(buyer, id);
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(await gifts.code(buyer, id)).toBe(code);
    expect(JSON.stringify(await gifts.row(id))).not.toContain(code.slice(0, 4));
    await expect(billing.gifts.showCode(friend, { id, renew: false })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    // With another secret of the server the printed card still works, but cannot be shown.
    const elsewhere = venue.anotherProcess({ giftKey: { key: new Uint8Array(32), id: 'another' } });
    expect(await elsewhere.gifts.showCode(buyer, { id, renew: false })).toEqual({ code: null });
    expect(await elsewhere.gifts.look(friend, { code })).toMatchObject({ months: 3, from_name: 'Anna' });
    const { code: renewed } = await elsewhere.gifts.showCode(buyer, { id, renew: true });
    await expect(billing.gifts.redeem(friend, { code })).rejects.toMatchObject({ code: 'GIFT_CODE_UNKNOWN' });
    await billing.gifts.redeem(friend, { code: renewed ?? '' });
  });
});

describe('the email', () => {
  const EMAIL = { delivery: 'email', recipient_email: 'ben@friends.test', send_on: '2026-06-20' } as const;
  const sent = async (gifts: GiftVenue) =>
    (await gifts.emails()).filter(({ subject }) => subject.startsWith('A gift for you'));
  const codeIn = (body: string | null) => /Your code: (\S+)/.exec(body ?? '')?.[1] ?? '';

  it('goes out once, from nine o’clock venue time on its day, and never before payment', async () => {
    const gifts = await openGifts({ start: '2026-06-15T10:00:00Z' });
    const { venue, billing } = gifts;
    const { url } = await gifts.order(await gifts.person(), { ...EMAIL, send_on: '2026-06-15' });
    await billing.sweep();
    expect(await sent(gifts)).toEqual([]);
    await venue.pay(url);
    await venue.delivered();
    await billing.sweep();
    expect(await sent(gifts)).toMatchObject([{ recipient: 'ben@friends.test' }]);
    await gifts.bought(await gifts.person(), EMAIL);
    await venue.advance({ days: 4, minutes: 20 * 60 + 50 });
    // 6:50 UTC is 8:50 in Vienna.
    await billing.sweep();
    expect(await sent(gifts)).toHaveLength(1);
    await venue.advance({ minutes: 10 });
    for (let round = 0; round < 3; round++) await billing.sweep();
    expect(await sent(gifts)).toHaveLength(2);
    const body = (await sent(gifts))[0]?.text ?? '';
    expect(body).toContain('Anna gave you 3 months of Select');
    expect(body).toContain('“Enjoy!”');
    expect(body).toContain(`https://club.example/redeem#${codeIn(body)}`);
  });

  it('can be corrected and sent again until it is redeemed; another address gets another code', async () => {
    const gifts = await openGifts({ start: '2026-06-15T10:00:00Z' });
    const { billing } = gifts;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const id = await gifts.bought(buyer, { ...EMAIL, send_on: '2026-06-15' });
    await billing.sweep();
    const again = { id, recipient_email: EMAIL.recipient_email, send_on: '2026-06-15' };
    await billing.gifts.resend(buyer, again);
    await billing.sweep();
    const [second, first] = (await sent(gifts)).map(({ text }) => codeIn(text));
    expect(second).toBe(first);
    await billing.gifts.resend(buyer, { ...again, recipient_email: 'real@friends.test' });
    await billing.sweep();
    const [third] = await sent(gifts);
    expect(third?.recipient).toBe('real@friends.test');
    await expect(billing.gifts.redeem(friend, { code: first ?? '' })).rejects.toMatchObject({
      code: 'GIFT_CODE_UNKNOWN',
    });
    await billing.gifts.redeem(friend, { code: codeIn(third?.text ?? '') });
    await expect(billing.gifts.resend(buyer, again)).rejects.toMatchObject(refused('redeemed'));
    // The email and the message are no longer needed.
    expect(await gifts.row(id)).toMatchObject({ recipient_email: null, message: null, to_name: null });
  });

  it('goes to another address with another code, also while it waits to be sent again', async () => {
    const gifts = await openGifts({ start: '2026-06-15T10:00:00Z' });
    const { billing } = gifts;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const id = await gifts.bought(buyer, { ...EMAIL, send_on: '2026-06-15' });
    await billing.sweep();
    const again = { id, recipient_email: EMAIL.recipient_email, send_on: '2026-06-15' };
    await billing.gifts.resend(buyer, again);
    await billing.gifts.resend(buyer, { ...again, recipient_email: 'real@friends.test' });
    await billing.sweep();
    const [second, first] = (await sent(gifts)).map(({ text }) => codeIn(text));
    await expect(billing.gifts.redeem(friend, { code: first ?? '' })).rejects.toMatchObject({
      code: 'GIFT_CODE_UNKNOWN',
    });
    await billing.gifts.redeem(friend, { code: second ?? '' });
  });

  it('leaves no address after 90 days', async () => {
    const gifts = await openGifts({ start: '2026-06-15T10:00:00Z' });
    const id = await gifts.bought(await gifts.person(), { ...EMAIL, send_on: '2026-06-15' });
    await gifts.billing.sweep();
    await gifts.venue.advance({ days: 89 });
    await gifts.billing.sweep();
    expect((await gifts.row(id))?.recipient_email).toBe('ben@friends.test');
    await gifts.venue.advance({ days: 2 });
    await gifts.billing.sweep();
    expect((await gifts.row(id))?.recipient_email).toBeNull();
  });
});

describe('redeeming', () => {
  it('starts a membership at once, with glasses each month and without a card, until its months are over', async () => {
    const gifts = await openGifts({ start: '2026-01-31T12:00:00Z' });
    const { venue, billing } = gifts;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const code = await gifts.code(buyer, await gifts.bought(buyer));
    const words = giftAcceptance(venue.deps.venue);
    expect(await billing.gifts.redeem(friend, { code, consent_version: words.version })).toEqual({
      last_day: '2026-04-29',
    });
    // Redeeming the same code again by the same user gives the same membership.
    expect(await billing.gifts.redeem(friend, { code })).toEqual({ last_day: '2026-04-29' });
    expect(await venue.state(friend)).toMatchObject({
      customer: { status: 'active', tier: 'select', member_since: '2026-01-31' },
      active: { tier: 'select', subscription: null, price: 0 },
      memberships: 1,
    });
    await holds(gifts);
    await venue.advance({ days: 88 });
    await billing.sweep();
    // April 29 at noon.
    expect(today(gifts)).toBe('2026-04-29');
    expect(await venue.hasAccess(friend)).toBe(true);
    await venue.advance({ minutes: 12 * 60 - 1 });
    // 1:59 on April 30 in Vienna: over, even before a sweep.
    const [membership] = await venue.db.select().from(memberships);
    expect(membership?.status).toBe('active');
    const zoned = sql`select access, available from member_allowance(${membership?.customer_id}, ${venue.clock.now().toISOString()}, 'Europe/Vienna')`;
    expect(await rowsOf(venue.db, zoned)).toEqual([{ access: false, available: 0 }]);
    for (let round = 0; round < 2; round++) await billing.sweep();
    expect(await venue.state(friend)).toMatchObject({ customer: { status: 'inactive' }, active: null });
    expect((await venue.db.select().from(memberships))[0]).toMatchObject({
      status: 'ended',
      end_date: '2026-04-30',
    });
    const subjects = (await gifts.emails()).map(({ subject }) => subject.split(' · ')[0]);
    expect(subjects).toEqual([
      'Thank you for being with us',
      'Your gift ends soon',
      'Welcome to our wine club',
      'Your gift is ready',
    ]);
    await holds(gifts);
  });

  it('keeps the member since of a former member, and counts months and glasses from the day of the gift', async () => {
    const gifts = await openGifts({ start: '2026-01-20T12:00:00Z' });
    const { venue, billing } = gifts;
    const { user } = await venue.member();
    await billing.cancelSubscription(user);
    await venue.advance({ days: 70 });
    const code = await gifts.code(user, await gifts.bought(user));
    const words = giftAcceptance(venue.deps.venue);
    expect(today(gifts)).toBe('2026-03-31');
    await billing.gifts.redeem(user, { code, consent_version: words.version });
    expect((await venue.state(user)).customer).toMatchObject({ member_since: '2026-01-20' });
    expect(await pourGlasses(venue, user)).toBe(4);
    // April 20, the day of 'member since', does not begin a month of this membership.
    await venue.advance({ days: 20 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, available: 0 });
    await venue.advance({ days: 10 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, available: 4 });
  });

  it('is refused to members by card, at the venue and by gift, and the code stays good for later', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const buyer = await gifts.person();
    const code = await gifts.code(buyer, await gifts.bought(buyer));
    const other = await gifts.code(buyer, await gifts.bought(buyer));
    const byCard = (await venue.member()).user;
    const atVenue = (await venue.applicant()).user;
    await venue.approveAtVenue(atVenue);
    for (const member of [byCard, atVenue]) {
      await expect(billing.gifts.look(member, { code })).rejects.toMatchObject(refused('member'));
      await expect(billing.gifts.redeem(member, { code })).rejects.toMatchObject(refused('member'));
    }
    const friend = await gifts.person();
    await billing.gifts.redeem(friend, { code: other });
    await expect(billing.gifts.redeem(friend, { code })).rejects.toMatchObject(refused('member'));
    await venue.advance({ days: 93 });
    await billing.sweep();
    await billing.gifts.redeem(friend, { code });
    expect((await venue.state(friend)).memberships).toBe(2);
    await holds(gifts);
  });

  it('closes an open payment page, approves the application, and a late payment is refunded', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const buyer = await gifts.person();
    const code = await gifts.code(buyer, await gifts.bought(buyer));
    const applicant = await venue.applicant();
    const page = await venue.checkout(applicant);
    await billing.gifts.redeem(applicant.user, { code });
    expect(await venue.pay(page)).toBe(410);
    expect(await venue.state(applicant.user)).toMatchObject({ application: 'approved', memberships: 1 });
    await expect(
      venue.checkout({ user: applicant.user, application: applicant.application }),
    ).rejects.toMatchObject({
      code: 'ALREADY_MEMBER',
    });
  });

  it('allows 20 codes an hour per account', async () => {
    const gifts = await openGifts();
    const user = await gifts.person();
    const guess = { code: 'ABCD-EFGH-JKMN-PQRS-TVWX' };
    for (let n = 0; n < 20; n++)
      await expect(gifts.billing.gifts.look(user, guess)).rejects.toMatchObject({
        code: 'GIFT_CODE_UNKNOWN',
      });
    await expect(gifts.billing.gifts.redeem(user, guess)).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
    });
  });
});

describe('giving back', () => {
  it('returns all of it to the buyer, once, and the code is dead', async () => {
    const gifts = await openGifts();
    const { billing } = gifts;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const id = await gifts.bought(buyer);
    const code = await gifts.code(buyer, id);
    await expect(billing.gifts.refund(friend, { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (let n = 0; n < 2; n++) expect((await billing.gifts.refund(buyer, { id })).status).toBe('refunded');
    expect(await gifts.kept(id)).toBe(0);
    await expect(billing.gifts.redeem(friend, { code })).rejects.toMatchObject({ code: 'GIFT_CODE_UNKNOWN' });
    expect((await gifts.emails()).filter(({ subject }) => subject.startsWith('Your refund'))).toHaveLength(1);
    await holds(gifts);
  });

  it('is refused after redemption', async () => {
    const gifts = await openGifts();
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const id = await gifts.bought(buyer);
    await gifts.billing.gifts.redeem(friend, { code: await gifts.code(buyer, id) });
    await expect(gifts.billing.gifts.refund(buyer, { id })).rejects.toMatchObject(refused('redeemed'));
    expect(await gifts.kept(id)).toBe(11_700);
  });

  it('recovers from a crash before, during or after the request: the code is dead first', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    for (const fault of [
      { kind: 'status', status: 500, when: 'before' },
      { kind: 'status', status: 500, when: 'after' },
    ]) {
      const id = await gifts.bought(buyer);
      const code = await gifts.code(buyer, id);
      await venue.webhooks('drop');
      await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', ...fault });
      expect((await billing.gifts.refund(buyer, { id })).status).toBe('refunding');
      await expect(billing.gifts.redeem(friend, { code })).rejects.toMatchObject({
        code: 'GIFT_CODE_UNKNOWN',
      });
      // Days later, after Stripe has dropped the idempotency key.
      await venue.advance({ days: 3 });
      await billing.sweep();
      expect((await gifts.row(id))?.status).toBe('refunded');
      expect(await gifts.kept(id)).toBe(0);
      await venue.webhooks('normal');
    }
    await holds(gifts);
  });

  it('by two servers at once is one refund, and staff have nothing to do', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const buyer = await gifts.person();
    const id = await gifts.bought(buyer);
    await venue.webhooks('drop');
    const late = venue.anotherProcess({
      stripe: interleaved(venue.stripe, 'refunds', 'create', async (request) => {
        await billing.reconcile(buyer);
        return request();
      }),
    });
    expect((await late.gifts.refund(buyer, { id })).status).toBe('refunded');
    expect(await gifts.kept(id)).toBe(0);
    expect(await venue.db.select().from(staff_notice)).toEqual([]);
  });

  it.each([
    ['all', undefined],
    ['a part', 1000],
  ])(
    'is complete if %s is refunded at Stripe a moment before, and staff have nothing to do',
    async (_, amount) => {
      const gifts = await openGifts();
      const { venue } = gifts;
      const buyer = await gifts.person();
      const id = await gifts.bought(buyer);
      await venue.webhooks('drop');
      const payment_intent = (await gifts.row(id))?.stripe_payment_intent_id ?? '';
      const late = venue.anotherProcess({
        stripe: interleaved(venue.stripe, 'refunds', 'create', async (request) => {
          await venue.stripe.refunds.create({ payment_intent, amount });
          return request();
        }),
      });
      expect((await late.gifts.refund(buyer, { id })).status).toBe('refunded');
      expect(await gifts.kept(id)).toBe(0);
      expect(await venue.db.select().from(staff_notice)).toEqual([]);
    },
  );

  it('made at Stripe ends the code; after redemption staff are notified, and the membership continues', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const [one, two] = [await gifts.bought(buyer), await gifts.bought(buyer)];
    const [code, other] = [await gifts.code(buyer, one), await gifts.code(buyer, two)];
    await billing.gifts.redeem(friend, { code: other });
    for (const id of [one, two]) {
      const payment_intent = (await gifts.row(id))?.stripe_payment_intent_id ?? '';
      await venue.stripe.refunds.create({ payment_intent });
      await venue.delivered();
    }
    expect((await gifts.row(one))?.status).toBe('refunded');
    await expect(billing.gifts.redeem(await gifts.person(), { code })).rejects.toMatchObject({
      code: 'GIFT_CODE_UNKNOWN',
    });
    expect((await gifts.row(two))?.status).toBe('redeemed');
    expect(await venue.state(friend)).toMatchObject({ customer: { status: 'active' } });
    expect(await venue.db.select().from(staff_notice)).toMatchObject([
      { kind: 'gift_reversed', user_id: friend, facts: { why: 'refunded', redeemed: true } },
    ]);
  });

  it('made at Stripe deletes the names, the message and the address of the person it was for', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const buyer = await gifts.person();
    const words = { to_name: 'Ben', message: 'Enjoy!', recipient_email: 'ben@friends.test' };
    const send_on = addDays(today(gifts), 30);
    const id = await gifts.bought(buyer, { ...words, delivery: 'email', send_on });
    expect(await gifts.row(id)).toMatchObject(words);
    await venue.stripe.refunds.create({
      payment_intent: (await gifts.row(id))?.stripe_payment_intent_id ?? '',
    });
    await venue.delivered();
    const forgotten = { status: 'refunded', to_name: null, message: null, recipient_email: null };
    expect(await gifts.row(id)).toMatchObject({ ...forgotten, code_hash: null });
    expect(await billing.gifts.list(buyer)).toMatchObject([{ id, ...forgotten }]);
  });

  it('waits during a dispute: the code stops, and works again if the club wins', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const id = await gifts.bought(buyer);
    const code = await gifts.code(buyer, id);
    await venue.control('disputes', { payment_intent: (await gifts.row(id))?.stripe_payment_intent_id });
    await venue.delivered();
    await expect(billing.gifts.redeem(friend, { code })).rejects.toMatchObject(refused('disputed'));
    await expect(billing.gifts.refund(buyer, { id })).rejects.toMatchObject(refused('disputed'));
    await venue.control('disputes/close', { won: true });
    await venue.delivered();
    await billing.gifts.redeem(friend, { code });
    expect(await venue.db.select().from(staff_notice)).toMatchObject([
      { kind: 'gift_reversed', user_id: buyer, facts: { why: 'disputed', redeemed: false } },
    ]);
  });

  it('that the bank returns notifies staff, and the code stays dead', async () => {
    const gifts = await openGifts();
    const buyer = await gifts.person();
    const id = await gifts.bought(buyer);
    await gifts.billing.gifts.refund(buyer, { id });
    await gifts.venue.control('refunds/fail', {});
    await gifts.venue.delivered();
    expect((await gifts.row(id))?.status).toBe('kept');
    expect(await gifts.venue.db.select().from(staff_notice)).toMatchObject([
      { facts: { why: 'not_refunded' } },
    ]);
  });
});

describe('the buyer’s account is deleted', () => {
  it('an open page is closed, and a paid gift stays with its recipient', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const id = await gifts.bought(buyer);
    const code = await gifts.code(buyer, id);
    const open = await gifts.order(buyer);
    const canceled = await billing.cancelEverything(buyer);
    expect(await venue.pay(open.url)).toBe(410);
    expect(await venue.db.transaction((tx) => billing.closeBillingRows(tx, buyer, canceled))).toBe(true);
    await venue.db
      .update(gift_membership)
      .set({ buyer_id: null, from_name: null })
      .where(eq(gift_membership.id, id));
    await billing.gifts.redeem(friend, { code });
    // Payments of a redeemed gift are still followed.
    await venue.control('disputes', { payment_intent: (await gifts.row(id))?.stripe_payment_intent_id });
    await venue.delivered();
    expect(await gifts.row(id)).toMatchObject({ status: 'redeemed', disputed: true });
  });

  it('an earlier state of its payment never replaces a later one', async () => {
    const gifts = await openGifts();
    const { venue, billing } = gifts;
    const buyer = await gifts.person();
    const id = await gifts.bought(buyer);
    await billing.cancelEverything(buyer);
    await venue.db.update(gift_membership).set({ buyer_id: null, from_name: null });
    await venue.db.delete(billing_customer).where(eq(billing_customer.user_id, buyer));
    const payment_intent = (await gifts.row(id))?.stripe_payment_intent_id ?? '';
    await venue.webhooks('hold');
    await venue.stripe.refunds.create({ payment_intent, amount: 1000 });
    const late = venue.anotherProcess({
      stripe: interleaved(venue.stripe, 'charges', 'list', async (request) => {
        const earlier = await request();
        await venue.stripe.refunds.create({ payment_intent });
        venue.clock.advance({ minutes: 6 });
        await billing.sweep();
        expect(await gifts.row(id)).toMatchObject({ status: 'refunded' });
        return earlier;
      }),
    });
    venue.serveWith(late);
    await venue.release('charge.refunded');
    // The event is refused, and sent again.
    expect(venue.responses.slice(-2)).toEqual([503, 200]);
    expect(await gifts.row(id)).toMatchObject({ status: 'refunded', refunded_cents: 11_700 });
    expect(await venue.db.select().from(staff_notice)).toEqual([]);
  });
});

describe('an event about a gift that could not be processed is processed by the sweeper', () => {
  const openFailed = async (before: (gifts: GiftVenue, buyer: string) => Promise<unknown>) => {
    const gifts = await openGifts();
    const { venue } = gifts;
    const buyer = await gifts.person();
    const id = await gifts.bought(buyer);
    await before(gifts, buyer);
    await venue.delivered();
    await venue.webhooks('hold');
    const payment_intent = (await gifts.row(id))?.stripe_payment_intent_id ?? '';
    await venue.stripe.refunds.create({ payment_intent });
    const broken = breakable(venue.db);
    broken.failTransactions(true);
    venue.serveWith(venue.anotherProcess({ db: broken.db }));
    await venue.release('charge.refunded');
    expect(venue.responses.at(-1)).toBe(503);
    await venue.webhooks('drop');
    await venue.advance({ minutes: 6 });
    return { gifts, id };
  };

  it('after its buyer has deleted their account', async () => {
    const { gifts, id } = await openFailed(async ({ billing, venue: { db } }, buyer) => {
      await billing.cancelEverything(buyer);
      await db.update(gift_membership).set({ buyer_id: null, from_name: null });
      await db.delete(billing_customer).where(eq(billing_customer.user_id, buyer));
    });
    await gifts.billing.sweep();
    expect(await gifts.row(id)).toMatchObject({ status: 'refunded', refunded_cents: 11_700 });
  });

  it.each(['sweep', 'replay'] as const)('after its buyer got another customer at Stripe (%s)', async (by) => {
    const { gifts, id } = await openFailed(async ({ venue: { db, stripe } }, buyer) => {
      const { id: stripe_customer_id } = await stripe.customers.create({});
      await db
        .update(billing_customer)
        .set({ stripe_customer_id })
        .where(eq(billing_customer.user_id, buyer));
    });
    // A replay by hand goes by customers, and leaves this event to the sweeper.
    if (by === 'replay') for await (const _ of gifts.billing.replayEvents(null));
    await gifts.billing.sweep();
    expect(await gifts.row(id)).toMatchObject({ status: 'refunded', refunded_cents: 11_700 });
  });
});

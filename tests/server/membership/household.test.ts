import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Household } from '../../../src/contract/sharing/household.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { customers, household_seat, memberships, profiles } from '../../../src/server/db/schema.ts';
import { tellOfEndedSeats } from '../../../src/server/membership/household/seats.ts';
import { brokenInvariants } from '../../../torture/invariants.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import {
  acceptShare,
  confirmedCustomer,
  householdLink,
  shareWith,
} from '../../support/fixtures/household.ts';
import { type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(async () => {
  expect(
    await brokenInvariants((text) => rowsOf(app.services.db, sql.raw(text)), app.services.venue.time_zone),
  ).toEqual([]);
  await app.close();
});

const own = ({ caller }: Pick<Member, 'caller'>) =>
  caller.must<{
    customer: { status: string; tier: string; pours_balance: number; total_pours_lifetime: number };
    pours: { available_pours: number; pours_used: number };
    household: { role: string; first_name: string; ends_at: string | null } | null;
    has_free_seat: boolean;
    former_household: { ended_by: string; first_name: string | null } | null;
  }>('GET', '/api/customers/own');
const household = ({ caller }: Pick<Member, 'caller'>) => caller.must<Household>('GET', '/api/household');
const emailOf = async (caller: Caller) =>
  (await caller.must<{ user: { email: string } }>('GET', '/api/session')).user.email;
/** Access ends with the last day, before the sweeper ends the membership. */
const setEnd = ({ customer_id }: Member, ends_on: string) =>
  app.services.db.update(memberships).set({ ends_on }).where(eq(memberships.customer_id, customer_id));
const twoOfThem = async (): Promise<[Member, Member]> => {
  const holder = await venueMember(app, staff, 'household');
  return [holder, await shareWith(app, holder)];
};

describe('sharing', () => {
  it('gives two members one pool, and each their own card and history', async () => {
    const [holder, partner] = await twoOfThem();
    expect((await pour(staff, holder.customer_id, { quantity: 3 })).body.pours_balance).toBe(17);
    expect((await pour(staff, partner.customer_id, { quantity: 2 })).body.pours_balance).toBe(15);
    for (const member of [holder, partner]) {
      const { pours, customer } = await own(member);
      expect(customer).toMatchObject({ status: 'active', tier: 'household', pours_balance: 15 });
      expect(pours).toMatchObject({ available_pours: 15, pours_used: 5 });
    }
    expect((await own(partner)).customer.total_pours_lifetime).toBe(2);
    expect(await partner.caller.must('GET', '/api/pours/own')).toMatchObject([{ quantity: 2 }]);
    expect(await holder.caller.must('GET', '/api/pours/own')).toMatchObject([{ quantity: 3 }]);
    const code = await partner.caller.must<{ token: string }>('POST', '/api/functions/generate-qr-token', {});
    const verified = await staff.must('POST', '/api/functions/verify-qr-token', { token: code.token });
    expect(verified).toMatchObject({ valid: true, customer: { id: partner.customer_id, pours_balance: 15 } });
  });

  it('shows both who poured what, and staff who shares with whom', async () => {
    const [holder, partner] = await twoOfThem();
    const { id } = (await pour(staff, holder.customer_id)).body.pour as { id: string };
    await pour(staff, partner.customer_id, { quantity: 2 });
    const voided = (await pour(staff, partner.customer_id)).body.pour as { id: string };
    await staff.must('POST', `/api/pours/${voided.id}/void`, {});
    expect((await household(holder)).pours.map(({ who, quantity }) => [who, quantity])).toEqual(
      expect.arrayContaining([
        ['other', 2],
        ['you', 1],
      ]),
    );
    const seen = await household(partner);
    expect(seen).toMatchObject({ role: 'partner', other: { first_name: 'Ada' }, invitation: null });
    expect(seen.pours.find((it) => it.id === id)?.who).toBe('other');
    expect(seen.pours).toHaveLength(2);
    expect(JSON.stringify(seen)).not.toMatch(/guest\d+@|T-1|4242/);
    const bar = await staff.must('GET', `/api/customers/${partner.customer_id}/bar`);
    expect(bar).toMatchObject({
      household: { role: 'partner', with: expect.stringContaining('Ada') },
      standing: 'venue',
    });
  });

  it('shows a partner what was had since they joined; the holder sees the whole period', async () => {
    const holder = await venueMember(app, staff, 'household');
    await pour(staff, holder.customer_id, { quantity: 4 });
    const former = await shareWith(app, holder);
    await pour(staff, former.customer_id, { quantity: 3 });
    await holder.caller.must('DELETE', '/api/household');
    app.clock.advance({ minutes: 1 });
    const partner = await shareWith(app, holder);
    await pour(staff, partner.customer_id, { quantity: 2 });
    app.clock.advance({ minutes: 1 });
    await pour(staff, holder.customer_id);
    const seenBy = async (member: Member) =>
      (await household(member)).pours.map(({ who, quantity }) => [who, quantity]);
    expect(await seenBy(partner)).toEqual([
      ['other', 1],
      ['you', 2],
    ]);
    const all = await seenBy(holder);
    expect(all.slice(0, 2)).toEqual([
      ['you', 1],
      ['other', 2],
    ]);
    expect(new Set(all.slice(2).map(String))).toEqual(new Set(['former,3', 'you,4']));
  });

  it('adds glasses that staff give to either to the pool of both', async () => {
    const [holder, partner] = await twoOfThem();
    const gift = { request_id: app.services.newId(), kind: 'comp', glasses: 2, reason: 'A long wait' };
    await staff.must('POST', `/api/customers/${partner.customer_id}/glasses`, gift);
    expect((await own(holder)).pours.available_pours).toBe(22);
  });

  it('gives a voided glass back to the pool', async () => {
    const [holder, partner] = await twoOfThem();
    const { id } = (await pour(staff, partner.customer_id)).body.pour as { id: string };
    expect(await staff.must('POST', `/api/pours/${id}/void`, {})).toMatchObject({ pours_balance: 20 });
    expect((await own(holder)).pours.available_pours).toBe(20);
  });
});

describe('the second place of a tier for two', () => {
  it('is free until someone shares the membership', async () => {
    const holder = await venueMember(app, staff, 'household');
    expect((await own(holder)).has_free_seat).toBe(true);
    const partner = await shareWith(app, holder);
    for (const member of [holder, partner]) expect((await own(member)).has_free_seat).toBe(false);
    expect((await own(await venueMember(app, staff, 'premier'))).has_free_seat).toBe(false);
  });
});

describe('an invitation', () => {
  it('is emailed, confirms the email of whoever accepts it, and works once', async () => {
    const holder = await venueMember(app, staff, 'household');
    const partner = await app.customer({ first_name: 'Cleo' });
    const email = await emailOf(partner);
    const made = await holder.caller.must('PUT', '/api/household/invitation', { email });
    expect(made).toMatchObject({ url: null, invitation: { email } });
    const token = tokenIn(await mailTo(app, email), '/share#');
    const read = await app.visitor().must('POST', '/api/household-invitations/read', { token });
    expect(read).toMatchObject({
      holder_first_name: 'Ada',
      consent: { text: expect.stringContaining('21') },
    });
    expect((await acceptShare(app, partner, token)).status).toBe(200);
    const again = await acceptShare(app, await confirmedCustomer(app), token);
    expect(again.body.code).toBe('LINK_INVALID');
    expect((await mailTo(app, await emailOf(holder.caller)))?.subject).toContain('Cleo now shares');
  });

  it('shown as a link needs an account whose email is confirmed', async () => {
    const holder = await venueMember(app, staff, 'household');
    const token = await householdLink(holder.caller);
    const refused = await acceptShare(app, await app.customer(), token);
    expect(refused.body).toMatchObject({
      code: 'HOUSEHOLD_REFUSED',
      data: { reason: 'email_not_confirmed' },
    });
    expect((await acceptShare(app, await confirmedCustomer(app), token)).status).toBe(200);
  });

  it('emailed to someone else confirms no email of whoever follows it', async () => {
    const holder = await venueMember(app, staff, 'household');
    const email = 'cleo@example.test';
    await holder.caller.must('PUT', '/api/household/invitation', { email });
    const token = tokenIn(await mailTo(app, email), '/share#');
    const other = await app.customer();
    const refused = await acceptShare(app, other, token);
    expect(refused.body).toMatchObject({
      code: 'HOUSEHOLD_REFUSED',
      data: { reason: 'email_not_confirmed' },
    });
    const { user } = await other.must<{ user: { email_verified: boolean } }>('GET', '/api/session');
    expect(user.email_verified).toBe(false);
    expect((await acceptShare(app, await confirmedCustomer(app), token)).status).toBe(200);
  });

  it('cannot be accepted without consent to the words beside the button', async () => {
    const holder = await venueMember(app, staff, 'household');
    const token = await householdLink(holder.caller);
    const partner = await confirmedCustomer(app);
    const refused = await partner.call('POST', '/api/household-invitations/accept', { token });
    expect(refused.body.code).toBe('CONSENT_OUTDATED');
    await acceptShare(app, partner, token);
    const stored = await rowsOf<{ text: string }>(
      app.services.db,
      sql`select text from consent where user_id = ${partner.id} and what = 'household'`,
    );
    expect(stored).toMatchObject([{ text: expect.stringContaining('By joining') }]);
  });

  it('ends after seven days, when another is made, or when it is withdrawn', async () => {
    const holder = await venueMember(app, staff, 'household');
    const partner = await confirmedCustomer(app);
    const first = await householdLink(holder.caller);
    const second = await householdLink(holder.caller);
    expect((await acceptShare(app, partner, first)).body.code).toBe('LINK_INVALID');
    await holder.caller.must('DELETE', '/api/household/invitation');
    expect((await acceptShare(app, partner, second)).body.code).toBe('LINK_INVALID');
    const third = await householdLink(holder.caller);
    await app.services.db.execute(
      sql`update household_invitation set expires_at = ${app.clock.now().toISOString()} where holder_id = ${holder.customer_id}`,
    );
    expect((await acceptShare(app, partner, third)).body.code).toBe('LINK_EXPIRED');
  });

  it('is refused with a reason where it cannot be made or accepted', async () => {
    const reason = async (caller: Caller) =>
      (await caller.call('PUT', '/api/household/invitation', {})).body.data as object;
    expect(await reason((await venueMember(app, staff, 'select')).caller)).toEqual({
      reason: 'tier_for_one',
    });
    expect(await reason(await app.customer())).toEqual({ reason: 'no_access' });
    const [holder, partner] = await twoOfThem();
    expect(await reason(holder.caller)).toEqual({ reason: 'full' });
    expect(await reason(partner.caller)).toEqual({ reason: 'no_access' });
    const lapsed = await venueMember(app, staff, 'household');
    await setEnd(lapsed, '2020-01-01');
    expect(await reason(lapsed.caller)).toEqual({ reason: 'no_access' });
    const other = await venueMember(app, staff, 'household');
    const token = await householdLink(other.caller);
    const why = async (caller: Caller) => (await acceptShare(app, caller, token)).body.data;
    expect(await why(other.caller)).toEqual({ reason: 'own_invitation' });
    expect(await why(partner.caller)).toEqual({ reason: 'shares_already' });
    expect(await why((await venueMember(app, staff, 'select')).caller)).toEqual({ reason: 'own_membership' });
  });
});

describe('sharing ends', () => {
  const expectOut = async (partner: Member) => {
    expect((await own(partner)).customer).toMatchObject({ status: 'inactive', pours_balance: 0 });
    expect((await pour(staff, partner.customer_id)).body.code).toBe('CUSTOMER_NOT_ACTIVE');
    const card = await partner.caller.call('POST', '/api/functions/generate-qr-token', {});
    expect(card.body.code).toBe('CUSTOMER_NOT_ACTIVE');
  };

  it.each(['holder', 'partner'] as const)(
    'at once when the %s ends it, and the history stays',
    async (who) => {
      const [holder, partner] = await twoOfThem();
      await pour(staff, partner.customer_id);
      await (who === 'holder' ? holder : partner).caller.must('DELETE', '/api/household');
      await expectOut(partner);
      expect(await partner.caller.must('GET', '/api/pours/own')).toHaveLength(1);
      // Poured glasses stay poured.
      expect((await own(holder)).pours).toMatchObject({ available_pours: 19, pours_used: 1 });
      const mail = await mailTo(app, await emailOf((who === 'holder' ? partner : holder).caller));
      expect(mail?.subject).toContain('You no longer share');
      expect((await holder.caller.call('DELETE', '/api/household')).status).toBe(404);
      expect((await own(partner)).former_household).toEqual({ ended_by: who, first_name: 'Ada' });
      expect((await own(holder)).former_household).toBeNull();
    },
  );

  it('with a change to a tier for one, and both are notified', async () => {
    const [holder, partner] = await twoOfThem();
    const { db } = app.services;
    await db.transaction(async (tx) => {
      await tx.update(customers).set({ tier: 'select' }).where(eq(customers.id, holder.customer_id));
      await tx
        .update(memberships)
        .set({ tier: 'select' })
        .where(eq(memberships.customer_id, holder.customer_id));
    });
    await expectOut(partner);
    expect((await own(partner)).former_household).toEqual({ ended_by: 'tier', first_name: 'Ada' });
    expect(await tellOfEndedSeats(app.services)).toBe(1);
    expect(await tellOfEndedSeats(app.services)).toBe(0);
    for (const { caller } of [holder, partner]) {
      expect((await mailTo(app, await emailOf(caller)))?.text).toContain('tier is now for one person');
    }
  });

  it('when the partner gets a membership of their own', async () => {
    const [holder, partner] = await twoOfThem();
    const { db } = app.services;
    await db.transaction(async (tx) => {
      await tx
        .update(customers)
        .set({ tier: 'select', status: 'active' })
        .where(eq(customers.id, partner.customer_id));
      await tx.insert(memberships).values({
        id: app.services.newId(),
        customer_id: partner.customer_id,
        tier: 'select',
        start_date: '2026-06-15',
        status: 'active',
        monthly_price_cents: 3900,
      });
    });
    expect(await own(partner)).toMatchObject({
      customer: { status: 'active', tier: 'select', pours_balance: 4 },
      household: null,
    });
    expect((await household(holder)).other).toBeNull();
    await db.transaction(async (tx) => {
      await tx.update(customers).set({ status: 'inactive' }).where(eq(customers.id, partner.customer_id));
      await tx
        .update(memberships)
        .set({ status: 'ended', end_date: '2026-06-15' })
        .where(eq(memberships.customer_id, partner.customer_id));
    });
    // What ended last is their own membership.
    expect((await own(partner)).former_household).toBeNull();
  });

  it('when a membership of the partner’s own, which had ended, is paid late', async () => {
    const former = await venueMember(app, staff);
    const own_membership = eq(memberships.customer_id, former.customer_id);
    const { db } = app.services;
    const end = (status: 'active' | 'ended', end_date: string | null) =>
      db.transaction(async (tx) => {
        await tx
          .update(customers)
          .set({ status: status === 'active' ? 'active' : 'inactive', tier: 'select' })
          .where(eq(customers.id, former.customer_id));
        await tx.update(memberships).set({ status, end_date }).where(own_membership);
      });
    await end('ended', '2026-06-15');
    await db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, former.caller.id));
    const holder = await venueMember(app, staff, 'household');
    expect((await acceptShare(app, former.caller, await householdLink(holder.caller))).status).toBe(200);
    expect((await own(former)).pours.available_pours).toBe(20);
    await end('active', null);
    expect(await own(former)).toMatchObject({
      household: null,
      customer: { status: 'active', tier: 'select' },
    });
    expect((await household(holder)).other).toBeNull();
    // The former partner drinks what they pay for, and the holder's glasses stay.
    expect((await pour(staff, former.customer_id)).status).toBe(201);
    expect((await own(former)).pours.available_pours).toBe(3);
    expect((await own(holder)).pours.available_pours).toBe(20);
  });

  it.each(['holder', 'partner'] as const)('when the account of the %s is deleted', async (who) => {
    const [holder, partner] = await twoOfThem();
    await pour(staff, partner.customer_id);
    const [gone, left] = who === 'holder' ? [holder, partner] : [partner, holder];
    await gone.caller.must('POST', '/api/privacy/delete-account', {
      password: PASSWORD,
      confirmation: 'DELETE',
    });
    const [seat] = await app.services.db
      .select()
      .from(household_seat)
      .where(eq(household_seat.holder_id, holder.customer_id));
    expect(seat?.ended_by).toBe('account');
    if (who === 'holder') {
      await expectOut(left);
      expect((await own(left)).former_household).toEqual({ ended_by: 'account', first_name: null });
    } else expect((await own(left)).pours).toMatchObject({ available_pours: 19 });
  });
});

describe('the partner has the holder’s standing', () => {
  it('when the membership has ended, and when it is active again', async () => {
    const [holder, partner] = await twoOfThem();
    const { db } = app.services;
    const set = (status: 'active' | 'inactive') =>
      db.transaction(async (tx) => {
        await tx.update(customers).set({ status }).where(eq(customers.id, holder.customer_id));
        await tx
          .update(memberships)
          .set(status === 'active' ? { status, end_date: null } : { status: 'ended', end_date: '2026-06-15' })
          .where(eq(memberships.customer_id, holder.customer_id));
      });
    await set('inactive');
    expect((await own(partner)).customer).toMatchObject({ status: 'inactive', pours_balance: 0 });
    await set('active');
    expect((await own(partner)).customer).toMatchObject({ status: 'active', pours_balance: 20 });
  });
});

it('a tier for two that members have cannot become one for a single person', async () => {
  await twoOfThem();
  const refused = await (await withMoney()).call('PATCH', '/api/tier-settings/household', { people: 1 });
  expect(refused.body).toMatchObject({ code: 'TIER_SETTING_REFUSED', data: { reason: 'members_have_it' } });
  const odd = await (await withMoney()).call('PATCH', '/api/tier-settings/select', { people: 3 });
  expect(odd.body).toMatchObject({ data: { reason: 'people_not_allowed' } });
});

const withMoney = async () => staff;

import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { Tx } from '../../src/server/db/client.ts';
import {
  accounts,
  customers,
  email_change,
  membership_applications,
  profiles,
  tier_definitions,
  two_factors,
  user_roles,
  webhook_endpoint,
} from '../../src/server/db/schema.ts';
import { lockPerson } from '../../src/server/membership/record/locks.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { mailTo, tokenIn } from '../support/fixtures/emails.ts';
import { acceptShare, confirmedCustomer, householdLink } from '../support/fixtures/household.ts';
import { applied, RATINGS, venueMember } from '../support/fixtures/members.ts';
import { createFactor, enrollFactor, sendCode } from '../support/fixtures/second-factor.ts';
import { PASSWORD } from '../support/harness/app.ts';
import type { Caller } from '../support/harness/caller.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

// Calls, each with the transaction that it once failed beside.

const { app, staff } = await openRaceApp();

const approve = (id: string) =>
  staff.call('POST', `/api/applications/${id}/approve`, { toast_reference_number: 'T-1' });

type Work = (tx: Tx) => PromiseLike<unknown>;

/** Starts a call in the middle of a transaction, which goes on once the call waits for it. */
async function meanwhile<T>(before: Work, call: () => Promise<T>, after: Work = async () => undefined) {
  const { db } = app.services;
  // Wrapped in an object, so that the transaction does not wait for the call.
  const { answer } = await db.transaction(async (tx) => {
    await before(tx);
    const answer = call();
    await untilBlocked(db);
    await after(tx);
    return { answer };
  });
  return answer;
}

const lockProfile = (tx: Tx, { id }: Caller, strength: 'key share' | 'update') =>
  tx.select().from(profiles).where(eq(profiles.id, id)).for(strength);

it('staff approve someone who is accepting a household invitation', async () => {
  const applicant = await app.customer();
  const id = await applied(applicant);
  const { newId, now } = app.services;
  const { status } = await meanwhile(
    (tx) =>
      tx.insert(customers).values({
        id: newId(),
        user_id: applicant.id,
        tier: 'select',
        status: 'inactive',
        member_since: '2026-01-01',
        created_at: now(),
      }),
    () => approve(id),
  );
  expect(status).toBe(200);
});

it('a holder who follows the link of another holder is refused without a lock', async () => {
  const [one, other] = [
    await venueMember(app, staff, 'household'),
    await venueMember(app, staff, 'household'),
  ];
  const token = await householdLink(other.caller);
  await app.services.db.transaction(async (tx) => {
    for (const { customer_id } of [one, other]) {
      await tx.select().from(customers).where(eq(customers.id, customer_id)).for('update');
    }
    const { body } = await acceptShare(app, one.caller, token);
    expect(body).toMatchObject({ code: 'HOUSEHOLD_REFUSED', data: { reason: 'own_membership' } });
  });
});

it('two tabs that start a second factor at once get one each, and the later counts', async () => {
  const caller = await confirmedCustomer(app);
  const { id } = await meanwhile(
    (tx) =>
      tx
        .insert(two_factors)
        .values({ id: app.services.newId(), userId: caller.id, secret: 'x', backupCodes: 'x' }),
    () => createFactor(caller, PASSWORD),
  );
  const stored = await app.services.db.select().from(two_factors).where(eq(two_factors.userId, caller.id));
  expect(stored.map((it) => it.id)).toEqual([id]);
});

it('wrong codes sent at once all count toward the lock', async () => {
  const email = 'codes-at-once@example.test';
  const caller = await app.customer({ email });
  await enrollFactor(caller, PASSWORD);
  const { db } = app.services;
  const own = eq(two_factors.userId, caller.id);
  const tries = await Promise.all(
    [1, 2].map(async () => {
      const visitor = app.visitor();
      await visitor.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
      return visitor;
    }),
  );
  const { codes } = await db.transaction(async (tx) => {
    await tx.select().from(two_factors).where(own).for('update');
    const codes = tries.map((visitor) => sendCode(visitor, '000000'));
    await untilBlocked(db, 2);
    return { codes };
  });
  for (const { status } of await Promise.all(codes)) expect(status).toBe(401);
  expect(await db.select().from(two_factors).where(own)).toMatchObject([{ failedVerificationCount: 2 }]);
});

it('a change of the password beside a deletion of the account waits before it locks the account', async () => {
  const caller = await app.customer();
  const { status } = await meanwhile(
    (tx) => lockProfile(tx, caller, 'update'),
    () =>
      caller.call('POST', '/api/auth/change-password', {
        current_password: PASSWORD,
        password: 'another good horse',
      }),
    (tx) => tx.select().from(accounts).where(eq(accounts.userId, caller.id)).for('update'),
  );
  expect(status).toBe(200);
});

it('a change of the name beside a change of the membership lets the email about it be stored', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  const { status } = await meanwhile(
    (tx) => tx.update(customers).set({ tier: 'elite' }).where(eq(customers.id, customer_id)),
    () => caller.call('PATCH', '/api/profile', { first_name: 'Ida' }),
    (tx) => lockProfile(tx, caller, 'key share'),
  );
  expect(status).toBe(200);
});

it('a change of the email beside the end of the membership lets the email about it be stored', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  const path = `/api/customers/${customer_id}`;
  const { version } = await staff.must<{ version: string }>('GET', `${path}/account`);
  const { status } = await meanwhile(
    (tx) => tx.update(customers).set({ status: 'inactive' }).where(eq(customers.id, customer_id)),
    () => staff.call('POST', `${path}/email`, { version, email: 'ida@guest.example' }),
    (tx) => lockProfile(tx, caller, 'key share'),
  );
  expect(status).toBe(200);
});

it('a first step saved while someone is signed up at the bar waits for the sign-up', async () => {
  const caller = await app.customer();
  const { db, newId, now } = app.services;
  const preferences = RATINGS;
  const { body } = await meanwhile(
    (tx) => lockPerson(tx, caller.id, 'no key update', { only: ['applications', 'profile'] }),
    () => caller.call('PUT', '/api/applications/own', { preferences, current_step: 1, is_complete: false }),
    (tx) =>
      tx.insert(membership_applications).values({
        ...{ id: newId(), user_id: caller.id, status: 'pending', is_complete: true, current_step: 2 },
        ...{ selected_tier: 'elite', created_at: now(), updated_at: now() },
      }),
  );
  const own = eq(membership_applications.user_id, caller.id);
  const stored = await db.select().from(membership_applications).where(own);
  expect(stored.map((it) => it.id)).toEqual([body.id]);
});

it('a PIN set while the role ends is refused', async () => {
  const bartender = await app.staff();
  const { body } = await meanwhile(
    (tx) => tx.update(user_roles).set({ role: 'customer' }).where(eq(user_roles.user_id, bartender.id)),
    () => bartender.call('PUT', '/api/staff-pin', { pin: '8042', password: PASSWORD }),
  );
  expect(body.code).toBe('NOT_ALLOWED');
});

it('a link to a new email does nothing once a password reset has ended it', async () => {
  const caller = await app.customer();
  const email = 'moved@guest.example';
  await caller.must('POST', '/api/auth/email-change', { email, password: PASSWORD });
  const token = tokenIn(await mailTo(app, email), '/change-email#');
  const { body } = await meanwhile(
    (tx) => lockProfile(tx, caller, 'update'),
    () => app.visitor().call('POST', '/api/auth/email-change/confirm', { token }),
    (tx) => tx.delete(email_change).where(eq(email_change.user_id, caller.id)),
  );
  expect(body.code).toBe('LINK_INVALID');
});

it('staff recommend a tier without waiting for payments, which refer to it', async () => {
  await app.services.db.transaction(async (tx) => {
    await tx.select().from(tier_definitions).for('key share');
    expect((await staff.call('PUT', '/api/recommended-tier', { tier_name: 'select' })).status).toBe(200);
  });
});

it('two changes of all tiers wait for each other at the first tier', async () => {
  const all = await app.services.db.select().from(tier_definitions).orderBy(tier_definitions.tier_name);
  const tiers = all.map((it) => it.tier_name);
  const last = tiers.at(-1) ?? '';
  const { status } = await meanwhile(
    (tx) =>
      tx
        .update(tier_definitions)
        .set({ sort_order: 1 })
        .where(eq(tier_definitions.tier_name, tiers[0] ?? '')),
    () => staff.call('PUT', '/api/tier-order', { tiers: [last] }),
    (tx) => tx.update(tier_definitions).set({ sort_order: 1 }),
  );
  expect(status).toBe(200);
});

it('a test message to an endpoint that is being removed is refused', async () => {
  const { db, newId, now } = app.services;
  const id = newId();
  const url = 'https://till.example/';
  await db
    .insert(webhook_endpoint)
    .values({ id, url, description: '', events: [], secret: 'x', created_at: now() });
  const { body } = await meanwhile(
    (tx) => tx.delete(webhook_endpoint).where(eq(webhook_endpoint.id, id)),
    () => staff.call('POST', `/api/webhooks/${id}/test`, {}),
  );
  expect(body.code).toBe('NOT_FOUND');
});

it('signing in to an account that is being deleted is refused', async () => {
  const caller = await app.customer();
  const { user } = await caller.must<{ user: { email: string } }>('GET', '/api/session');
  const { body } = await meanwhile(
    (tx) => tx.execute(sql`lock table known_devices in exclusive mode`),
    () => app.visitor().call('POST', '/api/auth/sign-in', { email: user.email, password: PASSWORD }),
    (tx) => tx.delete(profiles).where(eq(profiles.id, caller.id)),
  );
  expect(body.code).toBe('NOT_SIGNED_IN');
});

it('starting a second factor of an account that is being deleted is refused', async () => {
  const caller = await confirmedCustomer(app);
  const { body } = await meanwhile(
    (tx) => tx.execute(sql`lock table two_factors in exclusive mode`),
    () => caller.call('POST', '/api/auth/factors', { password: PASSWORD }),
    (tx) => tx.delete(profiles).where(eq(profiles.id, caller.id)),
  );
  expect(body.code).toBe('NOT_SIGNED_IN');
});

import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { sweep } from '../../src/server/billing/upkeep/sweeper.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import {
  billing_customer,
  checkout_attempt,
  customers,
  membership_applications,
  profiles,
} from '../../src/server/db/schema.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { applied, cardMember, pour, RATINGS, venueMember } from '../support/fixtures/members.ts';
import { PASSWORD } from '../support/harness/app.ts';
import { Caller } from '../support/harness/caller.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

const PATH = '/api/privacy/delete-account';
const SURVEY = { preferences: RATINGS, selected_tier: 'premier', current_step: 2, is_complete: true };
const YES = { password: PASSWORD, confirmation: 'DELETE' };

const { app, staff } = await openRaceApp();

/** Another browser with the same session. */
function sameSession(caller: Caller): Caller {
  const same = new Caller(app.url, app.url);
  for (const [name, value] of caller.jar) same.jar.set(name, value);
  return same;
}

async function expectNothingLeft(userId: string): Promise<void> {
  const { db } = app.services;
  const left = await Promise.all([
    db.select().from(billing_customer).where(eq(billing_customer.user_id, userId)),
    db.select().from(checkout_attempt).where(eq(checkout_attempt.user_id, userId)),
    db.select().from(membership_applications).where(eq(membership_applications.user_id, userId)),
  ]);
  expect(left).toEqual([[], [], []]);
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, userId));
  expect(profile?.first_name ?? 'Former').toBe('Former');
  const [customer] = await db.select().from(customers).where(eq(customers.user_id, userId));
  expect(customer?.status ?? 'inactive').toBe('inactive');
}

/** The user has no open payment page and no subscription that is not canceled. */
async function expectNothingChargeable(userId: string): Promise<void> {
  const answer = await fetch(`${app.sandbox.url}/_sandbox/state`);
  const { sessions, subscriptions } = (await answer.json()) as {
    sessions: Record<string, { client_reference_id: string; status: string }>;
    subscriptions: Record<string, { metadata: { user_id?: string }; status: string }>;
  };
  const open = Object.values(sessions).filter(
    (it) => it.client_reference_id === userId && it.status === 'open',
  );
  const active = Object.values(subscriptions).filter(
    (it) => it.metadata.user_id === userId && it.status !== 'canceled',
  );
  expect([open, active]).toEqual([[], []]);
}

it.each([1, 2, 3, 4])(
  'round %i: an account deleted while other calls run leaves no data and nothing to pay',
  async () => {
    const caller = await app.customer();
    const applicationId = await applied(caller);
    const screens = Array.from({ length: 5 }, () => sameSession(caller));
    const checkout = (screen: Caller, tierName: string) =>
      screen.call('POST', '/api/functions/create-checkout', { tierName, applicationId });
    const [removed, ...others] = await Promise.all([
      caller.call('POST', PATH, YES),
      checkout(screens[0]!, 'select'),
      checkout(screens[1]!, 'elite'),
      screens[2]!.call('PUT', '/api/applications/own', SURVEY),
      screens[3]!.call('PATCH', '/api/profile', { first_name: 'Again' }),
      staff.call('POST', `/api/applications/${applicationId}/approve`, { toast_reference_number: 'T-1' }),
    ]);
    // Deletion gives up, with nothing deleted, when a payment page is opened again and again meanwhile. Then ask once more.
    if (removed.status !== 200) {
      expect(removed.body.code).toBe('PAYMENTS_UNAVAILABLE');
      await caller.must('POST', PATH, YES);
    }
    expect(others.length).toBe(5);
    await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
    await expectNothingLeft(caller.id);
    await expectNothingChargeable(caller.id);
  },
);

/** Calls that lock the application and the profile. */
const locking = {
  'a payment page': (caller: Caller, applicationId: string) =>
    caller.call('POST', '/api/functions/create-checkout', { tierName: 'select', applicationId }),
  'a sign-up at the bar': (caller: Caller) =>
    staff.call('POST', '/api/bar-sign-ups', {
      person: { user_id: caller.id },
      tier: 'select',
      toast_reference_number: 'T-1',
    }),
  'a saved survey': (caller: Caller) => caller.call('PUT', '/api/applications/own', SURVEY),
};

it.each(['a payment page', 'a sign-up at the bar', 'a saved survey'] as const)(
  'a deletion that has locked the application does not deadlock with %s',
  async (what) => {
    const caller = await app.customer();
    const applicationId = await applied(caller);
    const { db } = app.services;
    const attempt = await db.transaction(async (tx) => {
      const own = eq(membership_applications.user_id, caller.id);
      await tx.select().from(membership_applications).where(own).for('update');
      const asked = locking[what](caller, applicationId);
      await untilBlocked(db);
      await tx.select().from(profiles).where(eq(profiles.id, caller.id)).for('update');
      // Wrapped in an object, so that the transaction does not wait for it.
      return { asked };
    });
    expect((await attempt.asked).status).toBeLessThan(300);
  },
);

it('a deletion that Postgres ends for a deadlock is made again', async () => {
  const caller = await app.customer();
  await applied(caller);
  const { db } = app.services;
  // Chance decides which transaction a deadlock ends. A sequence continues when a transaction is undone, so only the first
  // delete fails.
  await db.execute(sql`create sequence deadlocks`);
  await db.execute(sql`create function end_first() returns trigger language plpgsql as $$ begin
    if nextval('deadlocks') = 1 then raise exception using errcode = 'deadlock_detected'; end if;
    return old;
  end $$`);
  await db.execute(sql`create trigger end_first before delete on membership_applications
    for each row execute function end_first()`);
  try {
    await caller.must('POST', PATH, YES);
  } finally {
    await db.execute(sql`drop trigger end_first on membership_applications`);
  }
  expect(await rowsOf(db, sql`select last_value::int as deletes from deadlocks`)).toEqual([{ deletes: 2 }]);
  await expectNothingLeft(caller.id);
});

it('a pour during the deletion is either refused or in the ledger without its notes', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  const [removed, ...answers] = await Promise.all([
    caller.call('POST', PATH, YES),
    ...Array.from({ length: 4 }, () => pour(staff, customer_id, { notes: 'likes it cold' })),
  ]);
  expect(removed.status).toBe(200);
  const poured = answers.filter(({ status }) => status === 201).length;
  const history = await staff.must<{ notes: string | null }[]>('GET', `/api/customers/${customer_id}/pours`);
  expect(history).toHaveLength(poured);
  expect(history.every(({ notes }) => notes === null)).toBe(true);
});

it('reconciling with Stripe during the deletion does not restore the membership', async () => {
  const { caller } = await cardMember(app);
  const screens = Array.from({ length: 6 }, () => sameSession(caller));
  const [removed] = await Promise.all([
    caller.call('POST', PATH, YES),
    ...screens.map((it) => it.call('POST', '/api/functions/verify-subscription-status', {})),
    sweep(app.services.billing),
  ]);
  expect(removed?.status).toBe(200);
  await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
  await sweep(app.services.billing);
  await expectNothingLeft(caller.id);
  await expectNothingChargeable(caller.id);
});

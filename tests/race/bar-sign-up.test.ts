import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { customers, membership_applications, payment_link, profiles } from '../../src/server/db/schema.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

const { app, staff } = await openRaceApp();

const signUp = (person: object, more: object = {}) =>
  staff.call<{ code?: string; user_id: string }>('POST', '/api/bar-sign-ups', {
    person,
    tier: 'select',
    ...more,
  });
const at = new Date();
/** As after the survey's first step. */
const APPLICATION = {
  status: 'pending' as const,
  is_complete: false,
  current_step: 1,
  created_at: at,
  updated_at: at,
};
const sixTimes = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 6 }, work));

it('of many sign-ups of one email at once, one creates the account and the others find it', async () => {
  const email = 'twice@guest.example';
  const answers = await sixTimes(() => signUp({ first_name: 'Mira', last_name: 'Sol', email }));
  expect(answers.map((it) => it.body.code ?? it.status).sort()).toEqual([
    201,
    ...Array(5).fill('PERSON_KNOWN'),
  ]);
  const { db } = app.services;
  expect(await db.$count(profiles, eq(profiles.email, email))).toBe(1);
});

it('of many who start a membership for one person at once, one counts', async () => {
  const { id: user_id } = await app.customer();
  const { db } = app.services;
  const byPhone = await sixTimes(() => signUp({ user_id }));
  expect(new Set(byPhone.map((it) => it.status))).toEqual(new Set([201]));
  expect(await db.$count(membership_applications, eq(membership_applications.user_id, user_id))).toBe(1);
  expect(await db.$count(payment_link, eq(payment_link.user_id, user_id))).toBe(1);
  const atVenue = await sixTimes(() => signUp({ user_id }, { toast_reference_number: 'T-1' }));
  expect(atVenue.map((it) => it.body.code ?? it.status).sort()).toEqual([
    201,
    ...Array(5).fill('ALREADY_MEMBER'),
  ]);
  expect(await db.$count(customers, eq(customers.user_id, user_id))).toBe(1);
});

it('a sign-up that waited while the application was made does not deadlock with the next', async () => {
  const { id: user_id } = await app.customer();
  const { db } = app.services;
  const own = eq(membership_applications.user_id, user_id);
  const asked = await db.transaction(async (tx) => {
    await tx.select().from(profiles).where(eq(profiles.id, user_id)).for('no key update');
    // Finds no application to lock, and waits for the profile.
    const early = signUp({ user_id });
    await untilBlocked(db);
    await db.insert(membership_applications).values({ ...APPLICATION, id: app.services.newId(), user_id });
    // Locks the application, and waits for the profile.
    const late = signUp({ user_id });
    await untilBlocked(db, 2);
    // Wrapped in an object, so that the transaction does not wait for them.
    return { early, late };
  });
  expect([(await asked.early).status, (await asked.late).status]).toEqual([201, 201]);
  expect(await db.$count(membership_applications, own)).toBe(1);
});

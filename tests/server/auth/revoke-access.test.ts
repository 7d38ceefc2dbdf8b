import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { ACCESS, type Access, REVOKED, revokeAccess } from '../../../src/server/auth/revoke-access.ts';
import {
  accounts,
  api_clients,
  bar_device,
  email_change,
  known_devices,
  passkeys,
  push_device,
  sessions,
  staff_pin,
  verifications,
} from '../../../src/server/db/schema.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

/**
 * The accesses that each cause ends. 'pending': trusted devices, sign-ins waiting for their second step, and links to a new
 * password or a new email. The password itself always stays.
 */
const TABLE = `
                          sessions  pending  api_clients  passkeys  linked_accounts  known_devices  push_devices  bar_devices  pin
  password_reset          ends      ends     ends         ends      ends             ends           ends       ends         ends
  password_changed        ends      ends     ends         stays     stays            ends           ends       ends         stays
  email_changed           ends      ends     ends         stays     stays            ends           ends       ends         stays
  signed_out_everywhere   ends      ends     ends         stays     stays            ends           ends       ends         stays
  sessions_ended          ends      stays    stays        stays     stays            stays          ends       stays        stays
  role_removed            ends      stays    ends         stays     stays            stays          ends       ends         ends
  two_factor_reset        ends      ends     stays        stays     stays            stays          ends       stays        stays
  email_taken_over        ends      ends     ends         ends      ends             ends           ends       ends         ends
  account_deleted         ends      ends     ends         ends      ends             ends           ends       ends         ends
`;

const [head = [], ...rows] = TABLE.split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => line.trim().split(/\s+/));

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A user with a password and one access of each kind. */
async function userWithEverything(): Promise<Caller> {
  const caller = await app.customer();
  const { db, newId } = app.services;
  const at = app.clock.now();
  const userId = caller.id;
  await db.insert(verifications).values({
    id: newId(),
    identifier: newId(),
    value: userId,
    expiresAt: new Date(at.getTime() + 60_000),
    createdAt: at,
    updatedAt: at,
  });
  await db.insert(email_change).values({
    user_id: userId,
    new_email: 'new@example.test',
    token_hash: newId(),
    session_id: newId(),
    requested_at: at,
    expires_at: new Date(at.getTime() + 60_000),
  });
  await db
    .insert(api_clients)
    .values({ id: newId(), user_id: userId, name: 'Till', secret_hash: 'hash', created_at: at });
  await db.insert(passkeys).values({
    id: newId(),
    userId,
    name: 'Laptop',
    credentialID: newId(),
    publicKey: 'key',
    counter: 0,
    deviceType: 'singleDevice',
    backedUp: false,
  });
  await db.insert(push_device).values({
    id: newId(),
    user_id: userId,
    // An expired session: its device is remembered all the same.
    session_id: newId(),
    endpoint: `https://push.example.com/${userId}`,
    p256dh: 'key',
    auth: 'secret',
    server_key: 'key',
    created_at: at,
  });
  await db.insert(accounts).values({
    id: newId(),
    userId,
    providerId: 'vineyard',
    accountId: newId(),
    createdAt: at,
    updatedAt: at,
  });
  await db.insert(staff_pin).values({ user_id: userId, pin_hash: 'hash', set_at: at });
  await db.insert(bar_device).values({
    id: newId(),
    name: 'Bar',
    token_hash: newId(),
    idle_minutes: 5,
    opened_by_staff_id: userId,
    opened_at: at,
  });
  return caller;
}

async function pendingOf(id: string): Promise<number> {
  const { db } = app.services;
  const links = await db.$count(email_change, eq(email_change.user_id, id));
  return links + (await db.$count(verifications, eq(verifications.value, id)));
}

/** The number of accesses of each kind; the password does not count as a linked account. */
async function accessOf({ id }: Caller): Promise<Record<Access, number> & { password: number }> {
  const { db } = app.services;
  const own = await db
    .select({ provider: accounts.providerId })
    .from(accounts)
    .where(eq(accounts.userId, id));
  return {
    sessions: await db.$count(sessions, eq(sessions.userId, id)),
    pending: await pendingOf(id),
    api_clients: await db.$count(api_clients, eq(api_clients.user_id, id)),
    passkeys: await db.$count(passkeys, eq(passkeys.userId, id)),
    bar_devices: await db.$count(
      bar_device,
      and(eq(bar_device.opened_by_staff_id, id), isNull(bar_device.ended_at)),
    ),
    pin: await db.$count(staff_pin, eq(staff_pin.user_id, id)),
    linked_accounts: own.filter(({ provider }) => provider !== 'credential').length,
    known_devices: await db.$count(known_devices, eq(known_devices.user_id, id)),
    push_devices: await db.$count(push_device, eq(push_device.user_id, id)),
    password: own.filter(({ provider }) => provider === 'credential').length,
  };
}

it('has a row for every cause, and a column for every kind of access', () => {
  expect(rows.map(([cause]) => cause)).toEqual(Object.keys(REVOKED));
  expect(head).toEqual([...ACCESS]);
});

test.each(rows.map(([cause = '', ...effects]) => ({ cause, effects: effects.join(' ') })))(
  '$cause: $effects',
  async ({ cause, effects }) => {
    const [user, bystander] = [await userWithEverything(), await userWithEverything()];
    const all = {
      sessions: 1,
      pending: 2,
      api_clients: 1,
      passkeys: 1,
      linked_accounts: 1,
      known_devices: 1,
      push_devices: 1,
      bar_devices: 1,
      pin: 1,
      password: 1,
    };
    expect(await accessOf(user)).toEqual(all);
    const revoked = await revokeAccess(app.services.db, {
      user_id: user.id,
      cause: cause as keyof typeof REVOKED,
    });
    const left = Object.fromEntries(
      effects
        .split(' ')
        .map((effect, index) => [ACCESS[index], effect === 'stays' ? all[ACCESS[index]!] : 0]),
    );
    expect(await accessOf(user)).toEqual({ ...left, password: 1 });
    expect(await accessOf(bystander)).toEqual(all);
    for (const access of ['sessions', 'api_clients', 'passkeys'] as const) {
      expect(revoked[access]).toBe(left[access] === 0 ? 1 : 0);
    }
  },
);

it('keeps the session that signs out the others, and its device', async () => {
  const user = await userWithEverything();
  const { db } = app.services;
  const [current] = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, user.id));
  const [device] = await db.select().from(known_devices).where(eq(known_devices.user_id, user.id));
  const input = {
    user_id: user.id,
    cause: 'signed_out_everywhere' as const,
    except: { session: current?.id ?? '', device: device?.device_hash ?? '' },
  };
  expect(await revokeAccess(db, input)).toEqual({ sessions: 0, api_clients: 1, passkeys: 0 });
  expect(await accessOf(user)).toMatchObject({ sessions: 1, pending: 0, api_clients: 0, known_devices: 1 });
});

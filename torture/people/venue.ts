import { v7 } from 'uuid';
import { insertMembers } from '../../bench/parts/members.ts';
import { hashPassword } from '../../src/server/auth/password/hash.ts';
import { addStaff } from '../../src/server/auth/staff-accounts.ts';
import { type Db, openPostgres } from '../../src/server/db/client.ts';
import { eq } from '../../src/server/db/orm.ts';
import {
  accounts,
  membership_applications,
  profiles,
  tier_definitions,
  tier_rollover,
} from '../../src/server/db/schema.ts';

export const PASSWORD = 'torture is a strong word';
export const STAFF = 'bar@torture.test';
/** The lowest cost of Argon2id: hashing is not under test here. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export interface Person {
  user: string;
  email: string;
}

export interface Seeded {
  /** Customer ids of members billed at the venue: with many glasses a month, and with four. */
  thirsty: string[];
  modest: string[];
  /** Users without an application or membership. */
  people: Person[];
  applications: string[];
}

export interface SeedSizes {
  thirsty: number;
  modest: number;
  people?: number;
  applications?: number;
}

/** See `seedVenue`; migrates the empty database at that URL first. */
export async function seedVenueAt(url: string, sizes: SeedSizes): Promise<Seeded> {
  const database = await openPostgres(url);
  try {
    return await seedVenue(database.db, sizes);
  } finally {
    await database.close();
  }
}

export async function seedVenue(db: Db, sizes: SeedSizes): Promise<Seeded> {
  const ctx = { db, now: () => new Date(), newId: () => v7() };
  await addStaff(ctx, STAFF, PASSWORD, CHEAP);
  await db
    .update(tier_definitions)
    .set({ monthly_pours: 400 })
    .where(eq(tier_definitions.tier_name, 'reserve'));
  const rollovers = ['reserve', 'premier', 'household'].map((tier_name) => ({
    tier_name,
    since: new Date(0),
    glasses: 3,
  }));
  await db.insert(tier_rollover).values(rollovers);
  const password = await hashPassword(PASSWORD, CHEAP);
  const venue: Seeded = {
    thirsty: await addMembers(db, sizes.thirsty, 'reserve'),
    modest: await addMembers(db, sizes.modest, 'select'),
    people: await addPeople(db, sizes.people ?? 0, password),
    applications: [],
  };
  const applicants = await addPeople(db, sizes.applications ?? 0, password);
  const at = new Date();
  const rows = applicants.map(({ user }) => ({
    id: v7(),
    user_id: user,
    status: 'pending' as const,
    is_complete: true,
    selected_tier: 'select',
    current_step: 2,
    created_at: at,
    updated_at: at,
  }));
  if (rows.length > 0) await db.insert(membership_applications).values(rows);
  return { ...venue, applications: rows.map(({ id }) => id) };
}

async function addPeople(db: Db, count: number, password: string): Promise<Person[]> {
  const people = Array.from({ length: count }, () => ({ user: v7() })).map(({ user }) => ({
    user,
    email: `${user}@torture.test`,
  }));
  if (count === 0) return people;
  await db.insert(profiles).values(
    people.map(({ user, email }) => ({
      id: user,
      name: 'Ada Guest',
      first_name: 'Ada',
      last_name: 'Guest',
      email,
      emailVerified: true,
    })),
  );
  const at = new Date();
  await db.insert(accounts).values(
    people.map(({ user }) => ({
      id: v7(),
      userId: user,
      accountId: user,
      providerId: 'credential',
      password,
      createdAt: at,
      updatedAt: at,
    })),
  );
  return people;
}

async function addMembers(db: Db, count: number, tier: string): Promise<string[]> {
  const people = await addPeople(db, count, '');
  if (count === 0) return [];
  // In the middle of the month, so that it does not end during a run.
  const since = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
  const users = people.map(({ user }) => user);
  return insertMembers(db, users, { tier, since, cents: 0 });
}

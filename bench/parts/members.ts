import { v7 } from 'uuid';
import { writeLedger } from '../../scripts/demo/write-ledger.ts';
import { CLUB_NUMBER_PRESETS } from '../../src/domain/club/club-settings.ts';
import { DEFAULT_PLACES } from '../../src/domain/club/places.ts';
import type { Db } from '../../src/server/db/client.ts';
import { sql } from '../../src/server/db/orm.ts';
import { customers, memberships, profiles, tier_definitions } from '../../src/server/db/schema.ts';
import type { PourContext } from '../../src/server/pours/pour-context.ts';

const MEMBER_SINCE = '2026-01-31';
const AT_ONCE = 5_000;

/** A bartender, and members with more pours left than a round needs. Returns their ids. */
export async function createMembers(
  db: Db,
  count: number,
  now: Date,
  since = MEMBER_SINCE,
): Promise<{ staff: string; members: string[] }> {
  const staff = v7();
  const members: string[] = [];
  await db.update(tier_definitions).set({ monthly_pours: 1_000_000 });
  await insertProfiles(db, [staff]);
  for (let from = 0; from < count; from += AT_ONCE) {
    const users = Array.from({ length: Math.min(AT_ONCE, count - from) }, () => v7());
    await insertProfiles(db, users);
    members.push(...(await insertMembers(db, users, { tier: 'select', since, cents: 3900 })));
  }
  await db.transaction(async (tx) => {
    // Skips the foreign key checks, which would take most of the time.
    await tx.execute(sql`set local session_replication_role = replica`);
    await writeLedger(tx, { now, timeZone: 'UTC' });
  });
  return { staff, members };
}

/** Makes these users members billed at the venue. Returns their customer ids. */
export async function insertMembers(
  db: Db,
  users: string[],
  { tier, since, cents }: { tier: string; since: string; cents: number },
): Promise<string[]> {
  const rows = users.map((user_id) => ({ id: v7(), user_id }));
  const membership = { tier, status: 'active' as const };
  await db
    .insert(customers)
    .values(rows.map((it) => ({ ...it, ...membership, member_since: since, created_at: new Date() })));
  await db.insert(memberships).values(
    rows.map(({ id: customer_id }) => ({
      id: v7(),
      customer_id,
      ...membership,
      start_date: since,
      monthly_price_cents: cents,
    })),
  );
  return rows.map(({ id }) => id);
}

export const insertProfiles = (db: Db, ids: string[]) =>
  db.insert(profiles).values(
    ids.map((id) => ({
      id,
      name: 'Member',
      first_name: 'Member',
      last_name: 'Member',
      email: `${id}@example.test`,
    })),
  );

const CLUB = {
  current: () => ({ places: DEFAULT_PLACES, ...CLUB_NUMBER_PRESETS }),
  refresh: async () => undefined,
};

const VENUE = {
  club_name: 'Bench',
  support_email: 'help@club.example',
  public_url: 'https://club.example',
  time_zone: 'UTC',
  minimum_age: 21,
  terms_url: null,
};

export const barContext = (db: Db, staff: string, now: Date): PourContext => ({
  db,
  actor: { user_id: staff, role: 'staff' },
  now: () => now,
  newId: () => v7(),
  venue: VENUE,
  announce: () => undefined,
  club: CLUB,
});

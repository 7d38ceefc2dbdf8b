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

/**
 * A bartender, and members with more pours left than a round needs, whose months so far have their grants and no pours.
 * Returns their ids.
 */
export async function createMembers(
  db: Db,
  count: number,
  now: Date,
  since = MEMBER_SINCE,
): Promise<{ staff: string; members: string[] }> {
  const staff = v7();
  const created = Array.from({ length: count }, () => ({ user: v7(), customer: v7() }));
  await db.update(tier_definitions).set({ monthly_pours: 1_000_000 });
  await insertProfiles(db, [staff]);
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = created.slice(from, from + AT_ONCE);
    await insertProfiles(
      db,
      some.map(({ user }) => user),
    );
    await db.insert(customers).values(
      some.map(({ user, customer }) => ({
        id: customer,
        user_id: user,
        tier: 'select',
        status: 'active' as const,
        member_since: since,
        created_at: now,
      })),
    );
    await db.insert(memberships).values(
      some.map(({ customer }) => ({
        id: v7(),
        customer_id: customer,
        tier: 'select',
        start_date: since,
        status: 'active' as const,
        monthly_price_cents: 3900,
      })),
    );
  }
  await db.transaction(async (tx) => {
    // Skips the foreign key checks, which would take most of the time.
    await tx.execute(sql`set local session_replication_role = replica`);
    await writeLedger(tx, { now, timeZone: 'UTC' });
  });
  return { staff, members: created.map(({ customer }) => customer) };
}

/** Users with these ids, who cannot sign in. */
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

/** The settings of a new club, as verbs read them. */
const CLUB = {
  current: () => ({ places: DEFAULT_PLACES, ...CLUB_NUMBER_PRESETS }),
  refresh: async () => undefined,
};

/** The context of recordPour for a staff member of such a club at that moment. */
export const barContext = (db: Db, staff: string, now: Date): PourContext => ({
  db,
  actor: { user_id: staff, role: 'staff' },
  now: () => now,
  newId: () => v7(),
  timeZone: 'UTC',
  announce: () => undefined,
  club: CLUB,
});

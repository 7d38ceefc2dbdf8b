import { v7 } from 'uuid';
import { CLUB_NUMBER_PRESETS } from '../../src/domain/club/club-settings.ts';
import { DEFAULT_PLACES } from '../../src/domain/club/places.ts';
import type { Db } from '../../src/server/db/client.ts';
import { customers, profiles, tier_definitions } from '../../src/server/db/schema.ts';
import type { PourContext } from '../../src/server/pours/pour-context.ts';

/** A bartender, and members with more pours left than a round needs, whose ledgers are empty. Returns their ids. */
export async function createMembers(
  db: Db,
  count: number,
  now: Date,
): Promise<{ staff: string; members: string[] }> {
  const staff = v7();
  const created = Array.from({ length: count }, () => ({ user: v7(), customer: v7() }));
  await db.update(tier_definitions).set({ monthly_pours: 1_000_000 });
  await db.insert(profiles).values(
    [staff, ...created.map(({ user }) => user)].map((id) => ({
      id,
      name: 'Member',
      first_name: 'Member',
      last_name: 'Member',
      email: `${id}@example.test`,
    })),
  );
  await db.insert(customers).values(
    created.map(({ user, customer }) => ({
      id: customer,
      user_id: user,
      tier: 'select',
      status: 'active' as const,
      member_since: '2026-01-31',
      created_at: now,
    })),
  );
  return { staff, members: created.map(({ customer }) => customer) };
}

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

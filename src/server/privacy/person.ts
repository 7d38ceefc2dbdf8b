import type { Db, Tx } from '../db/client.ts';
import { and, eq, isNull } from '../db/orm.ts';
import { profiles } from '../db/schema.ts';
import type { Person } from './personal-data-table.ts';

/** The user with an id; null if there is none or the account was deleted. */
export async function personOf(
  db: Db | Tx,
  userId: string,
): Promise<(Person & { first_name: string; confirmed: boolean }) | null> {
  const [row] = await db
    .select({
      user_id: profiles.id,
      email: profiles.email,
      first_name: profiles.first_name,
      confirmed: profiles.emailVerified,
    })
    .from(profiles)
    .where(and(eq(profiles.id, userId), isNull(profiles.erased_at)));
  return row ?? null;
}

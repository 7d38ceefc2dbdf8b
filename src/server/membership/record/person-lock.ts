import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { customers, membership_applications, profiles } from '../../db/schema.ts';

const ROWS = {
  applications: [membership_applications, membership_applications.user_id],
  customer: [customers, customers.user_id],
  profile: [profiles, profiles.id],
} as const;

/** Locks some or all rows of a person in the order of reviews, to prevent deadlocks. */
export async function lockPerson(
  tx: Tx,
  userId: string,
  strength: 'update' | 'no key update',
  { only }: { only?: (keyof typeof ROWS)[] } = {},
): Promise<void> {
  for (const [name, [table, user_id]] of Object.entries(ROWS)) {
    if (only && !only.some((it) => it === name)) continue;
    await tx.select({ user_id }).from(table).where(eq(user_id, userId)).for(strength);
  }
}

import { Refusal } from '../../../contract/refusals.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { customers, membership_applications, profiles } from '../../db/schema.ts';

/**
 * Locks a user's profile, so that nothing is written about an account being deleted. Rows about the user can still be
 * added, also by a transaction for which this one waits later. Throws Refusal NOT_SIGNED_IN.
 */
export async function holdUser(tx: Tx, userId: string, strength: 'key share' | 'share' | 'no key update') {
  const [user] = await tx.select().from(profiles).where(eq(profiles.id, userId)).for(strength);
  if (!user || user.erased_at) throw new Refusal('NOT_SIGNED_IN');
  return user;
}

/** As holdUser, for a member. Returns the user's id. Throws Refusal NOT_FOUND, also for a deleted account. */
export async function holdMember(tx: Tx, customerId: string): Promise<string> {
  const [member] = await tx
    .select({ user_id: profiles.id, erased_at: profiles.erased_at })
    .from(profiles)
    .innerJoin(customers, eq(customers.user_id, profiles.id))
    .where(eq(customers.id, customerId))
    .for('share', { of: profiles });
  if (!member || member.erased_at) throw new Refusal('NOT_FOUND', { what: 'customer' });
  return member.user_id;
}

const ROWS = {
  applications: [membership_applications, membership_applications.user_id],
  customer: [customers, customers.user_id],
  profile: [profiles, profiles.id],
} as const;

/** A row of the person that did not exist when its table was locked. */
class LaterRow extends Error {}

/**
 * Locks some or all rows of a person in the order of reviews, to prevent deadlocks. A row that another transaction wrote
 * while this one waited is not locked, and locking it last would break the order: then all are released, and locked again.
 */
export async function lockPerson(
  tx: Tx,
  userId: string,
  strength: 'update' | 'no key update',
  { only }: { only?: (keyof typeof ROWS)[] } = {},
): Promise<void> {
  const rows = Object.entries(ROWS).flatMap(([name, row]) =>
    !only || only.some((it) => it === name) ? [row] : [],
  );
  for (;;) {
    try {
      return await tx.transaction(async (inner) => {
        const counts: number[] = [];
        for (const [table, user_id] of rows) {
          const rows = await inner.select({ user_id }).from(table).where(eq(user_id, userId)).for(strength);
          counts.push(rows.length);
        }
        for (const [index, [table, user_id]] of rows.entries()) {
          if ((await inner.$count(table, eq(user_id, userId))) !== counts[index]) throw new LaterRow();
        }
      });
    } catch (error) {
      if (!(error instanceof LaterRow)) throw error;
    }
  }
}

import { Refusal } from '../../../contract/refusals.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { customers, profiles } from '../../db/schema.ts';

/**
 * Locks a member's profile until the transaction ends, so that nothing is written about an account during or after its
 * deletion. Returns the user's id. Throws Refusal NOT_FOUND, also for a deleted account.
 */
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

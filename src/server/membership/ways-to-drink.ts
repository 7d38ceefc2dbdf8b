import type { Tx } from '../db/client.ts';
import { and, eq, inArray, isNull, sql } from '../db/orm.ts';
import { customers, household_invitation, paper_card, wallet_pass } from '../db/schema.ts';

/** Ends a user's printed cards, and their passes in wallets, on whatever paper and phones they are. */
export async function endCards(tx: Tx, user_id: string): Promise<void> {
  const customer = tx.select({ id: customers.id }).from(customers).where(eq(customers.user_id, user_id));
  await tx
    .update(paper_card)
    .set({ replaced_at: sql`now()` })
    .where(and(inArray(paper_card.customer_id, customer), isNull(paper_card.replaced_at)));
  await tx.delete(wallet_pass).where(eq(wallet_pass.user_id, user_id));
}

/** Ends sharing with a partner, who would share the user's next membership too, and an open invitation. */
export async function endSharingAsHolder(tx: Tx, user_id: string): Promise<void> {
  const [holder] = await tx
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.user_id, user_id))
    // Lock order of a pour: the holder's row before the partner's.
    .for('no key update');
  if (!holder) return;
  await tx.delete(household_invitation).where(eq(household_invitation.holder_id, holder.id));
  await tx.execute(
    sql`select end_household_seat(id, 'holder', now()) from household_seat where holder_id = ${holder.id} and ended_at is null`,
  );
}

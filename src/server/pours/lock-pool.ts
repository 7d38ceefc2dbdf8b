import type { Tx } from '../db/client.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';

/**
 * Locks the pool whose glasses a member pours, and the member (household.sql): other writes to its ledger wait. Returns the id
 * of the pool's holder; null if there is no such member.
 */
export async function lockPool(tx: Tx, customer_id: string): Promise<string | null> {
  const [pool] = await rowsOf<{ id: string | null }>(tx, sql`select lock_pool(${customer_id}::uuid) as id`);
  return pool?.id ?? null;
}

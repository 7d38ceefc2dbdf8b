import { sql } from 'drizzle-orm';
import type { Availability } from '../../domain/allowance.ts';
import { rowsOf } from '../db/results.ts';
import type { customers } from '../db/schema.ts';
import type { PourContext } from './context.ts';

export interface MemberAllowance extends Availability {
  user_id: string;
  /** Whether the member may be poured at all. Without it, available_pours is 0. */
  access: boolean;
}

/**
 * What a member has in the current billing period, by customer id or user id; null when there is no such member.
 * docs/rules.md, "Available pours".
 */
export async function allowanceOf(
  { db, now, timeZone }: Pick<PourContext, 'db' | 'now' | 'timeZone'>,
  key: keyof Pick<typeof customers.$inferSelect, 'id' | 'user_id'>,
  id: string,
): Promise<MemberAllowance | null> {
  const column = key === 'id' ? sql`c.id` : sql`c.user_id`;
  const [has] = await rowsOf<MemberAllowance>(
    db,
    sql`select c.user_id, a.available as available_pours, a.tier_max, a.pours_used, a.access
          from customers c, member_allowance(c.id, ${now().toISOString()}::timestamptz, ${timeZone}) a
         where ${column} = ${id}`,
  );
  return has ?? null;
}

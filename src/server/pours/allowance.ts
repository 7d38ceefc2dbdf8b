import { sql } from 'drizzle-orm';
import { rowsOf } from '../db/results.ts';
import type { customers } from '../db/schema.ts';
import type { PourContext } from './context.ts';

export interface MemberAllowance {
  user_id: string;
  tier_max: number;
  pours_used: number;
  /** Whether a glass may be poured at all. */
  access: boolean;
}

/** What a member has in the current billing period, by customer id or user id; null for nobody's. */
export async function allowanceOf(
  { db, now, timeZone }: Pick<PourContext, 'db' | 'now' | 'timeZone'>,
  key: keyof Pick<typeof customers.$inferSelect, 'id' | 'user_id'>,
  id: string,
): Promise<MemberAllowance | null> {
  const column = key === 'id' ? sql`c.id` : sql`c.user_id`;
  const [has] = await rowsOf<MemberAllowance>(
    db,
    sql`select c.user_id, a.tier_max, a.pours_used, a.access
          from customers c, member_allowance(c.id, ${now().toISOString()}::timestamptz, ${timeZone}) a
         where ${column} = ${id}`,
  );
  return has ?? null;
}

import type { GrantLeft } from '../../domain/membership/grants-text.ts';
import type { Db, Tx } from '../db/client.ts';
import { type SQL, sql } from '../db/orm.ts';
import { preparedStatement } from '../db/statements/prepared-statements.ts';
import type { Actor } from '../platform/actor.ts';
import { isoInstant } from '../platform/sql-text.ts';
import type { PourContext } from './pour-context.ts';

export interface MemberAllowance {
  id: string;
  user_id: string;
  first_name: string;
  last_name: string;
  tier: string;
  available_pours: number;
  /** Glasses poured since the period began, including carried ones. */
  pours_used: number;
  /** Glasses given to guests and not poured yet. */
  held_pours: number;
  /** The period's glasses so far. */
  period_pours: number;
  tier_pours: number;
  /** Further pours once the period's charge is paid; 0 if it is. */
  pours_when_paid: number;
  /** Pours of an earlier unpaid period, included in pours_used. */
  carried_pours: number;
  /** Glasses that rolled over into the period, included in period_pours. */
  rolled_pours: number;
  /** How many of the rolled-over glasses are left, included in available_pours. */
  rolled_left: number;
  period_start: string;
  /** When the period ends and the count restarts, in seconds since 1970. */
  resets_at: number;
  /** Whether the member may pour at all; if false, available_pours is 0. */
  access: boolean;
  /** The grants behind the available pours, in spending order; they sum to available_pours. */
  grants: GrantLeft[];
}

/** Grants as the actor may see them: to a program, their occasions do not tell when the member was born. */
export const grantsFor = ({ api_client }: Actor, grants: GrantLeft[]): GrantLeft[] =>
  api_client ? grants.map((it) => (it.occasion === 'birthday' ? { ...it, occasion: null } : it)) : grants;

const readAllowanceBy = (column: SQL) =>
  preparedStatement<MemberAllowance, { id: string; now: string; timeZone: string }>(
    sql`select c.id, c.user_id, p.first_name, p.last_name, c.tier,
               a.available as available_pours, a.period_pours, a.pours_used, a.when_paid as pours_when_paid,
               a.held as held_pours, a.carried as carried_pours, a.rolled as rolled_pours, a.rolled_left, a.access, a.grants,
               t.monthly_pours as tier_pours, ${isoInstant(sql`a.period_start`)} as period_start,
               extract(epoch from a.period_end)::float8 as resets_at
          from customers c join profiles p on p.id = c.user_id
               join tier_definitions t on t.tier_name = c.tier,
               member_allowance(c.id, ${sql.placeholder('now')}::timestamptz, ${sql.placeholder('timeZone')}) a
         where ${column} = ${sql.placeholder('id')}`,
  );

const readAllowance = { id: readAllowanceBy(sql`c.id`), user_id: readAllowanceBy(sql`c.user_id`) };

/** A member's allowance now; null if there is no such member. docs/rules/glasses.md, "Glasses". */
export async function allowanceOf(
  { db, now, venue }: Pick<PourContext, 'now' | 'venue'> & { db: Db | Tx },
  key: keyof typeof readAllowance,
  id: string,
): Promise<MemberAllowance | null> {
  const [row] = await readAllowance[key](db, { id, now: now().toISOString(), timeZone: venue.time_zone });
  return row ?? null;
}

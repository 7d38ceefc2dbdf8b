import { sql } from 'drizzle-orm';
import { differsFromTier, type PeriodExtra, periodExtras } from '../../domain/membership/period-extras.ts';
import { rowsOf } from '../db/results.ts';
import type { MemberAllowance } from './allowance.ts';
import type { PourContext } from './pour-context.ts';

/** Why a member's period gives other than their tier. The ledger is only read where it does. */
export async function listPeriodExtras(
  { db }: PourContext,
  { id, period_start, resets_at, tier_max, tier_pours, ...has }: MemberAllowance,
): Promise<PeriodExtra[]> {
  const numbers = { ...has, tier_max: tier_pours, period_pours: tier_max };
  if (!differsFromTier(numbers)) return [];
  const [ledger] = await rowsOf<{ given: PeriodExtra[]; shares: boolean }>(
    db,
    sql`select exists (select from household_seat h where h.customer_id = ${id}::uuid and h.ended_at is null) as shares,
               (select coalesce(jsonb_agg(jsonb_build_object('kind', x.kind, 'glasses', x.glasses) order by x.kind), '[]')
                  from (select coalesce(k.kind, 'given') as kind, sum(g.glasses)::integer as glasses
                          from allowance_gift g left join celebration k on k.gift_id = g.id
                         where g.customer_id = ${id}::uuid and g.created_at >= ${period_start}::timestamptz
                           and g.created_at < to_timestamp(${resets_at}::float8)
                         group by 1) x) as given`,
  );
  const shares = ledger?.shares ?? false;
  // The glasses are the holder's, whose ledger is not this member's.
  return periodExtras(numbers, shares ? [] : (ledger?.given ?? []), shares ? 'other' : 'tier_change');
}

import type { MemberDetail, OwnHousehold } from '../../../contract/members.ts';
import { startOfDay } from '../../../domain/calendar.ts';
import { endsAt } from '../../../domain/standing.ts';
import { sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { isoInstant } from '../../platform/sql-text.ts';
import type { MembershipContext } from '../membership-context.ts';

/** Instants are text in UTC, because the two drivers parse them differently. */
interface Row {
  role: OwnHousehold['role'];
  first_name: string;
  paused_from: string | null;
  paused_until: string | null;
  cancel_at_period_end: boolean | null;
  current_period_end: string | null;
  cancel_at: string | null;
  ends_on: string | null;
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

/**
 * The other member of a household; null if there is none. A partner sees when the holder's membership pauses and ends, but
 * nothing about its price (docs/rules/households.md, "Household").
 */
export async function ownHousehold(
  { db, now, timeZone }: Pick<MembershipContext, 'db' | 'now' | 'timeZone'>,
  customer_id: string,
): Promise<OwnHousehold | null> {
  const [row] = await rowsOf<Row>(
    db,
    sql`select role, first_name, ${isoInstant(sql`paused_from`)} as paused_from, ${isoInstant(sql`paused_until`)} as paused_until,
               cancel_at_period_end, ${isoInstant(sql`current_period_end`)} as current_period_end,
               ${isoInstant(sql`cancel_at`)} as cancel_at, ends_on
          from household_of(${customer_id}::uuid)`,
  );
  if (!row) return null;
  const { role, first_name, ends_on } = row;
  const current_period_end = dateOf(row.current_period_end);
  const ends = current_period_end
    ? endsAt({
        cancel_at_period_end: row.cancel_at_period_end ?? false,
        cancel_at: dateOf(row.cancel_at),
        current_period_end,
      })
    : ends_on && startOfDay(ends_on, timeZone);
  const pause = { paused_from: dateOf(row.paused_from), paused_until: dateOf(row.paused_until) };
  return {
    role,
    first_name,
    pause: pauseOf(pause, now()),
    ends_at: ends ? ends.toISOString() : null,
  };
}

/** A coming or running pause. */
export function pauseOf(
  subscription: { paused_from: Date | null; paused_until: Date | null } | null,
  now: Date,
): MemberDetail['pause'] {
  const { paused_from: from, paused_until: until } = subscription ?? {
    paused_from: null,
    paused_until: null,
  };
  if (!from || (until && until <= now)) return null;
  return { from: from.toISOString(), until: until?.toISOString() ?? null, begun: from <= now };
}

import {
  type OwnPour,
  type Pour,
  pour as pourFields,
  type RolledOver,
  type StaffPour,
} from '../../contract/pours.ts';
import { alias, desc, eq, type SQL, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { bar_device, guest_glass, pour_rating, pour_voids, pours, profiles, wine } from '../db/schema.ts';
import { fullName, isoInstant } from '../platform/sql-text.ts';
import { WINE_FIELDS } from '../wines/wine-list.ts';
import { memberOfUser, userOfMember } from './member-user.ts';
import type { PourContext } from './pour-context.ts';

const MEMBER_HISTORY = 50;
const STAFF_HISTORY = 10;

const recorder = alias(profiles, 'recorder');
const voider = alias(profiles, 'voider');

export type PourRow = typeof pours.$inferSelect;

/** A ledger row, from a query or as the JSON of a SQL function, where instants are text. */
type LedgerRow = Omit<PourRow, 'created_at' | 'recorded_at'> & { created_at: Date | string };

/** The contract's schema picks the columns. */
export function toPour(row: LedgerRow, isVoided: boolean): Pour {
  return pourFields.parse({
    ...row,
    status: isVoided ? 'voided' : row.status,
    created_at: new Date(row.created_at).toISOString(),
  });
}

export async function listStaffPours(
  { db, actor }: PourContext,
  filter: SQL,
  limit: number,
): Promise<StaffPour[]> {
  const rows = await db
    .select({
      pour: pours,
      recorded_by: fullName(recorder),
      wine: WINE_FIELDS,
      void: pour_voids,
      voided_by: fullName(voider),
      tablet: bar_device.name,
      guest: guest_glass.id,
    })
    .from(pours)
    .innerJoin(recorder, eq(recorder.id, pours.recorded_by_staff_id))
    .leftJoin(pour_voids, eq(pour_voids.pour_id, pours.id))
    .leftJoin(voider, eq(voider.id, pour_voids.voided_by_staff_id))
    .leftJoin(wine, eq(wine.id, pours.wine_id))
    .leftJoin(bar_device, eq(bar_device.id, pours.bar_device_id))
    .leftJoin(guest_glass, eq(guest_glass.pour_id, pours.id))
    .where(filter)
    .orderBy(desc(pours.created_at), desc(pours.id))
    .limit(limit);
  return rows.map(({ pour, recorded_by, wine, tablet, guest, void: reversal, voided_by }) => ({
    ...toPour(pour, reversal !== null),
    wine,
    ...(guest && { guest: true as const }),
    offered_water: pour.offered_water,
    printed_card: pour.paper_card_id !== null,
    recorded_at: pour.recorded_at?.toISOString() ?? null,
    recorded_by,
    own: pour.recorded_by_staff_id === actor.user_id,
    tablet,
    voided: reversal
      ? { at: reversal.created_at.toISOString(), by: voided_by, reason: reversal.reason }
      : null,
  }));
}

/** The actor's own last 50 pours, newest first; none without a membership. */
export async function listOwnPours(ctx: PourContext): Promise<OwnPour[]> {
  const ownId = await memberOfUser(ctx.db, ctx.actor.user_id);
  if (!ownId) return [];
  // Members do not see which staff poured or voided; row security would block it too.
  const rows = await ctx.db
    .select({
      pour: pours,
      wine: WINE_FIELDS,
      void_of: pour_voids.pour_id,
      rating: pour_rating,
      guest: guest_glass.id,
    })
    .from(pours)
    .leftJoin(pour_voids, eq(pour_voids.pour_id, pours.id))
    .leftJoin(wine, eq(wine.id, pours.wine_id))
    .leftJoin(pour_rating, eq(pour_rating.pour_id, pours.id))
    .leftJoin(guest_glass, eq(guest_glass.pour_id, pours.id))
    .where(eq(pours.customer_id, ownId))
    .orderBy(desc(pours.created_at), desc(pours.id))
    .limit(MEMBER_HISTORY);
  return rows.map(({ pour, wine, void_of, rating, guest }) => ({
    ...toPour(pour, void_of !== null),
    wine,
    ...(guest && { guest: true as const }),
    // A rating without a verdict means that they declined to rate.
    rating: rating?.verdict ? { verdict: rating.verdict, comment: rating.comment } : null,
  }));
}

/**
 * The actor's last 50 billing periods with rolled-over glasses, newest first, including a household's while they were its
 * partner. docs/rules/glasses.md, "Glasses".
 */
export async function listRolledOver({ db, actor }: PourContext): Promise<RolledOver[]> {
  return rowsOf<RolledOver>(
    db,
    sql`select ${isoInstant(sql`r.valid_from`)} as at, r.glasses
          from customers c
         cross join lateral (select g.valid_from, g.glasses from glass_grant g
                              where g.customer_id = c.id and g.kind = 'rollover'
                             union all select * from shared_rollovers(c.id)) r
         where c.user_id = ${actor.user_id}
         order by r.valid_from desc limit ${MEMBER_HISTORY}`,
  );
}

/** A member's last ten pours, for staff, newest first. Throws Refusal NOT_FOUND. */
export async function listCustomerPours(
  ctx: PourContext,
  { customer_id }: { customer_id: string },
): Promise<StaffPour[]> {
  await userOfMember(ctx.db, customer_id);
  return listStaffPours(ctx, eq(pours.customer_id, customer_id), STAFF_HISTORY);
}

import type { Household, SharedPour } from '../../../contract/sharing/household.ts';
import { invitationObstacle } from '../../../domain/membership/household.ts';
import { sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { isoInstant } from '../../platform/sql-text.ts';
import type { MembershipContext } from '../membership-context.ts';
import { holderOf, openInvitation } from './household-invitations.ts';
import { openSeatOf, type Seat } from './seats.ts';

const SHOWN_POURS = 50;

/** The partner or the holder of the actor's household, and what each had of the pool in this billing period. */
export async function getHousehold(ctx: MembershipContext): Promise<Household> {
  const { db, actor } = ctx;
  const seat = await openSeatOf(db, actor.user_id);
  if (seat && seat.partner_user_id === actor.user_id) {
    return {
      role: 'partner',
      other: {
        first_name: seat.holder_name,
        last_name: seat.holder_last_name,
        since: seat.joined_at.toISOString(),
      },
      obstacle: 'shares_already',
      invitation: null,
      pours: await sharedPours(ctx, seat, seat.partner_id),
    };
  }
  const holder = await holderOf(ctx, db, { user_id: actor.user_id });
  const obstacle = holder ? invitationObstacle(holder) : 'no_access';
  return {
    role: holder && (seat || (holder.own_membership && holder.people > 1)) ? 'holder' : 'none',
    other: seat && {
      first_name: seat.partner_name,
      last_name: seat.partner_last_name,
      since: seat.joined_at.toISOString(),
    },
    obstacle,
    invitation: holder && !obstacle ? await openInvitation(ctx, holder.id) : null,
    pours: seat ? await sharedPours(ctx, seat, seat.holder_id) : [],
  };
}

/** A partner only reads pours since they joined, and none of earlier partners. */
function sharedPours(ctx: MembershipContext, seat: Seat, reader: string): Promise<SharedPour[]> {
  const { db, now, venue } = ctx;
  const other = reader === seat.holder_id ? seat.partner_id : seat.holder_id;
  const since =
    reader === seat.holder_id
      ? sql`a.period_start`
      : sql`greatest(a.period_start, ${seat.joined_at.toISOString()}::timestamptz)`;
  return rowsOf<SharedPour>(
    db,
    sql`select p.id, case p.customer_id when ${reader}::uuid then 'you' when ${other}::uuid then 'other' else 'former' end as who,
               g.id is not null as guest, p.quantity, coalesce(p.place_name, p.location) as location, ${isoInstant(sql`p.created_at`)} as created_at
          from member_allowance(${seat.holder_id}::uuid, ${now().toISOString()}::timestamptz, ${venue.time_zone}) a
          join lateral (
            select * from pours q where q.customer_id = ${seat.holder_id}::uuid and q.pool_id is null and q.created_at >= ${since}
            union all
            select * from pours q where q.pool_id = ${seat.holder_id}::uuid and q.created_at >= ${since}) p on true
          left join guest_glass g on g.pour_id = p.id
         where not exists (select from pour_voids v where v.pour_id = p.id)
         order by p.created_at desc, p.id desc limit ${SHOWN_POURS}`,
  );
}

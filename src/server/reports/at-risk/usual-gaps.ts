import { NOT_SEEN_DAYS, USUAL_GAP_DAYS } from '../../../domain/reports/members-at-risk.ts';
import { sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { inSteps } from '../../db/steps.ts';
import type { Db } from '../../db/transaction.ts';

const MOST = 512;

/**
 * A member's usual visits, as SQL on `v`, a row of member_visit: the days with a visit in the year up to the last one, and
 * the first of them. They do not change while the member stays away, except by a void, which clears them.
 */
export const usualVisitsOf = (timeZone: string) => sql`(
  select count(distinct days.day)::integer as visits, min(days.day) as first_visit
    from (select (p.created_at at time zone ${timeZone})::date as day from pours p
           where p.customer_id = v.customer_id and p.created_at <= v.last_visit
             and p.created_at > v.last_visit - make_interval(hours => ${USUAL_GAP_DAYS * 24}::integer)
             and not exists (select from pour_voids x where x.pour_id = p.id)) days)`;

/**
 * Counts the usual visits of members who have stayed away for almost NOT_SEEN_DAYS and have no count yet. A report that
 * needs a missing count makes its own. The member's row is locked during the count, so a void waits and then clears it.
 * docs/rules/members.md, "Members at risk".
 */
export async function countUsualVisits({
  db,
  venue,
}: {
  db: Db;
  venue: { time_zone: string };
}): Promise<void> {
  await inSteps(MOST, (size) =>
    db.transaction(async (tx) => {
      const rows = await rowsOf<{ id: string }>(
        tx,
        sql`select v.customer_id as id from member_visit v
             where v.last_visit > '-infinity'
               and v.last_visit < clock_timestamp() - make_interval(days => ${NOT_SEEN_DAYS - 2}::integer)
               and v.visits_zone is distinct from ${venue.time_zone}
             order by v.last_visit limit ${size}::integer for no key update skip locked`,
      );
      if (rows.length === 0) return 0;
      const ids = JSON.stringify(rows.map(({ id }) => id));
      await tx.execute(
        sql`update member_visit v set visits_zone = ${venue.time_zone}, visits = h.visits, first_visit = h.first_visit
              from (select v.customer_id, counted.* from member_visit v cross join lateral ${usualVisitsOf(venue.time_zone)} counted
                     where v.customer_id = any (array(select jsonb_array_elements_text(${ids}::jsonb)::uuid))) h
             where h.customer_id = v.customer_id`,
      );
      return rows.length;
    }),
  );
}

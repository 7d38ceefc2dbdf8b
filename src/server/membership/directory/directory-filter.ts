import type { MemberFilter } from '../../../contract/staff/directory.ts';
import { addDays, type LocalDate, localDate, startOfDay } from '../../../domain/calendar.ts';
import { DUES_DUE_DAYS } from '../../../domain/membership/dues.ts';
import { LAST_VISITS, type LastVisit, type ListedDues } from '../../../domain/staff/member-filter.ts';
import { type BarStanding, SUBSCRIPTION_STATUSES } from '../../../domain/standing.ts';
import { type SQL, sql } from '../../db/orm.ts';

/** `d` is member_directory, `v` member_visit. */
type Filter = Omit<MemberFilter, 'search'>;

type FilterContext = { now(): Date; venue: { time_zone: string } };

const PAYING = sql`('active', 'trialing')`;
const OWING = sql`('unpaid', 'paused', 'incomplete')`;
const OVER = sql`('canceled', 'incomplete_expired')`;
const KNOWN = sql.raw(`(${SUBSCRIPTION_STATUSES.map((status) => `'${status}'`).join(', ')})`);

/**
 * Members with a standing at an instant: the inverse of barStanding() in domain/standing.ts;
 * tests/server/membership/directory.test.ts compares the two. Each condition begins with an indexed column.
 */
export function hasStanding(standing: BarStanding, now: Date): SQL {
  const at = sql`${now.toISOString()}::timestamptz`;
  const isActive = sql`d.status = 'active'`;
  const isPaused = sql`(d.paused_from <= ${at} and (d.paused_until is null or d.paused_until > ${at}))`;
  switch (standing) {
    case 'venue':
      return sql`${isActive} and d.stripe_status is null and ${isPaused} is not true`;
    case 'inactive':
      return sql`d.status = 'inactive' and d.stripe_status is null`;
    case 'active':
      return sql`${isActive} and d.stripe_status in ${PAYING} and d.ends_at is null
                 and ${isPaused} is not true`;
    case 'ending':
      return sql`${isActive} and d.stripe_status in ${PAYING} and d.ends_at > ${at}
                 and ${isPaused} is not true`;
    case 'paused':
      return sql`${isActive} and ${isPaused} and (d.stripe_status is null
                  or d.stripe_status in ${PAYING} and (d.ends_at is null or d.ends_at > ${at}))`;
    case 'grace':
      return sql`${isActive} and d.stripe_status = 'past_due' and d.grace_until > ${at}`;
    case 'suspended':
      // A membership that ends during its grace has ended.
      return sql`(d.stripe_status in ${OWING}
                  or d.stripe_status = 'past_due' and (d.grace_until is null or d.grace_until <= ${at}))`;
    case 'ended':
      return sql`(d.stripe_status in ${OVER}
                  or d.stripe_status in ${PAYING} and (d.ends_at <= ${at} or d.status = 'inactive')
                  or d.stripe_status = 'past_due' and d.status = 'inactive' and d.grace_until > ${at})`;
    case 'unknown':
      return sql`d.stripe_status not in ${KNOWN}`;
  }
}

function hasVisited(period: LastVisit, { now, venue }: FilterContext): SQL {
  const range = LAST_VISITS[period];
  if (range.kind === 'never') return sql`v.last_visit = '-infinity'`;
  const since = startOfDay(addDays(localDate(now(), venue.time_zone), -range.days), venue.time_zone);
  const at = sql`${since.toISOString()}::timestamptz`;
  return range.kind === 'within'
    ? sql`v.last_visit >= ${at}`
    : sql`v.last_visit < ${at} and v.last_visit > '-infinity'`;
}

/** The inverse of duesState() in domain/membership/dues.ts, on the memberships' index of unpaid days. */
function hasDues(state: ListedDues, { now, venue }: FilterContext): SQL {
  const today = localDate(now(), venue.time_zone);
  const day = (date: LocalDate) => sql`${date}::date`;
  const goesOn = sql`(m.ends_on is null or m.ends_on > m.paid_until)`;
  const of = {
    due: sql`m.paid_until > ${day(today)} and m.paid_until <= ${day(addDays(today, DUES_DUE_DAYS))} and ${goesOn}`,
    overdue: sql`m.paid_until <= ${day(today)} and m.grace_until > ${day(today)} and ${goesOn}`,
    not_counted: sql`m.paid_until is null and m.stripe_subscription_id is null and not m.is_gift and not m.on_the_house
                     and m.monthly_price_cents > 0`,
  }[state];
  return sql`d.customer_id in (select m.customer_id from memberships m where m.status = 'active' and ${of})`;
}

/** The conditions of a filter, without its search words. */
export function matching(ctx: FilterContext, filter: Filter): SQL[] {
  const { tier, standing, payment, dues, visited, tag, joined_from, joined_to } = filter;
  const conditions = [
    tier !== undefined && sql`d.tier = ${tier}`,
    standing && hasStanding(standing, ctx.now()),
    payment && (payment === 'card' ? sql`d.stripe_status is not null` : sql`d.stripe_status is null`),
    dues && hasDues(dues, ctx),
    visited && hasVisited(visited, ctx),
    tag &&
      sql`exists (select from member_tag g where g.customer_id = d.customer_id and g.tag_id = ${tag}::uuid)`,
    joined_from && sql`d.member_since >= ${joined_from}::date`,
    joined_to && sql`d.member_since <= ${joined_to}::date`,
  ];
  return conditions.filter((condition): condition is SQL => Boolean(condition));
}

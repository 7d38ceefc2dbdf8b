import type { CsvDownload } from '../../../contract/staff/csv-download.ts';
import type { MemberAtRisk } from '../../../contract/staff/members-at-risk.ts';
import { addDays, localDate, startOfDay } from '../../../domain/calendar.ts';
import {
  compareRisks,
  levelOf,
  NOT_SEEN_DAYS,
  personalEmailDraft,
  personalEmailObstacle,
  RISK_ACTS,
  type Risk,
  type RiskFacts,
  type RiskKind,
  risksOf,
  UNUSED_DAYS,
  VERDICT_DAYS,
  VERDICTS_IN_A_ROW,
} from '../../../domain/reports/members-at-risk.ts';
import { exportList } from '../../audit/export-list.ts';
import type { AuditContext } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import type { Venue } from '../../mail/email.ts';
import type { ReportsContext } from '../reports-context.ts';
import { usualVisitsOf } from './usual-gaps.ts';

/** Rows on the screen; the file has all. */
const MAX_SHOWN = 200;
const DAY_MS = 86_400_000;

interface Judged {
  customer_id: string;
  user_id: string;
  name: string;
  tier: string;
  /** The venue's day; null without a recorded visit. */
  last_visit: string | null;
  days_away: number;
  risks: Risk[];
  /** Whether they want personal emails; null before they said. */
  wanted: boolean | null;
  /** Seconds since 1970. */
  last_email: number | null;
}

interface Row extends Omit<Judged, 'risks'>, Omit<RiskFacts, 'glasses' | 'days_away'> {
  /** Glasses left and given of a period that ends soon, and its end in seconds since 1970. */
  left_over: number | null;
  given: number;
  ends_at: number;
}

/**
 * Active members who may leave: all, or the given one. Paused members are excluded, as they stay away on purpose.
 * docs/rules/members.md, "Members at risk".
 */
export async function findAtRisk(
  { now, venue }: Pick<ReportsContext, 'now' | 'venue'>,
  db: Db | Tx,
  customerId?: string,
): Promise<Judged[]> {
  const instant = now();
  const at = sql`${instant.toISOString()}::timestamptz`;
  const { time_zone: timeZone } = venue;
  const today = localDate(instant, timeZone);
  const notSeenSince = startOfDay(addDays(today, 1 - NOT_SEEN_DAYS), timeZone).toISOString();
  const cutoff = sql`${at} - make_interval(days => ${VERDICT_DAYS}::integer)`;
  const filter = customerId ? sql`and customer_id = ${customerId}::uuid` : sql``;
  const rows = await rowsOf<Row>(
    db,
    // Usual visits are stored; pours are only read for members whose visits are not counted yet.
    sql`with unused as (
          select m.customer_id, sum(s.left_over)::integer as left_over, sum(s.glasses)::integer as given,
                 extract(epoch from max(s.valid_until))::float8 as ends_at
            from grants_as_of(${at}) s
            join memberships m on m.id = s.membership_id and m.status = 'active'
            left join billing_subscription b on b.stripe_subscription_id = m.stripe_subscription_id
           where s.id in (select g.id from glass_grant g
                           where g.valid_until > ${at} ${filter}
                             and g.valid_until <= ${at} + make_interval(hours => ${UNUSED_DAYS * 24}::integer))
             and s.valid_until > ${at}
             and case when m.stripe_subscription_id is null
                      then coalesce((${at} at time zone ${timeZone})::date < least(m.ends_on, m.grace_until), true)
                      else b.access_until > ${at} end
           group by 1 having sum(s.left_over) > 0 and 2 * sum(s.left_over) >= sum(s.glasses)
        ), disliked as (
          select customer_id from pour_rating where verdict = 'not_mine' and answered_at > ${cutoff} ${filter}
           group by 1 having count(*) >= ${VERDICTS_IN_A_ROW}::integer
        ), listed as (
          select customer_id from member_visit where last_visit < ${notSeenSince}::timestamptz ${filter}
           union select customer_id from unused
           union select customer_id from disliked
           union select m.customer_id from membership_term x join memberships m on m.id = x.membership_id
                  where x.standing = 'overdue' and m.status = 'active' ${filter}
        )
        select c.id as customer_id, c.user_id, p.name, c.tier, t.standing,
               to_char(seen.day, 'YYYY-MM-DD') as last_visit, away.days as days_away,
               coalesce(usual.visits, 0) as visits,
               case when usual.visits >= 3
                    then greatest(1, round((seen.day - usual.first_visit)::numeric / (usual.visits - 1)))::integer end as usual_gap,
               u.left_over, u.given, u.ends_at,
               array(select r.verdict from pour_rating r
                      where r.customer_id = d.customer_id and r.verdict is not null and r.answered_at > ${cutoff}
                        and not exists (select from pour_voids x where x.pour_id = r.pour_id)
                      order by r.answered_at desc, r.pour_id limit ${VERDICTS_IN_A_ROW}::integer) as verdicts,
               (select o.wanted from personal_email_answer o where o.user_id = c.user_id) as wanted,
               (select extract(epoch from max(k.created_at))::float8 from personal_email k
                 where k.customer_id = c.id) as last_email
          from listed join customers c on c.id = listed.customer_id and c.status = 'active'
          join profiles p on p.id = c.user_id
          join memberships m on m.customer_id = c.id and m.status = 'active'
          join member_visit v on v.customer_id = c.id
          left join unused u on u.customer_id = c.id
          left join disliked d on d.customer_id = c.id
         cross join lateral (select standing from membership_term x where x.membership_id = m.id
                              order by since desc limit 1) t
         cross join lateral (select (nullif(v.last_visit, '-infinity') at time zone ${timeZone})::date as day) seen
         -- Earlier visits of someone who came with an import were not recorded here.
         cross join lateral (select ${today}::date - coalesce(seen.day,
                               greatest(c.member_since, (c.created_at at time zone ${timeZone})::date)) as days) away
          left join lateral (
                select v.visits, v.first_visit where v.visits_zone = ${timeZone}::text
                 union all select * from ${usualVisitsOf(timeZone)} counted
                  where v.visits_zone is distinct from ${timeZone}::text and away.days >= ${NOT_SEEN_DAYS}::integer) usual on true
         where t.standing <> 'paused'`,
  );
  return rows.flatMap((row) => {
    const { left_over: remaining, given, ends_at } = row;
    const ends_in_days = Math.ceil((ends_at * 1000 - instant.getTime()) / DAY_MS);
    const risks = risksOf({
      ...row,
      glasses: remaining === null ? null : { left: remaining, given, ends_in_days },
    });
    return risks.length > 0 ? [{ ...row, risks }] : [];
  });
}

type Filter = { reason?: RiskKind | undefined };

const rankAtRisk = (ctx: ReportsContext, { reason }: Filter): Promise<Judged[]> =>
  ctx.readLagging(async (db) => {
    const members = await findAtRisk(ctx, db);
    const matches = reason
      ? members.filter(({ risks }) => risks.some(({ kind }) => kind === reason))
      : members;
    return matches.sort((a, b) => compareRisks(a, b) || (a.customer_id < b.customer_id ? -1 : 1));
  });

/** The most likely to leave, with one thing to do for each. docs/rules/members.md, "Members at risk". */
export async function listAtRisk(
  ctx: ReportsContext & { venue: Venue },
  filter: Filter,
): Promise<{ total: number; members: MemberAtRisk[] }> {
  const members = await rankAtRisk(ctx, filter);
  return { total: members.length, members: members.slice(0, MAX_SHOWN).map((it) => toMember(ctx, it)) };
}

/** The whole list. The audit records who exports it. */
export const exportAtRisk = (ctx: ReportsContext & AuditContext, filter: Filter): Promise<CsvDownload> =>
  exportList(
    ctx,
    { act: 'list_exported', subject_id: null, facts: { list: 'members at risk' } },
    {
      name: `members-at-risk-${localDate(ctx.now(), ctx.venue.time_zone)}.csv`,
      header: ['Member', 'Id', 'Tier', 'Last visit', 'Days away', 'Risk', 'Why'],
      read: async () => ({ rows: await rankAtRisk(ctx, filter), next: null }),
      toCells: (it) => [
        ...[it.name, it.customer_id, it.tier, it.last_visit, it.days_away, levelOf(it.risks)],
        it.risks.map(({ text }) => text).join('; '),
      ],
    },
  );

function toMember({ now, venue }: ReportsContext & { venue: Venue }, row: Judged): MemberAtRisk {
  const { customer_id, user_id, name, tier, last_visit, days_away, risks, wanted } = row;
  const kind = risks[0]?.kind ?? 'unused';
  const last = lastPersonalEmailOf(row);
  const last_email = last?.toISOString() ?? null;
  return {
    ...{ customer_id, user_id, name, tier, last_visit, days_away, risks },
    level: levelOf(risks),
    act: RISK_ACTS[kind],
    draft: personalEmailDraft(kind, venue.club_name),
    last_email,
    last_letter: last_email,
    obstacle: personalEmailObstacle({ at_risk: true, wanted, last_email: last }, now()),
  };
}

export const lastPersonalEmailOf = ({ last_email }: Pick<Judged, 'last_email'>): Date | null =>
  last_email === null ? null : new Date(last_email * 1000);

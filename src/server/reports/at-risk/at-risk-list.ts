import { sql } from 'drizzle-orm';
import type { MemberAtRisk } from '../../../contract/office/outreach.ts';
import { localDate } from '../../../domain/calendar.ts';
import {
  letterDraft,
  letterObstacle,
  RISK_ACTS,
  RISK_KINDS,
  type Risk,
  risksOf,
  UNUSED_DAYS,
  VERDICT_DAYS,
  VERDICTS_IN_A_ROW,
} from '../../../domain/reports/at-risk.ts';
import type { Db, Tx } from '../../db/client.ts';
import { rowsOf } from '../../db/results.ts';
import type { Venue } from '../../mail/email.ts';
import { judgeAbsent } from '../absent-report.ts';
import type { ReportsContext } from '../reports-context.ts';

const MAX_SHOWN = 200;
const DAY_MS = 86_400_000;

interface Row {
  customer_id: string;
  user_id: string;
  name: string;
  tier: string;
  standing: string;
  verdicts: string[];
  left: number;
  given: number;
  /** Seconds since 1970. */
  ends_at: number;
  opted_out: boolean;
  /** Seconds since 1970. */
  last_letter: number | null;
}

interface Judged extends Row {
  risks: Risk[];
}

type RiskContext = Pick<ReportsContext, 'now' | 'timeZone'>;

/**
 * Active members who may leave: all of them, or the one that is asked for. Who is paused is away on purpose.
 * docs/rules.md, "Members at risk".
 */
export async function judgeMembers(ctx: RiskContext, db: Db | Tx, only?: string): Promise<Judged[]> {
  const now = ctx.now();
  const at = sql`${now.toISOString()}::timestamptz`;
  const absent = await judgeAbsent(db, localDate(now, ctx.timeZone), ctx.timeZone, only);
  const away = new Map(absent.map((it) => [it.customer_id, it]));
  const ids = sql`array(select jsonb_array_elements_text(${JSON.stringify([...away.keys()])}::jsonb)::uuid)`;
  const rows = await rowsOf<Row>(
    db,
    sql`with looked_at as (
          select c.id, c.user_id, c.tier, p.name, t.standing,
                 array(select r.verdict from pour_rating r
                        where r.customer_id = c.id and r.verdict is not null
                          and r.answered_at > ${at} - make_interval(days => ${VERDICT_DAYS}::integer)
                          and not exists (select from pour_voids v where v.pour_id = r.pour_id)
                        order by r.answered_at desc, r.pour_id limit ${VERDICTS_IN_A_ROW}::integer) as verdicts,
                   -- Whose period may end soon, a day more than asked: of the others nobody counts the glasses.
                   coalesce(s.current_period_end <= ${at} + make_interval(days => ${UNUSED_DAYS + 1}::integer),
                     exists (select from generate_series(0, 1) n where c.member_since + make_interval(months => d.months + n)
                               between d.today - interval '1 day' and d.today + make_interval(days => ${UNUSED_DAYS + 1}::integer))) as ends_soon
            from customers c join profiles p on p.id = c.user_id
            join memberships m on m.customer_id = c.id and m.status = 'active'
            left join billing_subscription s on s.stripe_subscription_id = m.stripe_subscription_id
            cross join lateral (select x.today, ((extract(year from x.today) - extract(year from c.member_since)) * 12
                   + extract(month from x.today) - extract(month from c.member_since))::integer as months
              from (select (${at} at time zone ${ctx.timeZone})::date as today) x) d
            cross join lateral (select standing from membership_term x where x.membership_id = m.id
                                 order by since desc limit 1) t
           where c.status = 'active' and t.standing <> 'paused' ${only ? sql`and c.id = ${only}::uuid` : sql``}
        )
        select l.id as customer_id, l.user_id, l.name, l.tier, l.standing, l.verdicts, a.available as left, a.tier_max as given,
               extract(epoch from a.period_end)::float8 as ends_at,
               exists (select from letter_opt_out o where o.user_id = l.user_id) as opted_out,
               (select extract(epoch from max(k.created_at))::float8 from member_letter k
                 where k.customer_id = l.id) as last_letter
          from looked_at l, member_allowance(l.id, ${at}, ${ctx.timeZone}) a
         where (l.ends_soon or l.standing = 'overdue' or l.id = any (${ids}) or 'not_mine' = any (l.verdicts))
           and (l.standing = 'overdue' or l.id = any (${ids}) or 'not_mine' = any (l.verdicts)
            or a.available > 0 and a.period_end <= ${at} + make_interval(days => ${UNUSED_DAYS}::integer))`,
  );
  return rows.flatMap((row) => {
    const risks = risksOf({
      overdue: row.standing === 'overdue',
      absence: away.get(row.customer_id) ?? null,
      verdicts: row.verdicts,
      glasses: {
        left: row.left,
        given: row.given,
        ends_in_days: Math.ceil((row.ends_at * 1000 - now.getTime()) / DAY_MS),
      },
    });
    return risks.length > 0 ? [{ ...row, risks }] : [];
  });
}

/** Those most likely to leave first: the most pressing reason, then how many there are. */
export function listAtRisk(
  ctx: ReportsContext & { venue: Venue },
): Promise<{ total: number; members: MemberAtRisk[] }> {
  return ctx.readLagging(async (db) => {
    const judged = await judgeMembers(ctx, db);
    const rank = ({ risks }: Judged) => RISK_KINDS.indexOf(risks[0]?.kind ?? 'unused') - risks.length / 10;
    judged.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
    return { total: judged.length, members: judged.slice(0, MAX_SHOWN).map((it) => toMember(ctx, it)) };
  });
}

function toMember({ now, venue }: ReportsContext & { venue: Venue }, row: Judged): MemberAtRisk {
  const { customer_id, user_id, name, tier, risks, opted_out } = row;
  const kind = risks[0]?.kind ?? 'unused';
  const last_letter = lastLetterOf(row);
  return {
    customer_id,
    user_id,
    name,
    tier,
    risks,
    act: RISK_ACTS[kind],
    draft: letterDraft(kind, venue.club_name),
    last_letter: last_letter?.toISOString() ?? null,
    obstacle: letterObstacle({ at_risk: true, opted_out, last_letter }, now()),
  };
}

/** When the club last wrote to a member at risk. */
export const lastLetterOf = ({ last_letter }: Pick<Row, 'last_letter'>): Date | null =>
  last_letter === null ? null : new Date(last_letter * 1000);

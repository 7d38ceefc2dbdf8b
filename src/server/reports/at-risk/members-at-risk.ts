import { sql } from 'drizzle-orm';
import type { MemberAtRisk } from '../../../contract/staff/members-at-risk.ts';
import { localDate } from '../../../domain/calendar.ts';
import {
  personalEmailDraft,
  personalEmailObstacle,
  RISK_ACTS,
  RISK_KINDS,
  type Risk,
  type RiskKind,
  riskKinds,
  risksOf,
  VERDICT_DAYS,
  VERDICTS_IN_A_ROW,
} from '../../../domain/reports/members-at-risk.ts';
import type { NotSeen } from '../../../domain/reports/not-seen.ts';
import type { Db, Tx } from '../../db/client.ts';
import { rowsOf } from '../../db/results.ts';
import type { Venue } from '../../mail/email.ts';
import type { ReportsContext } from '../reports-context.ts';
import { findGlassesLeft } from './glasses-left.ts';
import { judgeNotSeen } from './members-not-seen.ts';

const MAX_SHOWN = 200;
const DAY_MS = 86_400_000;

interface Judged {
  customer_id: string;
  user_id: string;
  name: string;
  tier: string;
  risks: Risk[];
  opted_out: boolean;
  /** Seconds since 1970. */
  last_letter: number | null;
}

type RiskContext = Pick<ReportsContext, 'now' | 'timeZone'>;

interface Candidate {
  customer_id: string;
  overdue: boolean;
  not_seen: NotSeen | null;
  verdicts: string[];
  kinds: RiskKind[];
}

/**
 * Active members who may leave: all, or the given one. Paused members are excluded, as they stay away on purpose.
 * docs/rules/members.md, "Members at risk".
 */
async function findCandidates(ctx: RiskContext, db: Db | Tx, only?: string): Promise<Candidate[]> {
  const now = ctx.now();
  const absent = await judgeNotSeen(db, localDate(now, ctx.timeZone), ctx.timeZone, only);
  const away = new Map(absent.flatMap((it) => (it.risk === 'low' ? [] : [[it.customer_id, it]])));
  const unused = await findGlassesLeft(db, { now, timeZone: ctx.timeZone, only });
  const special = new Map((await findSpecial(db, now, only)).map((it) => [it.customer_id, it]));
  return [...new Set([...away.keys(), ...unused, ...special.keys()])].flatMap((customer_id) => {
    const { standing = null, verdicts = [] } = special.get(customer_id) ?? {};
    if (standing === 'paused') return [];
    const facts = {
      overdue: standing === 'overdue',
      not_seen: away.get(customer_id) ?? null,
      verdicts,
    };
    const kinds = riskKinds({ ...facts, unused: unused.has(customer_id) });
    return kinds.length > 0 ? [{ customer_id, ...facts, kinds }] : [];
  });
}

interface Special {
  customer_id: string;
  standing: 'paused' | 'overdue' | null;
  /** The latest 'not mine' verdicts, if there are enough. */
  verdicts: string[];
}

/** Members with a paused or overdue membership, or several 'not mine' verdicts: few of a club. */
function findSpecial(db: Db | Tx, now: Date, only?: string): Promise<Special[]> {
  const since = sql`${now.toISOString()}::timestamptz - make_interval(days => ${VERDICT_DAYS}::integer)`;
  const one = only ? sql`and customer_id = ${only}::uuid` : sql``;
  return rowsOf<Special>(
    db,
    sql`with disliked as (
          select customer_id from pour_rating where verdict = 'not_mine' and answered_at > ${since} ${one}
           group by 1 having count(*) >= ${VERDICTS_IN_A_ROW}::integer
        ), stood as (
          select m.customer_id, x.standing from membership_term x join memberships m on m.id = x.membership_id
           where x.standing in ('paused', 'overdue') and m.status = 'active' ${one}
             and not exists (select from membership_term y where y.membership_id = x.membership_id and y.since > x.since)
        )
        select c.id as customer_id, s.standing,
               array(select r.verdict from pour_rating r
                      where r.customer_id = d.customer_id and r.verdict is not null and r.answered_at > ${since}
                        and not exists (select from pour_voids v where v.pour_id = r.pour_id)
                      order by r.answered_at desc, r.pour_id limit ${VERDICTS_IN_A_ROW}::integer) as verdicts
          from disliked d full join stood s on s.customer_id = d.customer_id
          join customers c on c.id = coalesce(s.customer_id, d.customer_id) and c.status = 'active'
         where exists (select from memberships m where m.customer_id = c.id and m.status = 'active')`,
  );
}

/** Adds the figures. Members whose reason has gone, as after a pour meanwhile, are left out. */
async function judge(ctx: RiskContext, db: Db | Tx, candidates: Candidate[]): Promise<Judged[]> {
  const now = ctx.now();
  const ids = JSON.stringify(candidates.map(({ customer_id }) => customer_id));
  const details = await rowsOf<
    Omit<Judged, 'risks'> & { left: number; given: number /** Seconds since 1970. */; ends_at: number }
  >(
    db,
    sql`select c.id as customer_id, c.user_id, p.name, c.tier, a.available as left, a.period_pours as given,
               extract(epoch from a.period_end)::float8 as ends_at,
               exists (select from personal_email_opt_out o where o.user_id = c.user_id) as opted_out,
               (select extract(epoch from max(k.created_at))::float8 from personal_email k
                 where k.customer_id = c.id) as last_letter
          from jsonb_array_elements_text(${ids}::jsonb) wanted join customers c on c.id = wanted.value::uuid
          join profiles p on p.id = c.user_id
         cross join lateral member_allowance(c.id, ${now.toISOString()}::timestamptz, ${ctx.timeZone}) a`,
  );
  const detailsOf = new Map(details.map((it) => [it.customer_id, it]));
  return candidates.flatMap((facts) => {
    const found = detailsOf.get(facts.customer_id);
    if (!found) return [];
    const { left, given, ends_at, ...who } = found;
    const ends_in_days = Math.ceil((ends_at * 1000 - now.getTime()) / DAY_MS);
    const risks = risksOf({ ...facts, glasses: { left, given, ends_in_days } });
    return risks.length > 0 ? [{ ...who, risks }] : [];
  });
}

/**
 * One member, with every reason to leave and its figures; null if there is none. docs/rules/members.md, "Members at risk".
 */
export async function judgeMember(
  ctx: RiskContext,
  db: Db | Tx,
  customer_id: string,
): Promise<Judged | null> {
  const [judged = null] = await judge(ctx, db, await findCandidates(ctx, db, customer_id));
  return judged;
}

/**
 * Members most likely to leave first: by the most pressing reason, the number of reasons, then name. Glasses are only
 * counted for those shown. docs/rules/members.md, "Members at risk".
 */
export function listAtRisk(
  ctx: ReportsContext & { venue: Venue },
): Promise<{ total: number; members: MemberAtRisk[] }> {
  return ctx.readLagging(async (db) => {
    const found = await findCandidates(ctx, db);
    const judged = await judge(ctx, db, await firstOf(db, found));
    return { total: found.length, members: judged.map((it) => toMember(ctx, it)) };
  });
}

const rankOf = ({ kinds }: Candidate) => RISK_KINDS.indexOf(kinds[0] ?? 'unused') - kinds.length / 10;

/** The first MAX_SHOWN. Names are only read for ranks that are shown. */
async function firstOf(db: Db, found: Candidate[]): Promise<Candidate[]> {
  const lowest = found.map(rankOf).sort((a, b) => a - b)[Math.min(MAX_SHOWN, found.length) - 1] ?? 0;
  const shown = found.filter((it) => rankOf(it) <= lowest);
  const ids = JSON.stringify(shown.map(({ customer_id }) => customer_id));
  const names = await rowsOf<{ id: string; name: string }>(
    db,
    sql`select c.id, p.name from jsonb_array_elements_text(${ids}::jsonb) wanted
          join customers c on c.id = wanted.value::uuid join profiles p on p.id = c.user_id`,
  );
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  const { compare } = new Intl.Collator();
  return shown
    .sort(
      (a, b) =>
        rankOf(a) - rankOf(b) || compare(nameOf.get(a.customer_id) ?? '', nameOf.get(b.customer_id) ?? ''),
    )
    .slice(0, MAX_SHOWN);
}

function toMember({ now, venue }: ReportsContext & { venue: Venue }, row: Judged): MemberAtRisk {
  const { customer_id, user_id, name, tier, risks, opted_out } = row;
  const kind = risks[0]?.kind ?? 'unused';
  const last_letter = lastPersonalEmailOf(row);
  return {
    customer_id,
    user_id,
    name,
    tier,
    risks,
    act: RISK_ACTS[kind],
    draft: personalEmailDraft(kind, venue.club_name),
    last_letter: last_letter?.toISOString() ?? null,
    obstacle: personalEmailObstacle({ at_risk: true, opted_out, last_letter }, now()),
  };
}

/** When the club last emailed a member at risk. */
export const lastPersonalEmailOf = ({ last_letter }: Pick<Judged, 'last_letter'>): Date | null =>
  last_letter === null ? null : new Date(last_letter * 1000);

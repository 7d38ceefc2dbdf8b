import type { Celebrated } from '../../contract/members.ts';
import { type LocalDate, localDate, startOfDay } from '../../domain/calendar.ts';
import {
  birthdaysOn,
  CELEBRATION_GLASSES,
  type Celebration,
  celebrationReason,
  celebrationsOn,
} from '../../domain/membership/celebration.ts';
import type { Db } from '../db/client.ts';
import { type Placeholder, type SQL, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { celebration } from '../db/schema.ts';
import { lockPool } from './lock-pool.ts';
import type { PourContext } from './pour-context.ts';

export const CELEBRATE_EVERY_MS = 300_000;

type CelebrateContext = Pick<PourContext, 'db' | 'now' | 'newId' | 'venue' | 'club'>;

interface Candidate {
  id: string;
  birth_month: number | null;
  birth_day: number | null;
  member_since: string;
  lifetime: number;
  poured_today: number;
  /** Occasions celebrated before. */
  known: string[];
}

/**
 * Records today's celebrations, with a glass on the house if the club gives one; each occasion once, even with several
 * servers and repeated runs. Returns how many. docs/rules/glasses.md, "Days to celebrate".
 */
export async function celebrate(ctx: CelebrateContext): Promise<number> {
  const today = localDate(ctx.now(), ctx.venue.time_zone);
  let count = 0;
  for (const { id, birth_month: month, birth_day: day, known, ...facts } of await candidates(ctx, today)) {
    const birthday = month && day ? { month, day } : null;
    for (const celebration of celebrationsOn(today, { ...facts, birthday })) {
      if (!known.includes(celebration.occasion) && (await storeCelebration(ctx, id, today, celebration)))
        count += 1;
    }
  }
  return count;
}

function candidates({ db, now, venue }: CelebrateContext, today: LocalDate): Promise<Candidate[]> {
  const since = startOfDay(today, venue.time_zone).toISOString();
  const days = sql.join(
    birthdaysOn(today).map(({ month, day }) => sql`(${month}::integer, ${day}::integer)`),
    sql`, `,
  );
  return rowsOf<Candidate>(
    db,
    sql`with today as (
          select o.customer_id as id from member_about o where (o.birth_month, o.birth_day) in (${days})
          union
          select c.id from customers c
           where c.status = 'active' and c.member_since < ${today}::date
             and (extract(month from c.member_since), extract(day from c.member_since)) in (${days})
          union
          select c.id from customers c where c.status = 'active' and c.total_pours_lifetime >= 100
             and c.last_activity >= ${since}::timestamptz
        )
        select c.id, o.birth_month, o.birth_day, c.member_since::text, c.total_pours_lifetime as lifetime,
               (select coalesce(sum(p.quantity), 0)::integer from pours p
                 where p.customer_id = c.id
                   and (p.created_at >= ${since}::timestamptz or p.recorded_at >= ${since}::timestamptz)
                   and not exists (select from pour_voids v where v.pour_id = p.id)) as poured_today,
               array(select k.occasion from celebration k where k.customer_id = c.id) as known
          from today join customers c on c.id = today.id left join member_about o on o.customer_id = c.id,
               member_allowance(c.id, ${now().toISOString()}::timestamptz, ${venue.time_zone}) a
         where a.access order by c.id`,
  );
}

/** False if another server was faster. */
function storeCelebration(
  { db, now, newId, club, venue }: CelebrateContext,
  customer_id: string,
  day: LocalDate,
  found: Celebration,
): Promise<boolean> {
  const glasses = club.current()[CELEBRATION_GLASSES[found.kind]];
  const created_at = now();
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(celebration)
      .values({ customer_id, day, created_at, ...found })
      .onConflictDoNothing()
      .returning();
    if (!row) return false;
    if (glasses === 0) return true;
    const holder_id = await lockPool(tx, customer_id);
    if (holder_id === null) throw new Error('A celebrated member has no row');
    // Glasses given to a partner belong to the household.
    const gift = {
      id: newId(),
      request_id: newId(),
      customer_id: holder_id,
      kind: 'celebration',
      glasses,
      created_at,
    };
    const json = JSON.stringify({ ...gift, reason: celebrationReason(found) });
    await tx.execute(
      sql`select write_given(jsonb_populate_record(null::given_glasses, ${json}::jsonb), ${venue.time_zone})`,
    );
    await tx
      .update(celebration)
      .set({ given_id: gift.id })
      .where(sql`${celebration.customer_id} = ${customer_id}
      and ${celebration.occasion} = ${found.occasion}`);
    return true;
  });
}

export const celebratedToday = (customer: SQL, today: LocalDate | Placeholder) => sql`
  (select coalesce(jsonb_agg(jsonb_build_object('kind', k.kind, 'occasion', k.occasion, 'years', k.years,
            'glasses', coalesce(celebrated_glasses(k.customer_id, k.given_id), 0)) order by k.occasion), '[]')
     from celebration k
    where k.customer_id = ${customer} and k.day = ${today}::date)`;

export async function listCelebrations(
  { db, now, venue }: Pick<PourContext, 'now' | 'venue'> & { db: Db },
  customerId: string,
): Promise<Celebrated[]> {
  const today = localDate(now(), venue.time_zone);
  const [row] = await rowsOf<{ list: Celebrated[] }>(
    db,
    sql`select ${celebratedToday(sql`${customerId}::uuid`, today)} as list`,
  );
  return row?.list ?? [];
}

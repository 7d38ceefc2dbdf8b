import { sql } from 'drizzle-orm';
import { writeLedger } from '../../scripts/demo/write-ledger.ts';
import type { Db } from '../../src/server/db/client.ts';
import { fillWithMembers } from './crowd.ts';

const STAFF = 20;
const DAYS = 3_650;
/** Staff behind the bar on one evening of seven hours. */
const EACH_NIGHT = 6;
/** One member in ten has been absent this long. */
const AWAY_DAYS = 100;
const AT_ONCE = 500_000;

/**
 * Fills an empty, migrated Postgres with ten years of a club: members who joined throughout, of whom a third left, each
 * with one membership, and pours of every evening in the order of time; one in fifty was voided. Triggers are off
 * meanwhile; the product's functions write the history of memberships.
 */
export async function fillWithHistory(
  db: Db,
  { pours, members, timeZone }: { pours: number; members: number; timeZone: string },
): Promise<void> {
  await fillWithMembers(db, members);
  await fillMemberships(db);
  await fillPours(db, pours, timeZone);
  for (const table of [
    'customers',
    'memberships',
    'membership_term',
    'pours',
    'pour_voids',
    'glass_grant',
    'glass_debit',
    'member_visit',
  ]) {
    await db.execute(sql.raw(`vacuum analyze ${table}`));
  }
}

async function fillMemberships(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`select setseed(0.44)`);
    await tx.execute(sql`
      create table bench_member as
      select (row_number() over (order by id))::integer - 1 as place, id as customer_id, null::date as joined,
             null::date as gone, (array['select', 'premier', 'elite', 'household'])[1 + floor(4 * random())::integer] as tier
        from customers`);
    await tx.execute(sql`
      update bench_member set joined = current_date - ${DAYS}::integer
             + floor(${DAYS}::float8 * place / (select count(*) from bench_member))::integer`);
    await tx.execute(sql`
      update bench_member set gone = joined + 1 + floor(random() * (current_date - joined))::integer
       where random() < 0.33 and joined < current_date - 1`);
    await tx.execute(
      sql`create unique index bench_member_place on bench_member (place) include (customer_id)`,
    );
    await tx.execute(sql`
      update customers c set member_since = b.joined, created_at = b.joined, tier = b.tier,
             status = case when b.gone <= current_date then 'inactive' else 'active' end
        from bench_member b where b.customer_id = c.id`);
    await tx.execute(sql`
      insert into memberships (id, customer_id, tier, start_date, end_date, status, monthly_price_cents)
      select gen_random_uuid(), customer_id, b.tier, joined, case when gone <= current_date then gone end,
             case when gone <= current_date then 'ended' else 'active' end, t.monthly_price_cents
        from bench_member b join tier_definitions t on t.tier_name = b.tier`);
    await tx.execute(sql`select note_membership_term(id) from memberships`);
    await tx.execute(sql`
      insert into leaving_reason (membership_id, reason, created_at)
      select id, (array['price', 'moving', 'seldom_here'])[1 + floor(3 * random())::integer], end_date
        from memberships where end_date is not null`);
    await tx.execute(
      sql`insert into member_directory select r.* from customers c cross join lateral directory_rows(c.id) r`,
    );
  });
}

/** Ids grow with time, as those of the product do. A member only has pours after joining. */
async function fillPours(db: Db, count: number, timeZone: string): Promise<void> {
  await db.execute(sql`drop index pours_of_customer`);
  await db.execute(
    sql`create table bench_staff as select (row_number() over ())::integer - 1 as place, id from (select id from profiles limit ${STAFF}::integer) p`,
  );
  for (let from = 0; from < count; from += AT_ONCE) {
    const until = Math.min(count, from + AT_ONCE);
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`
        insert into pours (id, request_id, customer_id, quantity, location, place, toast_reference_number, status,
                           recorded_by_staff_id, created_at)
        select (lpad(to_hex(n), 32, '0'))::uuid, (lpad(to_hex(n), 32, '0'))::uuid, b.customer_id,
               1 + (n % 5 = 0)::integer, (array['main_bar', 'tasting_room', 'private_event'])[1 + n % 3], 'main_bar',
               'POUR-1781553600000', 'redeemed', s.id, (current_date - ${DAYS}::integer + day)::timestamptz + interval '20 hours' + interval '7 hours' * (whole - day)
          from (select n, whole, floor(whole)::integer as day,
                       floor(random() * greatest(1, (select count(*) from bench_member) * whole / ${DAYS}::float8))::integer as member
                  from (select n, ${DAYS}::float8 * n / ${count}::float8 as whole
                          from generate_series(${from}::integer, ${until - 1}::integer) n) days) wanted
          join bench_member b
            on b.place = member + (day > ${DAYS - AWAY_DAYS}::integer and member % 10 = 0)::integer
          join bench_staff s on s.place = (day * 3 + n % ${EACH_NIGHT}::integer) % ${STAFF}::integer
         order by n`);
    });
  }
  await db.execute(sql`create index pours_of_customer on pours (customer_id, created_at)`);
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into pour_voids (pour_id, reason, voided_by_staff_id, created_at)
      select id, 'spilled', recorded_by_staff_id, created_at + interval '5 minutes' from pours where random() < 0.02`);
    await tx.execute(sql`
      update customers c set last_activity = p.last, total_pours_lifetime = p.glasses
        from (select customer_id, max(created_at) as last, sum(quantity)::integer as glasses from pours group by 1) p
       where p.customer_id = c.id`);
    await tx.execute(sql`
      insert into member_visit (customer_id, last_visit) select id, coalesce(last_activity, '-infinity') from customers`);
    await tx.execute(sql`drop table bench_member, bench_staff`);
    await writeLedger(tx, { now: new Date(), timeZone });
  });
}

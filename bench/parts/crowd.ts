import type { Db } from '../../src/server/db/client.ts';
import { sql } from '../../src/server/db/orm.ts';
import type { PoolLimits } from '../../src/server/db/pool.ts';

/** Filling a million rows takes longer than the product's limit for statements: allow an hour, in milliseconds. */
export const PATIENT: PoolLimits = { connect: 10_000, query: 3_600_000, close: 10_000 };

const array = (words: string[]) => sql.raw(`array[${words.map((it) => `'${it}'`).join(',')}]`);
/** Skewed, as real names are: the first ones are common, the last ones rare. */
const FIRST =
  'Maria,Anna,Thomas,Laura,Daniel,Sofia,Lukas,Emma,David,Julia,Inés,Noor,Hideo,Zoë,Björn,Łukasz,Chloé,Saoirse,Tobias,Wren,Yara,Milos,Ottilie,Caspian,Fenna,Ignatius,Ravi,Signe,Umeko,Vasco'.split(
    ',',
  );
const SYLLABLES =
  'ka,lin,ber,mo,sza,tre,vo,nor,fel,gus,ri,dal,quist,ten,va,lo,mann,sen,ov,ard,pe,hu,zi,wo,schu,bran,cor,dim,ell,fro,gar,hol'.split(
    ',',
  );
const PREFERENCES = JSON.stringify({
  wine_knowledge: 7,
  drinking_frequency: 4,
  red_wine_preference: 9,
  white_wine_preference: 5,
  adventurousness: 8,
});
/** One application in eight has no tier and counts as select. */
const tierOf = sql`(array['select', 'select', 'select', 'premier', 'premier', 'elite', 'household', null])[1 + floor(8 * random())::integer]`;

/**
 * Fills an empty, migrated Postgres with members, by statements over whole tables with triggers off; at the end, writes
 * what the triggers maintain, then its indexes. One member, who joined midway, is called Xanthippe Quigglethorpe.
 */
export async function fillWithMembers(db: Db, count: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`set local maintenance_work_mem = '512MB'`);
    await tx.execute(sql`select setseed(0.42)`);
    await tx.execute(sql`
      insert into profiles (id, name, email, first_name, last_name)
      select gen_random_uuid(), first, lower(fold_text(first) || '.' || fold_text(last) || i || '@' || host), first, last
        from (select i, (${array(FIRST)})[1 + floor(${FIRST.length} * power(random(), 2.5))::integer] as first,
                     initcap((${array(SYLLABLES)})[1 + floor(${SYLLABLES.length} * random())::integer]
                       || (${array(SYLLABLES)})[1 + floor(${SYLLABLES.length} * random())::integer]
                       || (${array(SYLLABLES)})[1 + floor(${SYLLABLES.length} * random())::integer]) as last,
                     (array['example.com', 'mail.test', 'post.example'])[1 + floor(3 * random())::integer] as host
                from generate_series(1, ${count}::integer) i) people`);
    await tx.execute(sql`
      update profiles set first_name = 'Xanthippe', last_name = 'Quigglethorpe', email = 'xq@rare.test'
       where id = (select id from profiles offset ${Math.floor(count / 2)}::integer limit 1)`);
    await tx.execute(sql`
      insert into customers (id, user_id, tier, status, member_since, created_at)
      select gen_random_uuid(), id, 'select', 'active',
             case when last_name = 'Quigglethorpe' then date '2021-06-01'
                  else date '2016-01-01' + floor(3900 * random())::integer end, now()
        from profiles`);
    await tx.execute(sql`drop index profile_search_trigrams, profile_search_ngrams, profile_search_newest`);
    await tx.execute(sql`
      insert into profile_search (user_id, search_text, customer_id, member_since)
      select p.id, profile_search_text(p.first_name, p.last_name, p.email, p.phone), c.id, c.member_since
        from profiles p join customers c on c.user_id = p.id`);
    await tx.execute(sql`
      create index profile_search_trigrams on profile_search using gin (search_text gin_trgm_ops)`);
    await tx.execute(sql`
      create index profile_search_ngrams on profile_search using gin (short_ngrams(search_text))`);
    await tx.execute(sql`
      create index profile_search_newest on profile_search (member_since, customer_id) include (search_text)
        where member_since is not null`);
  });
  for (const table of ['profiles', 'customers', 'profile_search']) {
    await db.execute(sql.raw(`vacuum analyze ${table}`));
  }
}

/**
 * Adds applications to a club that `fillWithMembers` filled: one approved for each member, and as many pending ones of
 * applicants who are no members.
 */
export async function fillWithApplications(db: Db, count: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`select setseed(0.43)`);
    await tx.execute(sql`
      insert into membership_applications
             (id, user_id, status, is_complete, selected_tier, current_step, preferences, created_at, updated_at, reviewed_at)
      select gen_random_uuid(), user_id, 'approved', true, ${tierOf}, 2, ${PREFERENCES}::jsonb, at, at, at
        from (select user_id, member_since::timestamptz + random() * interval '1 day' as at from customers) members`);
    await tx.execute(sql`
      create temp table applicants on commit drop as
      select gen_random_uuid() as id, gen_random_uuid() as user_id, first_name, last_name, 'new.' || email as email
        from profiles order by random() limit ${count}::integer`);
    await tx.execute(sql`
      insert into profiles (id, name, email, first_name, last_name)
      select user_id, first_name, email, first_name, last_name from applicants`);
    await tx.execute(sql`
      insert into profile_search (user_id, search_text)
      select user_id, profile_search_text(first_name, last_name, email, null) from applicants`);
    await tx.execute(sql`
      insert into membership_applications
             (id, user_id, status, is_complete, selected_tier, current_step, preferences, created_at, updated_at)
      select id, user_id, 'pending', true, ${tierOf}, 2, ${PREFERENCES}::jsonb, at, at
        from (select *, timestamptz '2026-09-10' - random() * interval '200 days' as at from applicants) applied`);
  });
  for (const table of ['profiles', 'profile_search', 'membership_applications']) {
    await db.execute(sql.raw(`vacuum analyze ${table}`));
  }
}

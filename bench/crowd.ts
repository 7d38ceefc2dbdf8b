import { sql } from 'drizzle-orm';
import type { Db } from '../src/server/db/client.ts';

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

/**
 * Fills an empty, migrated Postgres with members, in statements over whole tables: triggers are off meanwhile, and
 * the same functions write what they maintain at the end, with the indexes. One member is called
 * Xanthippe Quigglethorpe, and joined in the middle of the club's years.
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
    await tx.execute(sql`drop index profile_search_trigrams, profile_search_ngrams`);
    await tx.execute(sql`
      insert into profile_search (user_id, search_text, customer_id, member_since)
      select p.id, profile_search_text(p.first_name, p.last_name, p.email, p.phone), c.id, c.member_since
        from profiles p join customers c on c.user_id = p.id`);
    await tx.execute(sql`
      create index profile_search_trigrams on profile_search using gin (search_text gin_trgm_ops)`);
    await tx.execute(sql`
      create index profile_search_ngrams on profile_search using gin (short_ngrams(search_text))
        where member_since is not null`);
  });
  for (const table of ['profiles', 'customers', 'profile_search']) {
    await db.execute(sql.raw(`vacuum analyze ${table}`));
  }
}

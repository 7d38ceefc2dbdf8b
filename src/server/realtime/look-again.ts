import { type SQL, sql } from 'drizzle-orm';
import type { MemberEvent } from '../../contract/member-events.ts';
import type { Db } from '../db/client.ts';
import { rowsOf } from '../db/results.ts';

const EVERY_MS = 5_000;

/** What a member's pages show, as two hashes: they change exactly when the database would announce a change. */
const states = (userIds: string[]): SQL => sql`
  select u.id, u.erased_at is not null as erased,
         md5(concat_ws('|', c.total_pours_lifetime, c.last_activity,
           (select string_agg(a::text, ',' order by a.starts_at) from allowance_period a where a.customer_id = c.id),
           (select count(*) from allowance_change x where x.customer_id = c.id))) as pours,
         md5(concat_ws('|', c.tier, c.status, c.member_since,
           (select string_agg((to_jsonb(s) - 'synced_at')::text, ',' order by s.created_at)
              from billing_subscription s where s.user_id = u.id),
           (select string_agg(a.id || a.status, ',' order by a.id)
              from membership_applications a where a.user_id = u.id))) as membership
    from profiles u left join customers c on c.user_id = u.id
   where u.id in ${userIds}`;

interface State {
  id: string;
  erased: boolean;
  pours: string;
  membership: string;
}

/**
 * Where notifications do not arrive, as behind a pooler that gives each transaction another connection: looks every five
 * seconds what changed for the users with an open page, in one statement. A page that has just been opened is told to
 * look once, because nobody knows what it missed.
 */
export function createLookingAgain(
  db: Db,
  watched: () => string[],
  changed: (userId: string, what: MemberEvent) => void,
) {
  let seen = new Map<string, State>();
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    const ids = watched();
    const rows = ids.length === 0 ? [] : await rowsOf<State>(db, states(ids));
    for (const row of rows) {
      const before = seen.get(row.id);
      if (before?.pours !== row.pours) changed(row.id, 'pours');
      if (before?.membership !== row.membership) changed(row.id, 'membership');
      if (row.erased && !before?.erased) changed(row.id, 'account');
    }
    seen = new Map(rows.map((row) => [row.id, row]));
  };
  return {
    look,
    /** Looks from now on, or no more. */
    turn(on: boolean): void {
      clearInterval(timer);
      seen = new Map();
      // A look that fails is made up for by the next one.
      timer = on ? setInterval(() => look().catch(() => undefined), EVERY_MS) : undefined;
    },
  };
}

import type { MemberEvent } from '../../contract/member-events.ts';
import type { Db } from '../db/client.ts';
import { type SQL, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';

const DEAF_EVERY_MS = 5_000;
const EVERY_MS = 10_000;

/** The state that only the recording process announces: a row by primary key for each user. */
const ledgers = (userIds: string[]): SQL => sql`
  select u.id, coalesce(ledger_state(c), '') as ledger
    from profiles u left join customers c on c.user_id = u.id
   where u.id in ${userIds}`;

/**
 * Everything a member's pages show: the ledger's state, whether the account is erased, and hashes that change with each
 * announcement by the database.
 */
const states = (userIds: string[]): SQL => sql`
  select u.id, coalesce(ledger_state(c), '') as ledger, u.erased_at is not null as erased,
         md5(concat_ws('|',
           (select count(*) from glass_grant g where g.customer_id = c.id),
           (select count(*) from glass_grant g join glass_change x on x.grant_id = g.id where g.customer_id = c.id))) as allowance,
         md5(concat_ws('|', c.tier, c.status, c.member_since,
           (select string_agg((to_jsonb(s) - 'synced_at')::text, ',' order by s.created_at)
              from billing_subscription s where s.user_id = u.id),
           (select string_agg(a.id || a.status, ',' order by a.id)
              from membership_applications a where a.user_id = u.id))) as membership
    from profiles u left join customers c on c.user_id = u.id
   where u.id in ${userIds}`;

/** The state that a user's pages were notified of. The last three are known only while no announcement arrives. */
interface State {
  id: string;
  ledger: string;
  erased?: boolean;
  allowance?: string;
  membership?: string;
}

/** The open pages: members' own, and those of staff, which get all members' changes. */
interface Pages {
  watched(): string[];
  changed(userId: string, what: MemberEvent): void;
  staff(): string[];
  notStaff(userId: string): void;
}

/**
 * Finds changes whose announcement is missing, for users with an open page:
 * - while announcements arrive, pours and voids: they are announced after their commit, by a process that may have died;
 * - while none arrive, as behind a pooler that gives each transaction another connection, everything. A page that has just
 *   been opened is then asked to look once, because nobody knows what it missed;
 * - in both cases, staff whose role ended.
 */
export function createLookingAgain(db: Db, { watched, changed, staff, notStaff }: Pages) {
  const ledgerStates = new Map<string, State>();
  const newcomers = new Set<string>();
  let wasDeaf = true;
  let timer: NodeJS.Timeout | undefined;
  let reading = false;

  const reportChanges = (row: State) => {
    const before = ledgerStates.get(row.id);
    if (before?.ledger !== row.ledger || before.allowance !== row.allowance) changed(row.id, 'pours');
    if (before?.membership !== row.membership) changed(row.id, 'membership');
    if (row.erased && !before?.erased) changed(row.id, 'account');
  };
  const lookAtRoles = async () => {
    const ids = staff();
    if (ids.length === 0) return;
    const rows = await rowsOf<{ id: string }>(
      db,
      sql`select user_id as id from user_roles where role = 'staff' and user_id in ${ids}`,
    );
    const staffIds = new Set(rows.map(({ id }) => id));
    for (const id of ids) if (!staffIds.has(id)) notStaff(id);
  };
  const look = async () => {
    await lookAtRoles();
    const ids = watched();
    const rows = ids.length === 0 ? [] : await rowsOf<State>(db, wasDeaf ? states(ids) : ledgers(ids));
    for (const row of rows) reportChanges(row);
    const openIds = new Set(watched());
    for (const id of ledgerStates.keys()) if (!openIds.has(id)) ledgerStates.delete(id);
    for (const row of rows) ledgerStates.set(row.id, row);
  };
  const readOpened = async () => {
    reading = true;
    while (newcomers.size > 0) {
      const ids = [...newcomers];
      newcomers.clear();
      // An unreadable state is found by the next look.
      const rows = await rowsOf<State>(db, ledgers(ids)).catch(() => []);
      for (const row of rows) if (!ledgerStates.has(row.id)) ledgerStates.set(row.id, row);
    }
    reading = false;
  };
  return {
    look,
    /** Notes an opened page, which fetches the current state, so only later changes are news. */
    open(userId: string): void {
      if (wasDeaf || ledgerStates.has(userId)) return;
      newcomers.add(userId);
      if (!reading) void readOpened();
    },
    /** Notes an opened page of staff. A failed look is repeated next time. */
    openVenue: () => void lookAtRoles().catch(() => undefined),
    /** Notes the ledger of an announcement, so that the next look does not announce it again. */
    announced(userId: string, ledger: string): void {
      const state = ledgerStates.get(userId);
      if (state) state.ledger = ledger;
    },
    /** Starts looking; earlier changes may have been missed. */
    start(isDeaf: boolean): void {
      clearInterval(timer);
      ledgerStates.clear();
      wasDeaf = isDeaf;
      // The next look makes up for a failed one.
      timer = setInterval(() => look().catch(() => undefined), isDeaf ? DEAF_EVERY_MS : EVERY_MS);
    },
    stop: () => clearInterval(timer),
  };
}

import type { CsvDownload } from '../../../contract/staff/csv-download.ts';
import type { ListedMember, MemberFilter } from '../../../contract/staff/directory.ts';
import { localDate } from '../../../domain/calendar.ts';
import { type Direction, type MemberOrder, naturalDirection } from '../../../domain/staff/member-filter.ts';
import { barStanding } from '../../../domain/standing.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { exportList } from '../../audit/export-list.ts';
import type { AuditContext } from '../../audit/record-audit.ts';
import type { Db } from '../../db/client.ts';
import { type SQL, sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import type { CsvCell } from '../../platform/csv.ts';
import { decodeCursor, encodeCursor } from '../../platform/cursor.ts';
import { isoInstant, uuidList } from '../../platform/sql-text.ts';
import type { MembershipContext } from '../membership-context.ts';
import { hasWords, searchWords, usersByIndex, usersWith } from '../search-words.ts';
import { matching } from './directory-filter.ts';

const PAGE = 50;
const MOST_COUNTED = 10_000;

/**
 * Members scanned in list order before the index of words is used: a common word fills a page from them, and any other is
 * rare enough for the index (docs/decisions/search-and-lists.md).
 */
const WALKED = 5000;

export type DirectoryContext = Pick<MembershipContext, 'db' | 'now' | 'venue' | 'readLagging'>;

export interface DirectoryPage extends MemberFilter {
  order?: MemberOrder;
  direction?: Direction;
  cursor?: string;
}

/** Sort keys by order, converted to text for the cursor and back. `d` is member_directory, `v` member_visit. */
const KEYS: Record<MemberOrder, { key: SQL; id: SQL; asText: SQL; type: SQL }> = {
  name: {
    id: sql`d.customer_id`,
    key: sql`d.sort_name collate "C"`,
    asText: sql`d.sort_name`,
    type: sql`text`,
  },
  joined: {
    id: sql`d.customer_id`,
    key: sql`d.member_since`,
    asText: sql`to_char(d.member_since, 'YYYY-MM-DD')`,
    type: sql`date`,
  },
  visited: {
    id: sql`v.customer_id`,
    key: sql`v.last_visit`,
    asText: sql`v.last_visit::text`,
    type: sql`timestamptz`,
  },
};

/** Validates a cursor's sort key. Names are any text; the others must be readable by Postgres. */
const IS_KEY: Record<MemberOrder, (text: string) => boolean> = {
  name: () => true,
  joined: (text) => /^\d{4}-\d\d-\d\d$/.test(text),
  visited: (text) => /^(-infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)?)$/.test(text),
};

interface Walk {
  /** The conditions of the filter and of the position. */
  where: SQL;
  key: SQL;
  /** The customer id, from the table whose index has the key. */
  idOf: SQL;
  asText: SQL;
  sorted: SQL;
}

function walkOf(ctx: DirectoryContext, page: DirectoryPage): Walk {
  const { order = 'name', direction = naturalDirection(order), cursor } = page;
  const { key, id: idOf, asText, type } = KEYS[order];
  const isOrder = (part: string) => part === `${order} ${direction}`;
  const [, from, id] = decodeCursor(cursor, isOrder, IS_KEY[order], isUuid) ?? [];
  const comparison = direction === 'asc' ? sql`>` : sql`<`;
  // Includes the id, to order members with equal keys.
  const after = id ? [sql`(${key}, ${idOf}) ${comparison} (${from}::${type}, ${id}::uuid)`] : [];
  return {
    where: sql.join([sql`true`, ...matching(ctx, page), ...after], sql` and `),
    key,
    idOf,
    asText,
    sorted: direction === 'asc' ? sql`asc` : sql`desc`,
  };
}

export const DIRECTORY = sql`member_directory d join member_visit v on v.customer_id = d.customer_id`;

interface Found {
  id: string;
  key: string;
}

/** A page's ids and keys, in order, plus the first of the next page, if any. */
async function findPage(ctx: DirectoryContext, db: Db, page: DirectoryPage, size: number): Promise<Found[]> {
  const { where, key, idOf, asText, sorted } = walkOf(ctx, page);
  const words = searchWords(page.search ?? '');
  const limit = size + 1;
  const ordered = (from: SQL, limit: number) =>
    sql`select d.customer_id as id, ${asText} as key, ${key} as sort, d.user_id from ${from}
         where ${where} order by ${key} ${sorted}, ${idOf} ${sorted} limit ${limit}::integer`;
  if (words.length === 0) return rowsOf<Found>(db, ordered(DIRECTORY, limit));
  const rows = await rowsOf<Found>(
    db,
    sql`select w.id, w.key from (${ordered(DIRECTORY, WALKED)}) w join profile_search on profile_search.user_id = w.user_id
         where ${hasWords(words)} order by w.sort ${sorted}, w.id ${sorted} limit ${limit}::integer`,
  );
  if (rows.length === limit) return rows;
  return rowsOf<Found>(
    db,
    sql`with found as materialized ${usersByIndex(words)}
        ${ordered(
          sql`found join member_directory d on d.user_id = found.user_id
                      join member_visit v on v.customer_id = d.customer_id`,
          limit,
        )}`,
  );
}

interface Row extends Omit<ListedMember, 'standing' | 'payment' | 'tier_label' | 'last_visit' | 'former'> {
  tier_label: string | null;
  status: string;
  stripe_status: string | null;
  grace_until: string | null;
  paused_from: string | null;
  paused_until: string | null;
  ends_at: string | null;
  last_visit: string | null;
  erased: boolean;
}

async function readMembers(ctx: DirectoryContext, ids: string[]): Promise<ListedMember[]> {
  if (ids.length === 0) return [];
  const now = ctx.now();
  const rows = await rowsOf<Row>(
    ctx.db,
    sql`select c.id, c.user_id, p.first_name, p.last_name, p.email, p.phone, c.tier, t.display_name as tier_label, c.status,
               d.stripe_status, ${isoInstant(sql`d.grace_until`)} as grace_until, ${isoInstant(sql`d.ends_at`)} as ends_at,
               ${isoInstant(sql`d.paused_from`)} as paused_from, ${isoInstant(sql`d.paused_until`)} as paused_until,
               to_char(c.member_since, 'YYYY-MM-DD') as member_since, to_char(m.paid_until, 'YYYY-MM-DD') as paid_until,
               ${isoInstant(sql`nullif(v.last_visit, '-infinity')`)} as last_visit, p.erased_at is not null as erased,
               a.available as pours_balance, c.total_pours_lifetime
          from unnest(array[${uuidList(ids)}]) with ordinality as wanted(id, place)
          join customers c on c.id = wanted.id
          join profiles p on p.id = c.user_id
          join member_directory d on d.customer_id = c.id
          join member_visit v on v.customer_id = c.id
          left join tier_definitions t on t.tier_name = c.tier
          left join memberships m on m.customer_id = c.id and m.status = 'active'
          cross join lateral member_allowance(c.id, ${now.toISOString()}::timestamptz, ${ctx.venue.time_zone}) a
         order by wanted.place`,
  );
  return rows.map((row) => toListed(row, now, ctx.venue.time_zone));
}

function toListed(row: Row, now: Date, timeZone: string): ListedMember {
  const {
    status,
    stripe_status,
    grace_until,
    ends_at,
    paused_from,
    paused_until,
    erased,
    tier_label,
    ...rest
  } = row;
  const pause = {
    paused_from: paused_from ? new Date(paused_from) : null,
    paused_until: paused_until ? new Date(paused_until) : null,
  };
  const ends = ends_at ? new Date(ends_at) : null;
  const subscription = stripe_status
    ? {
        status: stripe_status,
        cancel_at_period_end: false,
        // The end of a membership that will not renew is in ends_at already.
        current_period_end: ends ?? now,
        cancel_at: ends,
        grace_until: grace_until ? new Date(grace_until) : null,
        ...pause,
      }
    : null;
  const facts = { active: status === 'active', subscription, ended_on: null, pause };
  return {
    ...rest,
    email: erased ? null : row.email,
    tier_label: tier_label ?? tierLabel(row.tier),
    standing: barStanding(facts, now, timeZone).standing,
    payment: stripe_status ? 'card' : 'venue',
    former: erased,
  };
}

/**
 * Members and former members for staff, a page at a time (docs/rules/members.md, "The list of members"). Searched on a
 * replica if there is one, so the last seconds' changes may be missing; the details shown are the primary's.
 */
export async function listDirectory(ctx: DirectoryContext, page: DirectoryPage, size = PAGE) {
  const { order = 'name', direction = naturalDirection(order) } = page;
  const rows = await ctx.readLagging((db) => findPage(ctx, db, page, size));
  const rowsShown = rows.slice(0, size);
  const last = rows.length > size ? rowsShown.at(-1) : undefined;
  return {
    members: await readMembers(
      ctx,
      rowsShown.map(({ id }) => id),
    ),
    next_cursor: last ? encodeCursor(`${order} ${direction}`, last.key, last.id) : null,
  };
}

/** The condition of a filter with its search, for `DIRECTORY`. */
export function isOnList(ctx: Pick<DirectoryContext, 'now' | 'venue'>, filter: MemberFilter): SQL {
  const words = searchWords(filter.search ?? '');
  const search = words.length === 0 ? [] : [sql`d.user_id in ${usersWith(words)}`];
  return sql.join([sql`true`, ...matching(ctx, filter), ...search], sql` and `);
}

/** Counts the members that match a filter, up to 10,000: counting more would scan them all. */
export async function countDirectory(ctx: DirectoryContext, filter: MemberFilter) {
  const condition = isOnList(ctx, filter);
  const [row] = await ctx.readLagging((db) =>
    rowsOf<{ count: number }>(
      db,
      sql`select count(*)::integer as count
            from (select from ${DIRECTORY} where ${condition} limit ${MOST_COUNTED + 1}::integer) counted`,
    ),
  );
  const count = row?.count ?? 0;
  return { count: Math.min(count, MOST_COUNTED), more: count > MOST_COUNTED };
}

const BATCH = 500;

const HEADER = [
  ...[
    'First name',
    'Last name',
    'Email',
    'Phone',
    'Tier',
    'Standing',
    'Payment',
    'Paid until',
    'Member since',
  ],
  ...['Last visit (UTC)', 'Pours left', 'Lifetime pours', 'Member id'],
];

export function exportDirectory(
  ctx: DirectoryContext & AuditContext,
  filter: Omit<DirectoryPage, 'search' | 'cursor'>,
): Promise<CsvDownload> {
  const act = { act: 'list_exported', subject_id: null, facts: { list: 'members' } } as const;
  return exportList(ctx, act, {
    name: `members-${localDate(ctx.now(), ctx.venue.time_zone)}.csv`,
    header: HEADER,
    async read(cursor: string | null) {
      const page = await listDirectory(ctx, { ...filter, ...(cursor && { cursor }) }, BATCH);
      return { rows: page.members, next: page.next_cursor };
    },
    toCells,
  });
}

const toCells = (it: ListedMember): CsvCell[] => [
  ...[it.first_name, it.last_name, it.email, it.phone, it.tier_label, it.standing, it.payment],
  ...[it.paid_until, it.member_since, it.last_visit, it.pours_balance, it.total_pours_lifetime, it.id],
];

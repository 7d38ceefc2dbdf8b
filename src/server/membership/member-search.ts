import type { MemberRow } from '../../contract/members.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { Db } from '../db/client.ts';
import { type SQL, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { decodeCursor, encodeCursor, isDay } from '../platform/cursor.ts';
import { uuidList } from '../platform/sql-text.ts';
import type { MembershipContext } from './membership-context.ts';
import { hasWords, hasWordsByIndex, searchWords } from './search-words.ts';

const RECENT = 5;
const PAGE = 30;

/**
 * How many of the newest members are scanned before any index is used: a common name fills a page from them, and any other
 * is rare enough for the index (docs/decisions/search-and-lists.md).
 */
const NEWEST_SCANNED = 20_000;
/** A sample of them, which shows whether scanning the rest would fill a page. */
const NEWEST_TRIED = 2_000;

type FoundMember = Omit<MemberRow, 'pours_balance'>;

type Position = { day: string; id: string } | null;

const before = (after: Position) =>
  after ? sql`(member_since, customer_id) < (${after.day}::date, ${after.id}::uuid)` : sql`true`;
// The index's own order, read backward; with `nulls last` the planner would sort every member.
const newestFirst = sql`member_since desc, customer_id desc`;

/** The members found; profiles are joined after the page is cut. */
function withProfiles(matches: SQL): SQL {
  return sql`select c.id, c.user_id, p.first_name, p.last_name, p.email, c.tier, c.status,
                    to_char(f.member_since, 'YYYY-MM-DD') as member_since
               from (${matches}) f
               join customers c on c.id = f.customer_id join profiles p on p.id = c.user_id
              order by f.member_since desc, f.customer_id desc`;
}

/** Matches among the given number of newest members; stops once it has enough. */
export function amongNewest(
  words: string[],
  after: Position,
  limit: number,
  scanLimit: number = NEWEST_SCANNED,
): SQL {
  return withProfiles(
    sql`select customer_id, member_since
          from (select customer_id, member_since, search_text from profile_search
                 where member_since is not null and ${before(after)}
                 order by ${newestFirst} limit ${scanLimit}::integer) newest
         where ${hasWords(words)}
         order by ${newestFirst} limit ${limit}::integer`,
  );
}

export function amongAll(words: string[], after: Position, limit: number): SQL {
  return withProfiles(
    sql`with matching as materialized (
          select customer_id, member_since from profile_search
           where member_since is not null and ${before(after)}
             and ${hasWordsByIndex(words)})
        select customer_id, member_since from matching order by ${newestFirst} limit ${limit}::integer`,
  );
}

type SearchContext = Pick<MembershipContext, 'db' | 'now' | 'venue'>;

interface Search {
  search?: string;
  cursor?: string;
}

interface Found {
  members: FoundMember[];
  next_cursor: string | null;
}

/**
 * Active members for staff, newest first, with their glasses left: the five newest, or with a search every match by
 * first name, last name, email or phone, one page at a time. Several words must all match.
 */
export async function listMembers(ctx: SearchContext, input: Search = {}) {
  return withBalances(ctx, await findMembers(ctx.db, input));
}

/**
 * Searches on a replica if the venue has one: a member who joined seconds ago may be missing. Their glasses come from the
 * primary.
 */
export async function searchMembers(
  ctx: SearchContext & Pick<MembershipContext, 'readLagging'>,
  input: Search,
) {
  return withBalances(ctx, await ctx.readLagging((db) => findMembers(db, input)));
}

async function findMembers(db: Db, { search = '', cursor }: Search): Promise<Found> {
  const words = searchWords(search);
  const position = decodeCursor(cursor, isDay, isUuid);
  const after: Position = position ? { day: position[0] ?? '', id: position[1] ?? '' } : null;
  if (words.length === 0) {
    const members = await rowsOf<FoundMember>(
      db,
      withProfiles(
        sql`select customer_id, member_since from profile_search
             where member_since is not null order by ${newestFirst} limit ${RECENT}::integer`,
      ),
    );
    return { members, next_cursor: null };
  }
  const limit = PAGE + 1;
  let rows = await rowsOf<FoundMember>(db, amongNewest(words, after, limit, NEWEST_TRIED));
  if (rows.length < limit && rows.length * (NEWEST_SCANNED / NEWEST_TRIED) >= limit) {
    rows = await rowsOf<FoundMember>(db, amongNewest(words, after, limit));
  }
  if (rows.length < limit) rows = await rowsOf<FoundMember>(db, amongAll(words, after, limit));
  const members = rows.slice(0, PAGE);
  const last = rows.length > PAGE ? members.at(-1) : undefined;
  return { members, next_cursor: last ? encodeCursor(last.member_since, last.id) : null };
}

async function withBalances({ db, now, venue }: SearchContext, { members, next_cursor }: Found) {
  if (members.length === 0) return { members: [], next_cursor };
  const ids = uuidList(members.map(({ id }) => id));
  const balances = await rowsOf<{ id: string; available: number }>(
    db,
    sql`select m.id, a.available from unnest(array[${ids}]) as m(id),
               member_allowance(m.id, ${now().toISOString()}::timestamptz, ${venue.time_zone}) a`,
  );
  const balanceOf = new Map(balances.map(({ id, available }) => [id, available]));
  return {
    members: members.map(
      (member): MemberRow => ({ ...member, pours_balance: balanceOf.get(member.id) ?? 0 }),
    ),
    next_cursor,
  };
}

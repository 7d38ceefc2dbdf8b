import type { ReviewedApplication } from '../../contract/applications.ts';
import type { CsvDownload } from '../../contract/staff/csv-download.ts';
import { type ApplicationStatus, SURVEY_RATINGS } from '../../domain/application.ts';
import { localDate } from '../../domain/calendar.ts';
import { isUuid } from '../../domain/uuid.ts';
import { exportList } from '../audit/export-list.ts';
import type { Db } from '../db/client.ts';
import { desc, eq, inArray, type SQL, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { membership_applications, profiles } from '../db/schema.ts';
import type { CsvCell } from '../platform/csv.ts';
import { decodeCursor, encodeCursor, isInstant } from '../platform/cursor.ts';
import { reviewedColumns, toReviewed } from './application-reviews.ts';
import type { MembershipContext } from './membership-context.ts';
import { hasWords, searchWords, usersByIndex, usersWith } from './search-words.ts';

// docs/decisions/search-and-lists.md

const PAGE = 25;

/** Fewer than in the search for members, because each requires a look into the search entries. */
const NEWEST_SCANNED = 2_000;

/** The applications that staff look at; 'all' filters nothing. An application without a tier counts as select. */
export interface ApplicationFilter {
  search?: string;
  status: 'all' | ApplicationStatus;
  tier: string;
}

type Database = Pick<MembershipContext, 'db'>;

/** Conditions on `a`, an application; each combination has an index in list order. */
function matches({ status, tier }: ApplicationFilter, after: string[] | null): SQL {
  const conditions = [
    status === 'all' ? [] : [sql`a.status = ${status}`],
    tier === 'all' ? [] : [sql`coalesce(a.selected_tier, 'select') = ${tier}`],
    after ? [sql`(a.created_at, a.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`] : [],
  ].flat();
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
}

const newest = (limit: number) => sql`order by created_at desc, id desc limit ${limit}::integer`;

export function newestApplications(filter: ApplicationFilter, after: string[] | null, limit: number): SQL {
  return sql`select id, user_id, created_at from membership_applications a where ${matches(filter, after)} ${newest(limit)}`;
}

/** The newest applications whose applicant matches the words; stops once it has enough. */
export function amongNewestApplications(
  filter: ApplicationFilter,
  words: string[],
  after: string[] | null,
  limit: number,
): SQL {
  // A subquery for each row preserves the order; the planner might sort a join.
  return sql`select id from (${newestApplications(filter, after, NEWEST_SCANNED)}) newest
              where (select ${hasWords(words)} from profile_search s where s.user_id = newest.user_id)
              ${newest(limit)}`;
}

export function amongAllApplications(
  filter: ApplicationFilter,
  words: string[],
  after: string[] | null,
  limit: number,
): SQL {
  return sql`with found as materialized ${usersByIndex(words)}
             select a.id from found join membership_applications a on a.user_id = found.user_id
              where ${matches(filter, after)} ${newest(limit)}`;
}

async function findIds(
  db: Db,
  filter: ApplicationFilter,
  after: string[] | null,
  limit: number,
): Promise<string[]> {
  const words = searchWords(filter.search ?? '');
  const find = async (statement: SQL) => (await rowsOf<{ id: string }>(db, statement)).map(({ id }) => id);
  if (words.length === 0) return find(newestApplications(filter, after, limit));
  const ids = await find(amongNewestApplications(filter, words, after, limit));
  if (ids.length === limit || (await countFiltered(db, filter)).total <= NEWEST_SCANNED) return ids;
  return find(amongAllApplications(filter, words, after, limit));
}

/** A page without phone numbers. */
export async function listApplications(
  ctx: Database,
  input: ApplicationFilter & { cursor?: string },
  size = PAGE,
) {
  const page = await readApplications(ctx, input, size);
  const applications = page.applications.map(({ applicant: { phone: _, ...applicant }, ...it }) => ({
    ...it,
    applicant,
  }));
  return { ...page, applications };
}

async function readApplications(
  { db }: Database,
  input: ApplicationFilter & { cursor?: string },
  size: number,
) {
  const ids = await findIds(db, input, decodeCursor(input.cursor, isInstant, isUuid), size + 1);
  if (ids.length === 0) return { applications: [], next_cursor: null };
  const rows = await db
    .select(reviewedColumns)
    .from(membership_applications)
    .innerJoin(profiles, eq(profiles.id, membership_applications.user_id))
    .where(inArray(membership_applications.id, ids))
    .orderBy(desc(membership_applications.created_at), desc(membership_applications.id));
  const applications = rows.slice(0, size).map(toReviewed);
  const last = rows.length > size ? applications.at(-1) : undefined;
  return { applications, next_cursor: last ? encodeCursor(last.created_at, last.id) : null };
}

interface Counters {
  /** Matches of the filter. */
  total: number;
  /** All pending applications, complete or not, whatever the filter. */
  pending: number;
}

export async function countApplications({ db }: Database, filter: ApplicationFilter): Promise<Counters> {
  const words = searchWords(filter.search ?? '');
  const counters = await countFiltered(db, filter);
  if (words.length === 0) return counters;
  const newest = await rowsOf(db, amongNewestApplications(filter, words, null, PAGE));
  if (counters.total <= NEWEST_SCANNED && newest.length < PAGE) return { ...counters, total: newest.length };
  // With many matches, an index only makes each slower.
  const users = newest.length < PAGE ? usersByIndex(words) : usersWith(words);
  const [row] = await rowsOf<{ total: number }>(
    db,
    sql`select count(*)::integer as total from membership_applications a
         where ${matches(filter, null)} and a.user_id in ${users}`,
  );
  return { ...counters, total: row?.total ?? 0 };
}

/** Counts without a search, each along an index. */
async function countFiltered(db: Db, filter: ApplicationFilter): Promise<Counters> {
  const [counters] = await rowsOf<Counters>(
    db,
    sql`select (select count(*)::integer from membership_applications a where ${matches(filter, null)}) as total,
               (select count(*)::integer from membership_applications where status = 'pending') as pending`,
  );
  return counters ?? { total: 0, pending: 0 };
}

const BATCH = 500;

const HEADER = [
  ...['Begun (UTC)', 'First name', 'Last name', 'Email', 'Phone', 'Tier', 'Status', 'Complete'],
  ...['Reviewed (UTC)', 'Notes', ...SURVEY_RATINGS, 'Application id'],
];

type Filter = Omit<ApplicationFilter, 'search'>;

/** The applications of a filter as a file, newest first, streamed a few hundred at a time. */
export function exportApplications(ctx: MembershipContext, filter: Filter): Promise<CsvDownload> {
  const act = { act: 'list_exported', subject_id: null, facts: { list: 'applications' } } as const;
  return exportList(ctx, act, {
    name: `applications-${localDate(ctx.now(), ctx.venue.time_zone)}.csv`,
    header: HEADER,
    async read(cursor: string | null) {
      const page = await readApplications(ctx, { ...filter, ...(cursor && { cursor }) }, BATCH);
      return { rows: page.applications, next: page.next_cursor };
    },
    toCells,
  });
}

const toCells = (it: ReviewedApplication): CsvCell[] => [
  ...[it.created_at, it.applicant.first_name, it.applicant.last_name, it.applicant.email, it.applicant.phone],
  ...[it.selected_tier, it.status, it.is_complete ? 'yes' : 'no', it.reviewed_at, it.notes],
  ...SURVEY_RATINGS.map((rating) => it.preferences?.[rating] ?? null),
  it.id,
];

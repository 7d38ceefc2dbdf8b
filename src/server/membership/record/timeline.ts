import type { CsvDownload } from '../../../contract/staff/csv-download.ts';
import type { TimelineEntry } from '../../../contract/staff/member-record.ts';
import { localDate } from '../../../domain/calendar.ts';
import { exportList } from '../../audit/export-list.ts';
import { type SQL, sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import type { CsvCell } from '../../platform/csv.ts';
import { decodeCursor, encodeCursor, isInstant } from '../../platform/cursor.ts';
import { exactInstant, isoInstant } from '../../platform/sql-text.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { MembershipContext } from '../membership-context.ts';
import { type Source, sourcesOf } from './timeline-sources.ts';

const PAGE = 30;

const none = sql`null`;

function newestOf(source: Source, after: SQL, limit: number): SQL {
  const { kind, from, at, id, by, tier, glasses, until, location, cents, currency, text } = source;
  return sql`(select ${kind}::text as kind, ${at} as at, ${id} as id, ${by ?? none}::uuid as by_id, ${tier ?? none}::text as tier,
                     ${glasses ?? none}::integer as glasses, ${until ?? none}::timestamptz as until, ${location ?? none}::text as location,
                     ${cents ?? none}::integer as cents, ${currency ?? none}::text as currency, ${text ?? none}::text as text
                from ${from} and (${at}, ${kind}::text collate "C", ${id} collate "C") < ${after}
               order by ${at} desc, ${id} collate "C" desc limit ${limit}::integer)`;
}

interface Row extends Omit<TimelineEntry, 'amount'> {
  cents: number | null;
  currency: string | null;
  /** The instant with all its digits, for the cursor. */
  exact: string;
}

/**
 * A member's history, newest first, a page at a time, each entry from the row that records it. Throws Refusal NOT_FOUND.
 */
export async function listTimeline(
  { db, venue, currency, actor }: MembershipContext,
  { customer_id, cursor }: { customer_id: string; cursor?: string },
  size = PAGE,
): Promise<{ entries: TimelineEntry[]; next_cursor: string | null }> {
  const user_id = await userOfMember(db, customer_id);
  const [at, kind, id] = decodeCursor(cursor, isInstant, isShort, isShort) ?? [];
  const after = at
    ? sql`(${at}::timestamptz, ${kind}::text, ${id}::text)`
    : sql`('infinity'::timestamptz, ''::text, ''::text)`;
  const sources = sourcesOf({ id: customer_id, user_id }, { zone: venue.time_zone, currency }).map((source) =>
    newestOf(source, after, size + 1),
  );
  const rows = await rowsOf<Row>(
    db,
    sql`select t.kind, t.id, ${isoInstant(sql`t.at`)} as at,
               ${exactInstant(sql`t.at`)} as exact,
               trim(p.first_name || ' ' || p.last_name) as by, t.tier, t.glasses, ${isoInstant(sql`t.until`)} as until, t.location, t.cents, t.currency, t.text
          from (${sql.join(sources, sql` union all `)}) t left join profiles p on p.id = t.by_id
         order by t.at desc, t.kind collate "C" desc, t.id collate "C" desc limit ${size + 1}::integer`,
  );
  const entries = rows.slice(0, size);
  const last = rows.length > size ? entries.at(-1) : undefined;
  return {
    entries: entries.map(({ cents, currency, exact: _, ...entry }) => ({
      ...entry,
      // Staff type notes and reasons for colleagues, not for programs.
      text: actor.api_client ? null : entry.text,
      amount: cents !== null && currency ? { cents, currency } : null,
    })),
    next_cursor: last ? encodeCursor(last.exact, last.kind, last.id) : null,
  };
}

const isShort = (part: string) => part.length <= 100;

const BATCH = 300;

const HEADER = [
  ...['At (UTC)', 'What', 'By', 'Tier', 'Pours', 'Until (UTC)', 'Place'],
  ...['Amount (smallest unit)', 'Currency', 'Text'],
];

/** A member's history as a file, newest first. Throws Refusal NOT_FOUND. */
export async function exportTimeline(
  ctx: MembershipContext,
  { customer_id }: { customer_id: string },
): Promise<CsvDownload> {
  const subject_id = await userOfMember(ctx.db, customer_id);
  return exportList(
    ctx,
    { act: 'list_exported', subject_id, facts: { list: 'timeline' } },
    {
      name: `history-${localDate(ctx.now(), ctx.venue.time_zone)}.csv`,
      header: HEADER,
      async read(cursor: string | null) {
        const page = await listTimeline(ctx, { customer_id, ...(cursor && { cursor }) }, BATCH);
        return { rows: page.entries, next: page.next_cursor };
      },
      toCells,
    },
  );
}

const toCells = (entry: TimelineEntry): CsvCell[] => [
  ...[entry.at, entry.kind, entry.by, entry.tier, entry.glasses, entry.until, entry.location],
  ...[entry.amount?.cents ?? null, entry.amount?.currency ?? null, entry.text],
];

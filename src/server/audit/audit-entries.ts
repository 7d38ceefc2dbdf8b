import type { AuditEntry, AuditFilter } from '../../contract/staff/audit.ts';
import type { CsvDownload } from '../../contract/staff/csv-download.ts';
import { addDays, localDate, startOfDay } from '../../domain/calendar.ts';
import { fromStoredAct, fromStoredFacts, toStoredAct } from '../../domain/staff/stored-audit.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { Db } from '../db/client.ts';
import { alias, and, desc, eq, gte, isNull, lt, ne, or, type SQL } from '../db/orm.ts';
import { audit_entry, profiles } from '../db/schema.ts';
import { type CsvCell, csvFile } from '../platform/csv.ts';
import { decodeCursor, encodeCursor, isInstant } from '../platform/cursor.ts';
import { fullName } from '../platform/sql-text.ts';
import { AUTOMATIC, DEVICES } from './record-audit.ts';

const PAGE = 50;
const EXPORT_PAGE = 500;

interface AuditReader {
  db: Db;
  now(): Date;
  /** The venue's days begin in this zone (IANA name). */
  venue: { time_zone: string };
}

type Row = Awaited<ReturnType<typeof readPage>>[number];

const doer = alias(profiles, 'doer');
const subject = alias(profiles, 'subject');
/** These names are null for the command line and tasks, for an act without a subject, and once the account is gone. */
const doerName: SQL<string | null> = fullName(doer);
const subjectName: SQL<string | null> = fullName(subject);

function ofActor(actor: AuditFilter['who']): SQL | undefined {
  const { actor_id, device } = audit_entry;
  if (actor === undefined) return undefined;
  if (actor === 'command_line') return and(isNull(actor_id), ne(device, DEVICES[AUTOMATIC]));
  if (actor === 'automatic') return and(isNull(actor_id), eq(device, DEVICES[AUTOMATIC]));
  return eq(actor_id, actor);
}

function matching({ venue }: AuditReader, { who, what, whom, from, to }: AuditFilter): SQL | undefined {
  const { act, subject_id, at } = audit_entry;
  return and(
    ofActor(who),
    what && eq(act, toStoredAct(what)),
    whom ? eq(subject_id, whom) : undefined,
    from ? gte(at, startOfDay(from, venue.time_zone)) : undefined,
    to ? lt(at, startOfDay(addDays(to, 1), venue.time_zone)) : undefined,
  );
}

interface Position {
  at: Date;
  id: string;
}

function readPage(ctx: AuditReader, filter: AuditFilter, after: Position | null, limit: number) {
  const { at, id } = audit_entry;
  const position = after && or(lt(at, after.at), and(eq(at, after.at), lt(id, after.id)));
  return ctx.db
    .select({
      entry: audit_entry,
      actor_name: doerName,
      subject_name: subjectName,
    })
    .from(audit_entry)
    .leftJoin(doer, eq(doer.id, audit_entry.actor_id))
    .leftJoin(subject, eq(subject.id, audit_entry.subject_id))
    .where(and(matching(ctx, filter), position ?? undefined))
    .orderBy(desc(at), desc(id))
    .limit(limit);
}

const toEntry = ({ entry, actor_name, subject_name }: Row): AuditEntry => ({
  id: entry.id,
  at: entry.at.toISOString(),
  actor: entry.actor_id === null ? null : { user_id: entry.actor_id, name: actor_name },
  device: entry.device,
  act: fromStoredAct(entry.act),
  subject: entry.subject_id === null ? null : { user_id: entry.subject_id, name: subject_name },
  facts: fromStoredFacts(entry.facts),
});

/** What staff, the command line and tasks did, newest first, one page at a time. */
export async function listAudit(
  ctx: AuditReader,
  { cursor, ...filter }: AuditFilter & { cursor?: string | undefined },
): Promise<{ entries: AuditEntry[]; next_cursor: string | null }> {
  const [at, id] = decodeCursor(cursor, isInstant, isUuid) ?? [];
  const after = at && id ? { at: new Date(at), id } : null;
  const rows = await readPage(ctx, filter, after, PAGE + 1);
  const entries = rows.slice(0, PAGE).map(toEntry);
  const last = rows.length > PAGE ? entries.at(-1) : undefined;
  return { entries, next_cursor: last ? encodeCursor(last.at, last.id) : null };
}

const HEADER = ['At (UTC)', 'Who', 'Who (id)', 'Device', 'What', 'Whom', 'Whom (id)', 'Facts'];

export function exportAudit(ctx: AuditReader, filter: AuditFilter): CsvDownload {
  return csvFile({
    name: `audit-${localDate(ctx.now(), ctx.venue.time_zone)}.csv`,
    header: HEADER,
    async read(after: Position | null) {
      const rows = await readPage(ctx, filter, after, EXPORT_PAGE);
      return { rows, next: rows[EXPORT_PAGE - 1]?.entry ?? null };
    },
    toCells,
  });
}

const toCells = ({ entry, actor_name, subject_name }: Row): CsvCell[] => [
  entry.at,
  entry.actor_id === null ? entry.device : actor_name,
  entry.actor_id,
  entry.device,
  fromStoredAct(entry.act),
  subject_name,
  entry.subject_id,
  Object.entries(fromStoredFacts(entry.facts))
    .map(([fact, value]) => `${fact}: ${value ?? 'none'}`)
    .join('; '),
];

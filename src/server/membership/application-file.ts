import type { ReviewedApplication } from '../../contract/applications.ts';
import type { CsvDownload } from '../../contract/staff/csv-download.ts';
import { SURVEY_RATINGS } from '../../domain/application.ts';
import { localDate } from '../../domain/calendar.ts';
import { type CsvCell, csvFile } from '../platform/csv.ts';
import { type ApplicationFilter, listApplications } from './application-list.ts';
import type { MembershipContext } from './membership-context.ts';
import { noteExport } from './note-export.ts';

const BATCH = 500;

const HEADER = [
  ...['Begun (UTC)', 'First name', 'Last name', 'Email', 'Phone', 'Tier', 'Status', 'Complete'],
  ...['Reviewed (UTC)', 'Notes', ...SURVEY_RATINGS, 'Application id'],
];

type Filter = Omit<ApplicationFilter, 'search'>;

/** The applications of a filter as a file, newest first, read and sent a few hundred at a time. */
export async function exportApplications(ctx: MembershipContext, filter: Filter): Promise<CsvDownload> {
  await noteExport(ctx, 'applications', null);
  return csvFile(`applications-${localDate(ctx.now(), ctx.timeZone)}.csv`, HEADER, batches(ctx, filter));
}

async function* batches(ctx: MembershipContext, filter: Filter): AsyncGenerator<CsvCell[][]> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listApplications>> = await listApplications(
      ctx,
      { ...filter, ...(cursor ? { cursor } : {}) },
      BATCH,
    );
    yield page.applications.map(toCells);
    cursor = page.next_cursor;
  } while (cursor);
}

const toCells = (it: ReviewedApplication): CsvCell[] => [
  ...[it.created_at, it.applicant.first_name, it.applicant.last_name, it.applicant.email, it.applicant.phone],
  ...[it.selected_tier, it.status, it.is_complete ? 'yes' : 'no', it.reviewed_at, it.notes],
  ...SURVEY_RATINGS.map((rating) => it.preferences?.[rating] ?? null),
  it.id,
];

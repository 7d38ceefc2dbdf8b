import type { ReviewedApplication } from '../../contract/applications.ts';
import type { CsvDownload } from '../../contract/staff/csv-download.ts';
import { SURVEY_RATINGS } from '../../domain/application.ts';
import { localDate } from '../../domain/calendar.ts';
import { exportList } from '../audit/export-list.ts';
import type { CsvCell } from '../platform/csv.ts';
import { type ApplicationFilter, listApplications } from './application-list.ts';
import type { MembershipContext } from './membership-context.ts';

const BATCH = 500;

const HEADER = [
  ...['Begun (UTC)', 'First name', 'Last name', 'Email', 'Phone', 'Tier', 'Status', 'Complete'],
  ...['Reviewed (UTC)', 'Notes', ...SURVEY_RATINGS, 'Application id'],
];

type Filter = Omit<ApplicationFilter, 'search'>;

/** The applications matching a filter as a file, newest first, streamed a few hundred at a time. */
export function exportApplications(ctx: MembershipContext, filter: Filter): Promise<CsvDownload> {
  const act = { act: 'list_exported', subject_id: null, facts: { list: 'applications' } } as const;
  return exportList(ctx, act, {
    name: `applications-${localDate(ctx.now(), ctx.timeZone)}.csv`,
    header: HEADER,
    async read(cursor: string | null) {
      const page = await listApplications(ctx, { ...filter, ...(cursor && { cursor }) }, BATCH);
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

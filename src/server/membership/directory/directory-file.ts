import type { CsvDownload } from '../../../contract/staff/csv-download.ts';
import type { ListedMember } from '../../../contract/staff/directory.ts';
import { localDate } from '../../../domain/calendar.ts';
import { exportList } from '../../audit/export-list.ts';
import type { AuditContext } from '../../audit/record-audit.ts';
import type { CsvCell } from '../../platform/csv.ts';
import { type DirectoryContext, type DirectoryPage, listDirectory } from './directory.ts';

const BATCH = 500;

const HEADER = [
  ...['First name', 'Last name', 'Email', 'Phone', 'Tier', 'Standing', 'Payment', 'Member since'],
  ...['Last visit (UTC)', 'Pours left', 'Lifetime pours', 'Member id'],
];

/** The whole list of members as a file, streamed a few hundred at a time. */
export function exportDirectory(
  ctx: DirectoryContext & AuditContext,
  filter: Omit<DirectoryPage, 'search' | 'cursor'>,
): Promise<CsvDownload> {
  const act = { act: 'list_exported', subject_id: null, facts: { list: 'members' } } as const;
  return exportList(ctx, act, {
    name: `members-${localDate(ctx.now(), ctx.timeZone)}.csv`,
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
  ...[it.member_since, it.last_visit, it.pours_balance, it.total_pours_lifetime, it.id],
];

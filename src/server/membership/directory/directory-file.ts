import type { CsvDownload } from '../../../contract/staff/csv-download.ts';
import type { ListedMember } from '../../../contract/staff/directory.ts';
import { localDate } from '../../../domain/calendar.ts';
import type { AuditContext } from '../../audit/record-audit.ts';
import { type CsvCell, csvFile } from '../../platform/csv.ts';
import { noteExport } from '../note-export.ts';
import { type DirectoryContext, type DirectoryPage, listDirectory } from './directory.ts';

const BATCH = 500;

const HEADER = [
  ...['First name', 'Last name', 'Email', 'Phone', 'Tier', 'Standing', 'Payment', 'Member since'],
  ...['Last visit (UTC)', 'Glasses left', 'Glasses in all', 'Member id'],
];

/** The list of members as a file, as long as it is: read and sent a few hundred at a time. The audit says who took it. */
export async function exportDirectory(
  ctx: DirectoryContext & AuditContext,
  filter: Omit<DirectoryPage, 'search' | 'cursor'>,
): Promise<CsvDownload> {
  await noteExport(ctx, 'members', null);
  return csvFile(`members-${localDate(ctx.now(), ctx.timeZone)}.csv`, HEADER, batches(ctx, filter));
}

async function* batches(ctx: DirectoryContext, filter: DirectoryPage): AsyncGenerator<CsvCell[][]> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listDirectory>> = await listDirectory(
      ctx,
      { ...filter, ...(cursor ? { cursor } : {}) },
      BATCH,
    );
    yield page.members.map(toCells);
    cursor = page.next_cursor;
  } while (cursor);
}

const toCells = (it: ListedMember): CsvCell[] => [
  ...[it.first_name, it.last_name, it.email, it.phone, it.tier_label, it.standing, it.payment],
  ...[it.member_since, it.last_visit, it.pours_balance, it.total_pours_lifetime, it.id],
];

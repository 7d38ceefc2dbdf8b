import type { CsvDownload } from '../../../contract/staff/csv-download.ts';
import type { TimelineEntry } from '../../../contract/staff/member-record.ts';
import { localDate } from '../../../domain/calendar.ts';
import { exportList } from '../../audit/export-list.ts';
import type { CsvCell } from '../../platform/csv.ts';
import { userOfMember } from '../../pours/member-user.ts';
import type { MembershipContext } from '../membership-context.ts';
import { listTimeline } from './timeline.ts';

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
      name: `history-${localDate(ctx.now(), ctx.timeZone)}.csv`,
      header: HEADER,
      async read(cursor: string | null) {
        const page = await listTimeline(ctx, { customer_id, ...(cursor && { cursor }) }, BATCH);
        return { rows: page.entries, next: page.next_cursor };
      },
      toCells,
    },
  );
}

const toCells = (it: TimelineEntry): CsvCell[] => [
  ...[it.at, it.kind, it.by, it.tier, it.glasses, it.until, it.location],
  ...[it.amount?.cents ?? null, it.amount?.currency ?? null, it.text],
];

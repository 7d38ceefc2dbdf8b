import type { CsvDownload } from '../../../contract/staff/csv-download.ts';
import type { TimelineEntry } from '../../../contract/staff/member-record.ts';
import { localDate } from '../../../domain/calendar.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { exportList } from '../../audit/export-list.ts';
import { eq } from '../../db/orm.ts';
import { customers } from '../../db/schema.ts';
import type { CsvCell } from '../../platform/csv.ts';
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
  const [customer] = await ctx.db
    .select({ user_id: customers.user_id })
    .from(customers)
    .where(eq(customers.id, customer_id));
  if (!customer) throw new Refusal('NOT_FOUND', { what: 'customer' });
  const { user_id: subject_id } = customer;
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

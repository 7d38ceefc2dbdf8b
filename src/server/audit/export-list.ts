import type { CsvDownload } from '../../contract/staff/csv-download.ts';
import type { AuditedAct } from '../../domain/staff/audit.ts';
import type { Db } from '../db/client.ts';
import { type CsvFile, csvFile } from '../platform/csv.ts';
import { type AuditContext, recordAudit } from './record-audit.ts';

/** A list with names as a file. The audit records who exports it before the first line is sent. */
export async function exportList<Row, Place>(
  ctx: AuditContext & { db: Db },
  act: Extract<AuditedAct, { act: 'list_exported' | 'members_exported' }>,
  file: CsvFile<Row, Place>,
): Promise<CsvDownload> {
  await ctx.db.transaction((tx) => recordAudit(tx, ctx, act));
  return csvFile(file);
}

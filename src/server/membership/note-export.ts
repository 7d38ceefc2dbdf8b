import type { AuditFacts } from '../../domain/staff/audit.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import type { Db } from '../db/client.ts';

/** Writes down that someone takes a list with names as a file, before the first line of it is sent. */
export async function noteExport(
  ctx: AuditContext & { db: Db },
  list: AuditFacts['list_exported']['list'],
  subject_id: string | null,
): Promise<void> {
  await ctx.db.transaction((tx) =>
    recordAudit(tx, ctx, { act: 'list_exported', subject_id, facts: { list } }),
  );
}

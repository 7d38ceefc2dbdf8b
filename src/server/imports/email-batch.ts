import { authEmails } from '../auth/auth-emails.ts';
import { createFirstPasswordLink } from '../auth/password/password-reset.ts';
import type { Tx } from '../db/client.ts';
import { and, asc, eq, isNull } from '../db/orm.ts';
import { accounts, member_import, member_import_row } from '../db/schema.ts';
import { sendEmail } from '../mail/send-email.ts';
import type { ImportRecord, ImportWorker } from './import-context.ts';

/** Emails per run. Receipts and password resets go out in between. */
const BATCH = 5;
const LINK_DAYS = 14;

/** Emails the next few people of an import a link to set a password. True if it may have more. */
export async function emailBatch(ctx: ImportWorker): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const [record] = await tx
      .select()
      .from(member_import)
      .where(eq(member_import.emails_wanted, true))
      .orderBy(asc(member_import.created_at))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!record) return false;
    const rows = await tx
      .select({ row_no: member_import_row.row_no, user_id: member_import_row.user_id })
      .from(member_import_row)
      .where(
        and(
          eq(member_import_row.import_id, record.id),
          eq(member_import_row.outcome, 'imported'),
          isNull(member_import_row.emailed_at),
        ),
      )
      .orderBy(asc(member_import_row.row_no))
      .limit(BATCH);
    let count = 0;
    for (const { row_no, user_id } of rows) {
      if (user_id && (await emailOne(ctx, tx, user_id))) count += 1;
      await tx
        .update(member_import_row)
        .set({ emailed_at: ctx.now() })
        .where(and(eq(member_import_row.import_id, record.id), eq(member_import_row.row_no, row_no)));
    }
    await noteSent(tx, record, count, rows.length < BATCH);
    return rows.length === BATCH;
  });
}

/** Emails one user; false, and no email, if they have already set up a way to sign in. */
async function emailOne(ctx: ImportWorker, tx: Tx, user_id: string): Promise<boolean> {
  if ((await tx.$count(accounts, eq(accounts.userId, user_id))) > 0) return false;
  const link = await createFirstPasswordLink(ctx, tx, user_id, LINK_DAYS * 24);
  await sendEmail(ctx, tx, {
    user_id,
    cause: `imported:${user_id}`,
    aboutMoney: true,
    email: authEmails.imported.about({ link, days: LINK_DAYS }),
  });
  return true;
}

async function noteSent(
  tx: Tx,
  { id, emailed_rows }: ImportRecord,
  count: number,
  last: boolean,
): Promise<void> {
  await tx
    .update(member_import)
    .set({ emailed_rows: emailed_rows + count, ...(last && { emails_wanted: false }) })
    .where(eq(member_import.id, id));
}

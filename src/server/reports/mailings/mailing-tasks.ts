import { MAILING_START_SECONDS, mailingFor } from '../../../domain/club/mailing.ts';
import type { Db } from '../../db/client.ts';
import { and, asc, eq, isNull, lte } from '../../db/orm.ts';
import { customers, mailing, mailing_recipient, personal_email_answer, profiles } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import { type PersonalMailContext, unsubscribeToken } from '../../mail/unsubscribe.ts';
import { personalEmail } from '../at-risk/personal-emails.ts';

const RUN_EVERY_MS = 2_000;
/** Emails per run, about 150 a minute. Receipts and password resets go out in between. */
const BATCH = 5;

interface MailingTaskContext extends PersonalMailContext {
  db: Db;
  now(): Date;
}

/**
 * Emails the next few recipients of the oldest email to a list. Someone who has said no since is left out. A crash leaves
 * the batch done or undone. Returns how many were emailed.
 */
export async function sendBatch(ctx: MailingTaskContext): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const begun = new Date(ctx.now().getTime() - MAILING_START_SECONDS * 1000);
    const [current] = await tx
      .select()
      .from(mailing)
      .where(and(isNull(mailing.finished_at), lte(mailing.created_at, begun)))
      .orderBy(asc(mailing.created_at))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!current) return 0;
    const { mailing_id, customer_id, emailed_at } = mailing_recipient;
    const rows = await tx
      .select({
        customer_id,
        user_id: customers.user_id,
        first_name: profiles.first_name,
        wanted: personal_email_answer.wanted,
      })
      .from(mailing_recipient)
      .innerJoin(customers, eq(customers.id, customer_id))
      .innerJoin(profiles, eq(profiles.id, customers.user_id))
      .leftJoin(personal_email_answer, eq(personal_email_answer.user_id, customers.user_id))
      .where(and(eq(mailing_id, current.id), isNull(emailed_at)))
      .orderBy(asc(customer_id))
      .limit(BATCH);
    let count = 0;
    for (const { customer_id: id, user_id, first_name, wanted } of rows) {
      const isThis = and(eq(mailing_id, current.id), eq(customer_id, id));
      if (!wanted) {
        await tx.delete(mailing_recipient).where(isThis);
        continue;
      }
      await sendEmail(ctx, tx, {
        user_id,
        cause: `mailing:${current.id}:${id}`,
        email: personalEmail(mailingFor(current, first_name)),
        unsubscribeToken: unsubscribeToken(ctx.unsubscribeKey, user_id),
      });
      await tx.update(mailing_recipient).set({ emailed_at: ctx.now() }).where(isThis);
      count += 1;
    }
    if (rows.length < BATCH) {
      await tx.update(mailing).set({ finished_at: ctx.now() }).where(eq(mailing.id, current.id));
    }
    return count;
  });
}

export const mailingTask = (ctx: MailingTaskContext) => ({
  name: 'emails to lists',
  everyMs: RUN_EVERY_MS,
  run: () => sendBatch(ctx),
});

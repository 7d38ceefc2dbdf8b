import type { InputOf, OutputOf } from '../../../contract/base.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { MemberFilter } from '../../../contract/staff/directory.ts';
import type { Mailing, MailingAudience, mailings } from '../../../contract/staff/mailings.ts';
import {
  type Audience,
  MAILING_DAYS,
  type MailingText,
  mailingFor,
  mailingObstacle,
  mailingProblem,
  nextMailingAt,
} from '../../../domain/club/mailing.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, desc, eq, gt, isNull, or, type SQL, sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { mailing, mailing_recipient } from '../../db/schema.ts';
import { composeEmail } from '../../mail/email.ts';
import type { PersonalMailContext } from '../../mail/unsubscribe.ts';
import { DIRECTORY, isOnList } from '../../membership/directory/directory.ts';
import type { Actor } from '../../platform/actor.ts';
import { isoInstant } from '../../platform/sql-text.ts';
import { personalEmail } from '../at-risk/personal-emails.ts';
import type { ReportsContext } from '../reports-context.ts';

// Rules: docs/rules/members.md, "Emails to a list".

interface MailingContext extends Pick<ReportsContext, 'db' | 'now'>, PersonalMailContext {
  actor: Actor;
  newId(): string;
}

/** Members on a list, with their answer about personal emails in `w.wanted`; without deleted accounts. */
const onList = (ctx: MailingContext, filter: MemberFilter): SQL => sql`
  ${DIRECTORY} join profiles p on p.id = d.user_id and p.erased_at is null
    left join personal_email_answer w on w.user_id = d.user_id
  where ${isOnList(ctx, filter)}`;

async function readAudience(ctx: MailingContext, db: Db | Tx, filter: MemberFilter): Promise<Audience> {
  const [row] = await rowsOf<Audience>(
    db,
    sql`select count(*) filter (where w.wanted)::integer as wanted, count(*) filter (where not w.wanted)::integer as refused,
               count(*) filter (where w.wanted is null)::integer as unasked from ${onList(ctx, filter)}`,
  );
  return row ?? { wanted: 0, unasked: 0, refused: 0 };
}

/** When the club last wrote to a list about anything but its opening; null if nothing of it went out, or it is over a week ago. */
async function readLast({ now }: MailingContext, db: Db | Tx): Promise<Date | null> {
  const { about_opening, created_at, stopped_at, id } = mailing;
  const wentOut = sql`exists (select from mailing_recipient r where r.mailing_id = ${id} and r.emailed_at is not null)`;
  const since = new Date(now().getTime() - MAILING_DAYS * 86_400_000);
  const [row] = await db
    .select({ at: created_at })
    .from(mailing)
    .where(and(eq(about_opening, false), gt(created_at, since), or(isNull(stopped_at), wentOut)))
    .orderBy(desc(created_at))
    .limit(1);
  return row?.at ?? null;
}

export async function countAudience(
  ctx: MailingContext,
  { filter }: InputOf<typeof mailings.audience>,
): Promise<MailingAudience> {
  const audience = await readAudience(ctx, ctx.db, filter);
  const last = await readLast(ctx, ctx.db);
  const facts = { audience, sendsEmail: ctx.outbox.sends, last: null, aboutOpening: false };
  return {
    ...audience,
    obstacle: mailingObstacle(facts, ctx.now()),
    next_at: last && nextMailingAt(last).toISOString(),
  };
}

/** Throws Refusal SETTING_REFUSED with the problem. */
function assertWords({ venue }: MailingContext, words: MailingText): void {
  const problem = mailingProblem(words, venue.public_url);
  if (problem) throw new Refusal('SETTING_REFUSED', { why: problem.text });
}

/** The email as the first member on the list gets it. Throws Refusal SETTING_REFUSED. */
export async function previewMailing(
  ctx: MailingContext,
  { filter, ...words }: InputOf<typeof mailings.preview>,
): Promise<OutputOf<typeof mailings.preview>> {
  assertWords(ctx, words);
  const [reader] = await rowsOf<{ name: string; first_name: string }>(
    ctx.db,
    sql`select trim(p.first_name || ' ' || p.last_name) as name, p.first_name from ${onList(ctx, filter)} and w.wanted
         order by d.sort_name collate "C", d.customer_id limit 1`,
  );
  const { name, first_name } = reader ?? { name: 'Ada', first_name: 'Ada' };
  const { subject, text } = composeEmail(
    ctx.venue,
    personalEmail(mailingFor(words, first_name)),
    first_name,
    undefined,
    '...',
  );
  return { reader: name, subject, text };
}

/**
 * Stores an email for the members on a list who agreed to personal emails; it goes out in batches. The same request_id
 * sends it once, and of two at once the second is refused. Throws Refusal SETTING_REFUSED or MAILING_REFUSED.
 */
export async function sendMailing(
  ctx: MailingContext,
  { filter, request_id, about_opening = false, ...words }: InputOf<typeof mailings.send>,
): Promise<Mailing> {
  assertWords(ctx, words);
  return ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('mailings of the venue'))`);
    const [earlier] = await tx
      .select({ id: mailing.id })
      .from(mailing)
      .where(eq(mailing.request_id, request_id));
    if (earlier) return readMailing(tx, earlier.id);
    const audience = await readAudience(ctx, tx, filter);
    const last = await readLast(ctx, tx);
    const facts = { audience, sendsEmail: ctx.outbox.sends, last, aboutOpening: about_opening };
    const reason = mailingObstacle(facts, ctx.now());
    if (reason) throw new Refusal('MAILING_REFUSED', { reason });
    const id = ctx.newId();
    const recipients = audience.wanted;
    await tx.insert(mailing).values({
      ...{ id, request_id, about_opening, recipients, created_at: ctx.now() },
      ...words,
      sent_by_staff_id: ctx.actor.user_id,
    });
    await tx.execute(
      sql`insert into mailing_recipient (mailing_id, customer_id)
          select ${id}::uuid, d.customer_id from ${onList(ctx, filter)} and w.wanted`,
    );
    const about = about_opening ? 'opening' : 'news';
    await recordAudit(tx, ctx, {
      act: 'mailing_sent',
      subject_id: null,
      facts: { mailing_id: id, recipients, about },
    });
    return readMailing(tx, id);
  });
}

/**
 * Stops an email to a list: what has not left the outbox is withdrawn, with the members it was for.
 * Throws Refusal NOT_FOUND.
 */
export async function stopMailing(ctx: MailingContext, { id }: { id: string }): Promise<Mailing> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(mailing).where(eq(mailing.id, id)).for('update');
    if (!row) throw new Refusal('NOT_FOUND', { what: 'mailing' });
    if (!row.finished_at) {
      await tx.execute(
        sql`with withdrawn as (
              delete from deliveries where kind = 'email' and outcome is null and cause like ${`mailing:${id}:%`} returning user_id
            )
            delete from mailing_recipient r using customers c
             where r.mailing_id = ${id} and c.id = r.customer_id
               and (r.emailed_at is null or c.user_id in (select user_id from withdrawn))`,
      );
      const stop = { stopped_at: ctx.now(), stopped_by_staff_id: ctx.actor.user_id };
      await tx
        .update(mailing)
        .set({ ...stop, finished_at: ctx.now() })
        .where(eq(mailing.id, id));
      const emailed = await tx.$count(mailing_recipient, eq(mailing_recipient.mailing_id, id));
      const facts = { mailing_id: id, emailed };
      await recordAudit(tx, ctx, { act: 'mailing_stopped', subject_id: null, facts });
    }
    return readMailing(tx, id);
  });
}

const SHOWN = 50;

export const listMailings = ({ db }: Pick<MailingContext, 'db'>): Promise<Mailing[]> =>
  readMailings(db, sql`true`);

async function readMailing(db: Db | Tx, id: string): Promise<Mailing> {
  const [row] = await readMailings(db, sql`m.id = ${id}`);
  if (!row) throw new Refusal('NOT_FOUND', { what: 'mailing' });
  return row;
}

const readMailings = (db: Db | Tx, condition: SQL): Promise<Mailing[]> =>
  rowsOf<Mailing>(
    db,
    sql`with shown as (
          select m.* from mailing m where ${condition} order by m.created_at desc, m.id desc limit ${SHOWN}::integer
        )
        select m.id, m.subject, m.text, m.about_opening, case when p.erased_at is null then trim(p.first_name || ' ' || p.last_name) end as sent_by,
               ${isoInstant(sql`m.created_at`)} as created_at, m.recipients, r.emailed, r.came,
               case when m.stopped_at is not null then 'stopped' when m.finished_at is not null then 'sent'
                    when r.emailed > 0 then 'sending' else 'waiting' end as state
          from shown m left join profiles p on p.id = m.sent_by_staff_id
         cross join lateral (
           select count(r.emailed_at)::integer as emailed, count(*) filter (where exists (
                    select from pours u where u.customer_id = r.customer_id and u.created_at >= r.emailed_at
                       and u.created_at < r.emailed_at + make_interval(days => ${MAILING_DAYS}::integer)
                       and not exists (select from pour_voids x where x.pour_id = u.id)))::integer as came
             from mailing_recipient r where r.mailing_id = m.id) r
         order by m.created_at desc, m.id desc`,
  );

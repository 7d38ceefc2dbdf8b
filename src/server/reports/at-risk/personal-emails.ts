import { eq } from 'drizzle-orm';
import { Refusal } from '../../../domain/refusal.ts';
import { personalEmailObstacle } from '../../../domain/reports/members-at-risk.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db } from '../../db/client.ts';
import { customers, personal_email, personal_email_opt_out } from '../../db/schema.ts';
import type { EmailMessage } from '../../mail/email-text.ts';
import { type MailContext, sendEmail } from '../../mail/send-email.ts';
import type { Actor } from '../../platform/actor.ts';
import type { ReportsContext } from '../reports-context.ts';
import { findAtRisk, lastPersonalEmailOf } from './members-at-risk.ts';

interface PersonalEmailContext extends ReportsContext, MailContext {
  actor: Actor;
  newId(): string;
}

interface PersonalEmailInput {
  customer_id: string;
  request_id: string;
  subject: string;
  /** Paragraphs separated by empty lines. */
  text: string;
}

/**
 * Sends one member the email that staff approved, with an entry of the audit; the same request_id sends it once. The
 * member's row is held, so that two who write at once send one. Throws Refusal NOT_FOUND or LETTER_REFUSED.
 */
export async function sendPersonalEmail(
  ctx: PersonalEmailContext,
  input: PersonalEmailInput,
): Promise<{ sent_at: string }> {
  const { customer_id, request_id, subject, text } = input;
  return ctx.db.transaction(async (tx) => {
    const [customer] = await tx
      .select()
      .from(customers)
      .where(eq(customers.id, customer_id))
      .for('no key update');
    if (!customer) throw new Refusal('NOT_FOUND', { what: 'customer' });
    const [earlier] = await tx.select().from(personal_email).where(eq(personal_email.request_id, request_id));
    if (earlier?.customer_id === customer_id) return { sent_at: earlier.created_at.toISOString() };
    const [judged] = await findAtRisk(ctx, tx, customer_id);
    const kind = judged?.risks[0]?.kind;
    const now = ctx.now();
    const last_letter = judged ? lastPersonalEmailOf(judged) : null;
    const facts = { at_risk: kind !== undefined, opted_out: judged?.opted_out ?? false, last_letter };
    const reason = earlier ? 'too_soon' : personalEmailObstacle(facts, now);
    if (reason || !kind) throw new Refusal('LETTER_REFUSED', { reason: reason ?? 'not_at_risk' });
    const sent = { id: ctx.newId(), request_id, customer_id, kind, created_at: now };
    await tx.insert(personal_email).values({ ...sent, sent_by_staff_id: ctx.actor.user_id });
    await sendEmail(ctx, tx, {
      user_id: customer.user_id,
      cause: `member-letter:${sent.id}`,
      email: personalEmail(subject, text),
    });
    await recordAudit(tx, ctx, {
      act: 'outreach_sent',
      subject_id: customer.user_id,
      facts: { letter_id: sent.id, kind },
    });
    return { sent_at: now.toISOString() };
  });
}

/** An email that staff wrote themselves, without the venue's wording. */
const personalEmail = (subject: string, text: string): EmailMessage => ({
  kind: null,
  topic: 'membership',
  subject: () => subject,
  content: ({ account }) => [
    ...text.split(/\n\s*\n/).map((paragraph) => paragraph.trim()),
    'To stop these emails:',
    account(),
  ],
  values: () => ({}),
});

interface OwnContext {
  db: Db;
  actor: Actor;
  now(): Date;
}

/** Whether staff may email the actor personally. */
export async function getOwnPersonalEmails({ db, actor }: OwnContext): Promise<{ wanted: boolean }> {
  const refused = await db.$count(personal_email_opt_out, eq(personal_email_opt_out.user_id, actor.user_id));
  return { wanted: refused === 0 };
}

/** Sets whether staff may email the actor personally; emails about the membership always arrive. */
export async function updateOwnPersonalEmails(
  { db, actor, now }: OwnContext,
  { wanted }: { wanted: boolean },
): Promise<{ wanted: boolean }> {
  if (wanted)
    await db.delete(personal_email_opt_out).where(eq(personal_email_opt_out.user_id, actor.user_id));
  else
    await db
      .insert(personal_email_opt_out)
      .values({ user_id: actor.user_id, created_at: now() })
      .onConflictDoNothing();
  return { wanted };
}

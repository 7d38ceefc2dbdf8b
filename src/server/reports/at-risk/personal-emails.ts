import type { InputOf } from '../../../contract/base.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { membersAtRisk } from '../../../contract/staff/members-at-risk.ts';
import {
  type PERSONAL_EMAIL_SOURCES,
  personalEmailObstacle,
} from '../../../domain/reports/members-at-risk.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { and, eq, isNull } from '../../db/orm.ts';
import { customers, personal_email, personal_email_answer, profiles } from '../../db/schema.ts';
import type { EmailMessage } from '../../mail/email-text.ts';
import { sendEmail } from '../../mail/send-email.ts';
import {
  type PersonalMailContext,
  unsubscribeToken,
  userOfUnsubscribeToken,
} from '../../mail/unsubscribe.ts';
import type { Actor } from '../../platform/actor.ts';
import type { ReportsContext } from '../reports-context.ts';
import { findAtRisk, lastPersonalEmailOf } from './members-at-risk.ts';

interface PersonalEmailContext extends Omit<ReportsContext, 'venue'>, PersonalMailContext {
  actor: Actor;
  newId(): string;
}

/**
 * Sends one member the email that staff approved, with an entry of the audit; the same request_id sends it once. The
 * member's row is held, so that two who write at once send one. Throws Refusal NOT_FOUND or LETTER_REFUSED.
 */
export async function sendPersonalEmail(
  ctx: PersonalEmailContext,
  input: InputOf<typeof membersAtRisk.sendEmail>,
): Promise<{ sent_at: string }> {
  const { customer_id, request_id } = input;
  return ctx.db.transaction(async (tx) => {
    const [customer] = await tx
      .select()
      .from(customers)
      .where(eq(customers.id, customer_id))
      .for('no key update');
    if (!customer) throw new Refusal('NOT_FOUND', { what: 'customer' });
    const [earlier] = await tx.select().from(personal_email).where(eq(personal_email.request_id, request_id));
    if (earlier?.customer_id === customer_id) return { sent_at: earlier.created_at.toISOString() };
    const [member] = await findAtRisk(ctx, tx, customer_id);
    const kind = member?.risks[0]?.kind;
    const now = ctx.now();
    const last_email = member ? lastPersonalEmailOf(member) : null;
    const facts = { at_risk: kind !== undefined, wanted: member?.wanted ?? null, last_email };
    const reason = earlier ? 'too_soon' : personalEmailObstacle(facts, now);
    if (reason || !kind) throw new Refusal('LETTER_REFUSED', { reason: reason ?? 'not_at_risk' });
    const email = { id: ctx.newId(), request_id, customer_id, kind, created_at: now };
    await tx.insert(personal_email).values({ ...email, sent_by_staff_id: ctx.actor.user_id });
    await sendEmail(ctx, tx, {
      user_id: customer.user_id,
      cause: `personal-email:${email.id}`,
      email: personalEmail(input),
      unsubscribeToken: unsubscribeToken(ctx.unsubscribeKey, customer.user_id),
    });
    await recordAudit(tx, ctx, {
      act: 'outreach_sent',
      subject_id: customer.user_id,
      facts: { email_id: email.id, kind },
    });
    return { sent_at: now.toISOString() };
  });
}

/** An email that staff wrote themselves, without the venue's wording. */
export const personalEmail = ({ subject, text }: { subject: string; text: string }): EmailMessage => ({
  kind: null,
  topic: 'membership',
  personal: true,
  subject: () => subject,
  content: () => [
    ...text.split(/\n\s*\n/).map((paragraph) => paragraph.trim()),
    'You agreed to emails like this one.',
  ],
  values: () => ({}),
});

type OwnContext = Pick<PersonalEmailContext, 'db' | 'actor' | 'now'>;

export async function getOwnPersonalEmails({ db, actor }: OwnContext): Promise<{ wanted: boolean | null }> {
  const [answer] = await db
    .select({ wanted: personal_email_answer.wanted })
    .from(personal_email_answer)
    .where(eq(personal_email_answer.user_id, actor.user_id));
  return { wanted: answer?.wanted ?? null };
}

interface Answer {
  wanted: boolean;
  place: (typeof PERSONAL_EMAIL_SOURCES)[number];
}

/** Stores whether the actor wants personal emails, and when and where they answered. */
export function updateOwnPersonalEmails(ctx: OwnContext, answer: Answer): Promise<{ wanted: boolean }> {
  return storeAnswer(ctx, ctx.actor.user_id, answer);
}

/**
 * Turns personal emails off for the reader of one, by the secret in it; again changes nothing. Throws Refusal LINK_INVALID,
 * also if the account was deleted.
 */
export async function turnPersonalEmailsOff(
  ctx: Pick<PersonalEmailContext, 'db' | 'now' | 'unsubscribeKey'>,
  { token }: { token: string },
): Promise<{ wanted: boolean }> {
  const user_id = userOfUnsubscribeToken(ctx.unsubscribeKey, token);
  if (!user_id) throw new Refusal('LINK_INVALID');
  const isThere = and(eq(profiles.id, user_id), isNull(profiles.erased_at));
  if ((await ctx.db.$count(profiles, isThere)) === 0) throw new Refusal('LINK_INVALID');
  return storeAnswer(ctx, user_id, { wanted: false, place: 'email' });
}

async function storeAnswer(
  { db, now }: Pick<OwnContext, 'db' | 'now'>,
  user_id: string,
  { wanted, place }: Answer,
): Promise<{ wanted: boolean }> {
  const answer = { wanted, place, answered_at: now() };
  await db
    .insert(personal_email_answer)
    .values({ user_id, ...answer })
    .onConflictDoUpdate({ target: personal_email_answer.user_id, set: answer });
  return { wanted };
}

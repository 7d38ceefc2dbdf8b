import { createHash } from 'node:crypto';
import type { InputOf } from '../../../contract/base.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { MemberAccount, memberAccount } from '../../../contract/staff/member-account.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, gt } from '../../db/orm.ts';
import { customers, email_change, personal_email_answer, profiles } from '../../db/schema.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import type { AuthContext } from '../auth-context.ts';
import { isPendingChange } from '../email-change.ts';
import type { LibraryContext } from '../library-call.ts';
import { isStaff } from '../staff-accounts.ts';
import { accessEmailFor, emailsTo, sendAccessEmail } from './access-email.ts';

// Rules: docs/rules/members.md, "A member's account, by staff".

export type Profile = typeof profiles.$inferSelect;

function versionOf({ first_name, last_name, phone, email }: Profile): string {
  const text = JSON.stringify([first_name, last_name, phone, email]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** The account of a member as staff see it. Throws Refusal NOT_FOUND, also for a deleted account. */
export async function getMemberAccount(
  { db, now, outbox, auth }: Pick<AuthContext, 'db' | 'now' | 'outbox'> & Pick<LibraryContext, 'auth'>,
  { customer_id }: { customer_id: string },
): Promise<MemberAccount> {
  const [row] = await db
    .select({ profile: profiles, change: email_change, personal_emails: personal_email_answer.wanted })
    .from(customers)
    .innerJoin(profiles, eq(profiles.id, customers.user_id))
    .leftJoin(
      email_change,
      and(eq(email_change.user_id, profiles.id), isPendingChange, gt(email_change.expires_at, now())),
    )
    .leftJoin(personal_email_answer, eq(personal_email_answer.user_id, profiles.id))
    .where(eq(customers.id, customer_id));
  if (!row || row.profile.erased_at) throw new Refusal('NOT_FOUND', { what: 'customer' });
  const { profile, change, personal_emails } = row;
  const kind = await accessEmailFor({ auth, outbox }, db, profile.id);
  const { first_name, last_name, phone, email, emailVerified } = profile;
  const access_email = kind && {
    kind,
    sent_at: (await emailsTo(db, profile.id, kind)).last?.toISOString() ?? null,
  };
  return {
    ...{ version: versionOf(profile), first_name, last_name, phone, email },
    email_confirmed: emailVerified,
    pending_email: change && { new_email: change.new_email, expires_at: change.expires_at.toISOString() },
    access_email,
    letter: access_email,
    personal_emails,
    sends_email: outbox.sends,
    of_staff: await isStaff(db, profile.id),
  };
}

/**
 * Locks a member's profile for a change by staff. Staff accounts are excluded: otherwise a manager of members could take
 * over a manager of staff. `version`: of the data shown, if it must still hold. Throws Refusal NOT_FOUND, STAFF_ACCOUNT,
 * MEMBER_CHANGED.
 */
export async function holdAccount(
  tx: Tx,
  { customer_id, version }: { customer_id: string; version?: string },
): Promise<Profile> {
  const [row] = await tx
    .select({ profile: profiles })
    .from(profiles)
    .innerJoin(customers, eq(customers.user_id, profiles.id))
    .where(eq(customers.id, customer_id))
    .for('no key update', { of: profiles });
  if (!row || row.profile.erased_at) throw new Refusal('NOT_FOUND', { what: 'customer' });
  const { profile } = row;
  if (await isStaff(tx, profile.id)) throw new Refusal('STAFF_ACCOUNT');
  if (version !== undefined && version !== versionOf(profile)) throw new Refusal('MEMBER_CHANGED');
  return profile;
}

/** Changes name and phone number. The audit names the fields, not their values. Throws what holdAccount throws. */
export async function updateMemberAccount(
  ctx: AuthContext & LibraryContext,
  input: InputOf<typeof memberAccount.update>,
): Promise<MemberAccount> {
  await ctx.db.transaction(async (tx) => {
    const account = await holdAccount(tx, input);
    const { first_name, last_name } = input;
    const after = { first_name, last_name, phone: input.phone || null };
    const fields = (['first_name', 'last_name', 'phone'] as const).filter((it) => account[it] !== after[it]);
    if (fields.length === 0) return;
    await tx
      .update(profiles)
      .set({ ...after, name: `${first_name} ${last_name}`, updatedAt: ctx.now() })
      .where(eq(profiles.id, account.id));
    const facts = { fields: fields.join(' ') };
    await recordAudit(tx, ctx, { act: 'member_changed', subject_id: account.id, facts });
  });
  return getMemberAccount(ctx, input);
}

/** Resends to one member, by all staff together; the window is in seconds. */
const RESENDS = { max: 3, window: 3600 };
const DAY_SECONDS = 24 * 3600;

/** Counts an email of any kind that staff send a user again. Throws Refusal TOO_MANY_ATTEMPTS. */
export const consumeResend = (
  ctx: Pick<AuthContext, 'now' | 'newId'>,
  tx: Tx,
  user_id: string,
): Promise<void> => consumeRateLimit({ ...ctx, db: tx }, `staff-email|${user_id}`, RESENDS);

/**
 * Sends a member a new link that lets them in, or confirms their email. Throws what holdAccount throws, and Refusal
 * NOTHING_TO_SEND, EMAIL_SENDING_OFF, or TOO_MANY_ATTEMPTS: also when an unconfirmed email has reached its daily limit.
 */
export async function resendAccessEmail(
  ctx: AuthContext & LibraryContext,
  { customer_id }: { customer_id: string },
): Promise<MemberAccount> {
  if (!ctx.outbox.sends) throw new Refusal('EMAIL_SENDING_OFF');
  const { user_id, needed, before } = await ctx.db.transaction(async (tx) => {
    const { id } = await holdAccount(tx, { customer_id });
    const kind = await accessEmailFor(ctx, tx, id);
    if (!kind) throw new Refusal('NOTHING_TO_SEND');
    await consumeResend(ctx, tx, id);
    await recordAudit(tx, ctx, { act: 'email_sent', subject_id: id, facts: { email: kind } });
    return { user_id: id, needed: kind, before: await emailsTo(tx, id, kind) };
  });
  await sendAccessEmail(ctx, user_id);
  const after = await emailsTo(ctx.db, user_id, needed);
  if (after.count <= before.count) {
    throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: DAY_SECONDS });
  }
  return getMemberAccount(ctx, { customer_id });
}

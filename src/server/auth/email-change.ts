import type { z } from 'zod';
import type {
  confirmEmailChangeInput,
  createEmailChangeInput,
  emailChange,
} from '../../contract/auth/auth.ts';
import type { OutputOf } from '../../contract/base.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { Tx } from '../db/client.ts';
import { and, eq, gt, sql } from '../db/orm.ts';
import { refusing } from '../db/results.ts';
import { email_change, profiles } from '../db/schema.ts';
import { mayEmailOwner } from '../mail/address-limits.ts';
import { composeEmail } from '../mail/email.ts';
import type { EmailMessage } from '../mail/email-text.ts';
import { sendEmail } from '../mail/send-email.ts';
import { holdUser } from '../membership/record/locks.ts';
import { deleteRefusedEmails } from '../membership/refused-email.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import {
  assertNotExpired,
  deleteExpiredLinks,
  hasToken,
  newLink,
  readLink,
} from '../platform/secret-link.ts';
import { logOutcome } from './audit-log.ts';
import type { AuthContext, AuthServices } from './auth-context.ts';
import { authEmails } from './auth-emails.ts';
import type { LibraryContext } from './library-call.ts';
import { isOpenedByOwner, PRESS } from './opened-link.ts';
import { reauthenticate } from './password/reauthenticate.ts';
import { revokeAccess } from './revoke-access.ts';

// Rules: docs/rules/accounts.md, "Changing the email".

const LINK_HOURS = 24;
/** For a join with `profiles`: the row of a change that was made stays, so that its link can say so. */
export const isPendingChange = sql<boolean>`${email_change.new_email} <> ${profiles.email}`;

/** Requested changes per account; the window is in seconds. */
export const EMAIL_CHANGES = { max: 5, window: 3600 };

type OwnContext = Pick<AuthContext, 'db' | 'now' | 'outbox' | 'actor'>;
type SessionContext = AuthContext & LibraryContext & { actor: { session_id: string } };

type PendingEmail = OutputOf<typeof emailChange.create>;

/** The actor's email, their change that waits for its link, and whether this installation can send one at all. */
export async function getEmailChange({ db, now, outbox, actor }: OwnContext) {
  const { user_id, new_email, expires_at } = email_change;
  const [row] = await db
    .select({ email: profiles.email, new_email, expires_at })
    .from(profiles)
    .leftJoin(email_change, and(eq(user_id, profiles.id), isPendingChange, gt(expires_at, now())))
    .where(eq(profiles.id, actor.user_id));
  if (!row) throw new Refusal('NOT_SIGNED_IN');
  const { email, new_email: newEmail, expires_at: until } = row;
  return {
    email,
    sends_email: outbox.sends,
    pending: newEmail && until ? { new_email: newEmail, expires_at: until.toISOString() } : null,
  };
}

export async function deleteEmailChange({ db, actor }: OwnContext): Promise<{ removed: boolean }> {
  const { user_id } = email_change;
  const rows = await db.delete(email_change).where(eq(user_id, actor.user_id)).returning({ user_id });
  return { removed: rows.length > 0 };
}

/**
 * Emails a link to the new email and notifies the old one. A new email that has an account gets a warning and no link; the
 * answer and the work are the same. Throws what reauthenticate throws, and Refusal EMAIL_UNCHANGED, EMAIL_SENDING_OFF,
 * TOO_MANY_ATTEMPTS.
 */
export async function createEmailChange(
  ctx: SessionContext,
  { email, password }: z.output<typeof createEmailChangeInput>,
): Promise<PendingEmail> {
  const { db, actor, auth, headers } = ctx;
  const { pending } = await logOutcome(ctx, 'email change asked for', async () => {
    if (!ctx.outbox.sends) throw new Refusal('EMAIL_SENDING_OFF');
    await reauthenticate(ctx, actor.user_id, password);
    await consumeRateLimit(ctx, `email-change|${actor.user_id}`, EMAIL_CHANGES);
    const device_hash = await auth.api.getDevice({ headers });
    const change = await db.transaction((tx) => storeOwnChange(ctx, tx, email.toLowerCase(), device_hash));
    return { user_id: actor.user_id, pending: change };
  });
  return pending;
}

async function storeOwnChange(
  ctx: SessionContext,
  tx: Tx,
  new_email: string,
  device_hash: string | null,
): Promise<PendingEmail> {
  const { user_id, session_id } = ctx.actor;
  // Lock order everywhere: the profile before its change.
  const owner = await holdUser(tx, user_id, 'no key update');
  if (owner.email === new_email) throw new Refusal('EMAIL_UNCHANGED');
  return storeEmailChange(ctx, tx, { own: owner, new_email, asked: { session_id, device_hash } });
}

interface Asked {
  /** Locked by the caller. */
  own: typeof profiles.$inferSelect;
  /** In lowercase. */
  new_email: string;
  /** The requester: the user, whose session and device stay signed in, or staff. */
  asked: { session_id: string; device_hash: string | null } | { asked_by_staff_id: string };
}

export async function storeEmailChange(
  ctx: AuthServices,
  tx: Tx,
  { own, new_email, asked }: Asked,
): Promise<PendingEmail> {
  const { newId } = ctx;
  const byStaff = 'asked_by_staff_id' in asked;
  const { token, link: record } = newLink(ctx, { minutes: LINK_HOURS * 60 });
  const { token_hash, created_at: requested_at, expires_at } = record;
  const change = {
    new_email,
    token_hash,
    session_id: null,
    device_hash: null,
    asked_by_staff_id: null,
    ...asked,
    requested_at,
    expires_at,
  };
  await tx
    .insert(email_change)
    .values({ user_id: own.id, ...change })
    .onConflictDoUpdate({ target: email_change.user_id, set: change });
  await sendEmail(ctx, tx, {
    user_id: own.id,
    cause: `email-change:${newId()}`,
    email: authEmails.email_change_asked.about({ new_email, hours: LINK_HOURS, by_staff: byStaff }),
  });
  const link = authEmails.new_email.about({ token, hours: LINK_HOURS, by_staff: byStaff });
  await writeToNew(ctx, tx, new_email, { email: link, first_name: own.first_name });
  return { new_email, expires_at: expires_at.toISOString() };
}

/**
 * Emails the link to an address that nobody here has; an address with an account gets a warning instead. Neither gets more
 * than its daily number.
 */
async function writeToNew(
  ctx: AuthServices,
  tx: Tx,
  email: string,
  link: { email: EmailMessage; first_name: string },
): Promise<void> {
  const { outbox, venue, newId } = ctx;
  const cause = `new-email:${newId()}`;
  const [owner] = await tx.select().from(profiles).where(eq(profiles.email, email));
  if (!owner) {
    const to = { user_id: null, email, limited: true };
    return outbox.enqueue(tx, cause, to, composeEmail(venue, link.email, link.first_name));
  }
  const isLimited = !owner.emailVerified;
  if (!isLimited && !(await mayEmailOwner(ctx, tx, email))) return;
  await outbox.enqueue(
    tx,
    cause,
    { user_id: owner.id, email, limited: isLimited },
    composeEmail(venue, authEmails.new_email_taken.about(), owner.first_name),
  );
}

/**
 * Changes the email of the person who asked for this link, which counts as confirmed from then on, and ends what REVOKED
 * names except the session and the device that asked. No session is needed: the link reached the new inbox, and the
 * password was given when it was asked for. Once done, repeating it changes nothing. `opened`: isOpenedByOwner. Throws
 * Refusal LINK_INVALID, LINK_EXPIRED, EMAIL_TAKEN.
 */
export async function confirmEmailChange(
  ctx: AuthServices & LibraryContext,
  { token, opened }: z.output<typeof confirmEmailChangeInput>,
): Promise<{ ok: true; press?: true }> {
  const { db, now } = ctx;
  const { user_id, expires_at } = email_change;
  const [link] = await db
    .select({ user_id, expires_at, isPending: isPendingChange })
    .from(email_change)
    .innerJoin(profiles, eq(profiles.id, user_id))
    .where(hasToken(email_change, token));
  if (link && !link.isPending) return { ok: true };
  if (link && opened) {
    assertNotExpired(link, now());
    if (!(await isOpenedByOwner(ctx, link.user_id))) return PRESS;
  }
  const refusals = { profiles_email_unique: new Refusal('EMAIL_TAKEN') };
  await logOutcome(ctx, 'email changed', async () => ({
    user_id: await refusing(refusals, () => db.transaction((tx) => applyChange(ctx, tx, token))),
  }));
  return { ok: true };
}

async function applyChange(ctx: AuthServices, tx: Tx, token: string): Promise<string> {
  const { now, newId, outbox, venue } = ctx;
  const { user_id } = await readLink(tx, email_change, token);
  const [profile] = await tx.select().from(profiles).where(eq(profiles.id, user_id)).for('update');
  // Looked up again under the lock: a link does nothing after a password reset or another change.
  const change = await readLink(tx, email_change, token);
  if (!profile) throw new Refusal('LINK_INVALID');
  assertNotExpired(change, now());
  const { new_email, session_id, device_hash } = change;
  if (profile.email === new_email) return user_id;
  await tx
    .update(profiles)
    .set({ email: new_email, emailVerified: true, updatedAt: now() })
    .where(eq(profiles.id, user_id));
  await revokeAccess(tx, {
    user_id,
    cause: 'email_changed',
    ...(session_id && { except: { session: session_id, device: device_hash } }),
  });
  await deleteRefusedEmails(tx, user_id);
  // Stays until it expires, so that its link says that the change is done, not that it does not work.
  await tx.insert(email_change).values(change);
  await outbox.enqueue(
    tx,
    `email-changed:${newId()}`,
    { user_id, email: profile.email, limited: !profile.emailVerified },
    composeEmail(venue, authEmails.email_changed.about({ new_email }), profile.first_name),
  );
  return user_id;
}

export const deleteOldEmailChanges = ({ db, now }: Pick<AuthServices, 'db' | 'now'>): Promise<void> =>
  deleteExpiredLinks(db, email_change, now());

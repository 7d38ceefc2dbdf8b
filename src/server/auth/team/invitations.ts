import type { z } from 'zod';
import { Refusal } from '../../../contract/refusals.ts';
import type { acceptInvitationInput, Invitation, inviteInput } from '../../../contract/staff/team.ts';
import { deviceName } from '../../../domain/staff/device-name.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { desc, eq } from '../../db/orm.ts';
import { profiles, staff_invitation, user_roles } from '../../db/schema.ts';
import { mayEmailUnconfirmed } from '../../mail/address-limits.ts';
import { composeEmail } from '../../mail/email.ts';
import { CLIENT_IP_HEADER } from '../../platform/client-ip.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import {
  assertNotExpired,
  consumeLink,
  deleteExpiredLinks,
  newLink,
  readLink,
} from '../../platform/secret-link.ts';
import { fullName } from '../../platform/sql-text.ts';
import { logAuthEvent } from '../audit-log.ts';
import type { AuthContext, AuthServices } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import type { LibraryContext } from '../library-call.ts';
import { assertHardToGuess } from '../password/password-rules.ts';
import { reauthenticate } from '../password/reauthenticate.ts';
import { giveStaffRole } from '../staff-accounts.ts';
import { givePermission, hasPermission, lockStaffPermissions } from './permissions.ts';

// Rules: docs/rules/staff.md, "Staff and permissions".

const LINK_HOURS = 72;
/** Invitations per manager; the window is in seconds. */
const INVITATIONS = { max: 20, window: 3600 };
const DAY_SECONDS = 86_400;
/** How long an expired invitation stays in the list, to be sent again. */
const KEPT_EXPIRED_MS = 30 * DAY_SECONDS * 1000;

const inviterName = fullName(profiles);

type Row = typeof staff_invitation.$inferSelect;

const toInvitation = (row: Row, invited_by: string): Invitation => ({
  id: row.id,
  email: row.email,
  permissions: row.permissions,
  invited_by,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});

export async function listInvitations({ db }: { db: Db }): Promise<Invitation[]> {
  const rows = await db
    .select({ invitation: staff_invitation, invited_by: inviterName })
    .from(staff_invitation)
    .innerJoin(profiles, eq(profiles.id, staff_invitation.invited_by_staff_id))
    .orderBy(desc(staff_invitation.created_at), desc(staff_invitation.id));
  return rows.map((it) => toInvitation(it.invitation, it.invited_by));
}

/**
 * Emails a link to join the staff. With permissions, requires the actor's password. Does not reveal whether the email has a
 * member's account. Throws what reauthenticate throws, and Refusal PASSWORD_REQUIRED, NOT_ALLOWED, ALREADY_STAFF,
 * INVITATION_NEEDS_EMAIL, TOO_MANY_ATTEMPTS.
 */
export async function inviteToTeam(
  ctx: AuthContext,
  { email: address, permissions, password }: z.output<typeof inviteInput>,
): Promise<Invitation> {
  const { actor, db, newId, outbox, venue } = ctx;
  if (!outbox.sends) throw new Refusal('INVITATION_NEEDS_EMAIL');
  if (password !== undefined) await reauthenticate(ctx, actor.user_id, password);
  else if (permissions.length > 0) throw new Refusal('PASSWORD_REQUIRED');
  await consumeRateLimit(ctx, `invitation|${actor.user_id}`, INVITATIONS);
  const email = address.toLowerCase();
  const { token, link } = newLink(ctx, { minutes: LINK_HOURS * 60 });
  const invitation = {
    id: newId(),
    permissions: [...new Set(permissions)],
    invited_by_staff_id: actor.user_id,
    ...link,
  };
  return db.transaction(async (tx) => {
    // Locked, because ending a permission only ends invitations that exist by then.
    await lockStaffPermissions(tx);
    if (!(await hasPermission({ db: tx }, actor.user_id, 'manage_staff'))) throw new Refusal('NOT_ALLOWED');
    const owner = await ownerOf(tx, email);
    if (owner?.role === 'staff') throw new Refusal('ALREADY_STAFF');
    if (!owner?.confirmed && !(await mayEmailUnconfirmed(ctx, tx, email))) {
      throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: DAY_SECONDS });
    }
    const [row] = await tx
      .insert(staff_invitation)
      .values({ email, ...invitation })
      .onConflictDoUpdate({ target: staff_invitation.email, set: invitation })
      .returning();
    if (!row) throw new Error('The insert returned no row');
    const [inviter] = await tx
      .select({ name: inviterName })
      .from(profiles)
      .where(eq(profiles.id, actor.user_id));
    const invited_by = inviter?.name ?? '';
    await outbox.enqueue(
      tx,
      `staff-invitation:${row.id}`,
      { user_id: owner?.id ?? null, email, limited: false },
      composeEmail(venue, authEmails.staff_invitation.about({ invited_by, token, hours: LINK_HOURS }), null),
    );
    const facts = { invitation_id: row.id, permissions: row.permissions.join(', ') };
    await recordAudit(tx, ctx, { act: 'staff_invited', subject_id: null, facts });
    return toInvitation(row, invited_by);
  });
}

/** Withdraws an invitation; its link stops working. Throws Refusal NOT_FOUND. */
export async function withdrawInvitation(
  ctx: AuthContext,
  { id }: { id: string },
): Promise<{ removed: true }> {
  return ctx.db.transaction(async (tx) => {
    const rows = await tx.delete(staff_invitation).where(eq(staff_invitation.id, id)).returning();
    if (rows.length === 0) throw new Refusal('NOT_FOUND', { what: 'invitation' });
    const facts = { invitation_id: id };
    await recordAudit(tx, ctx, { act: 'invitation_withdrawn', subject_id: null, facts });
    return { removed: true };
  });
}

async function ownerOf(db: Db | Tx, email: string) {
  const [owner] = await db
    .select({ id: profiles.id, confirmed: profiles.emailVerified, role: user_roles.role })
    .from(profiles)
    .innerJoin(user_roles, eq(user_roles.user_id, profiles.id))
    .where(eq(profiles.email, email));
  return owner;
}

/** The invitation of a valid link. Throws Refusal LINK_INVALID, LINK_EXPIRED. */
async function followLink({ db, now }: { db: Db | Tx; now(): Date }, token: string): Promise<Row> {
  const row = await readLink(db, staff_invitation, token);
  // An invitation can grant no more than its sender may.
  if (!(await hasPermission({ db }, row.invited_by_staff_id, 'manage_staff'))) {
    throw new Refusal('LINK_INVALID');
  }
  assertNotExpired(row, now());
  return row;
}

const needsOf = (owner: Awaited<ReturnType<typeof ownerOf>>) =>
  !owner ? 'name and password' : owner.confirmed ? 'own password' : 'password';

/** The invited email, and the fields its owner must enter. Throws Refusal LINK_INVALID, LINK_EXPIRED. */
export async function readInvitation(ctx: AuthServices, { token }: { token: string }) {
  const { email } = await followLink(ctx, token);
  return { email, needs: needsOf(await ownerOf(ctx.db, email)) } as const;
}

/**
 * Makes the account of the invited email staff, with the permissions that came with the invitation, and creates it if there
 * is none. Following the link proves the inbox, but not who made the account, even if its email is confirmed: a machine may
 * have followed that link. So only the password of the account keeps what is there; a new one ends it all. Throws Refusal
 * LINK_INVALID, LINK_EXPIRED, PASSWORD_NEEDED, PASSWORD_COMMON, PASSWORD_PERSONAL, WRONG_PASSWORD, NO_PASSWORD.
 */
export async function acceptInvitation(
  ctx: AuthServices & LibraryContext,
  { token, first_name = '', last_name = '', password, own_password }: z.output<typeof acceptInvitationInput>,
): Promise<{ email: string }> {
  const { db, now, newId, auth, headers, log } = ctx;
  const { email } = await followLink(ctx, token);
  const account = await ownerOf(db, email);
  const needs = needsOf(account);
  const keepsPassword = needs === 'own password' && own_password !== undefined;
  if (account && keepsPassword) await reauthenticate(ctx, account.id, own_password);
  const needsPassword = !keepsPassword && !password;
  if (needsPassword || (needs === 'name and password' && !(first_name && last_name))) {
    throw new Refusal('PASSWORD_NEEDED');
  }
  let hash = '';
  if (!keepsPassword && password) {
    await assertHardToGuess(ctx, password, { email, first_name, last_name });
    // Hashing is slow on purpose, so it comes before the transaction.
    hash = await (await auth.$context).password.hash(password);
  }
  const user_id = await db.transaction(async (tx) => {
    // The lock freezes permissions from here on, including the inviter's.
    await lockStaffPermissions(tx);
    const row = await followLink({ db: tx, now }, token);
    await consumeLink(tx, staff_invitation, token);
    const owner = await ownerOf(tx, email);
    if (owner?.role === 'staff' || needsOf(owner) !== needs) {
      throw new Refusal('LINK_INVALID');
    }
    const names = { first_name, last_name };
    const { user_id: memberId, outcome } = await giveStaffRole(tx, ctx, {
      ...{ email, names },
      hashed: keepsPassword ? null : hash,
    });
    const inviter = { user_id: row.invited_by_staff_id, role: 'staff', device: 'Invitation' } as const;
    const device = deviceName(headers.get('user-agent'));
    const self = { user_id: memberId, role: 'staff', device } as const;
    const facts = { invitation_id: row.id, account: outcome };
    await recordAudit(tx, { now, newId, actor: self }, { act: 'staff_joined', subject_id: memberId, facts });
    for (const permission of row.permissions) {
      await givePermission(tx, { now, newId, actor: inviter }, { user_id: memberId, permission });
    }
    return memberId;
  });
  logAuthEvent(log, 'invitation accepted', { user_id, from: headers.get(CLIENT_IP_HEADER) });
  return { email };
}

export const deleteOldInvitations = ({ db, now }: Pick<AuthServices, 'db' | 'now'>): Promise<void> =>
  deleteExpiredLinks(db, staff_invitation, new Date(now().getTime() - KEPT_EXPIRED_MS));

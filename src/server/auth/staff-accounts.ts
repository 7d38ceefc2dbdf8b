import { Refusal } from '../../contract/refusals.ts';
import { STAFF_PERMISSIONS } from '../../domain/staff/staff-permission.ts';
import { type AuditContext, COMMAND_LINE, recordAudit } from '../audit/record-audit.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, eq } from '../db/orm.ts';
import { refusing } from '../db/results.ts';
import { accounts, profiles, two_factors, user_roles } from '../db/schema.ts';
import { endCards, endSharingAsHolder } from '../membership/ways-to-drink.ts';
import type { AuthServices } from './auth-context.ts';
import { hashPassword, type PasswordHashCost } from './password/hash.ts';
import { createFirstPasswordLink } from './password/password-reset.ts';
import { revokeAccess, userOfEmail } from './revoke-access.ts';
import { givePermission } from './team/permissions.ts';

export interface StaffAccount {
  user_id: string;
  email: string;
  /**
   * made: just now, with the given password. taken_over: an account with this email lost its access and got the given
   * password. promoted: one became staff and kept its password, or was staff already; its sessions ended.
   */
  outcome: 'made' | 'taken_over' | 'promoted';
}

/**
 * Creates a staff account, or makes an existing account staff, which ends all access to it. The first staff account gets every
 * permission (db/functions/staff.sql). Used by the operator's commands.
 */
export async function addStaff(
  { db, now, newId }: Pick<AuthServices, 'db' | 'now' | 'newId'>,
  typedEmail: string,
  password: string,
  cost?: PasswordHashCost,
): Promise<StaffAccount> {
  const email = typedEmail.trim().toLowerCase();
  const hash = await hashPassword(password, cost);
  const names = { first_name: email.split('@')[0] ?? email, last_name: '' };
  return db.transaction(async (tx) => {
    const { user_id, outcome } = await giveStaffRole(tx, { now, newId }, { email, names, hashed: hash });
    const facts = { account: outcome };
    await recordAudit(
      tx,
      { now, newId, actor: COMMAND_LINE },
      { act: 'staff_added', subject_id: user_id, facts },
    );
    return { user_id, email, outcome };
  });
}

/**
 * Gives the staff role to the account with this email, and creates the account if there is none. The caller vouches for the
 * email, which does not say who made the account: it is taken over with the password `hashed`, or kept if its owner proved
 * its own (null). Who is staff already with a confirmed email is left alone. Only a new account uses `names`.
 */
export async function giveStaffRole(
  tx: Tx,
  { now, newId }: Pick<AuthServices, 'now' | 'newId'>,
  account: { email: string; names: { first_name: string; last_name: string }; hashed: string | null },
): Promise<Pick<StaffAccount, 'user_id' | 'outcome'>> {
  const { email, names, hashed } = account;
  const [user] = await tx
    .select({ id: profiles.id, confirmed: profiles.emailVerified, role: user_roles.role })
    .from(profiles)
    .innerJoin(user_roles, eq(user_roles.user_id, profiles.id))
    .where(eq(profiles.email, email));
  const user_id = user?.id ?? newId();
  const times = { createdAt: now(), updatedAt: now() };
  if (!user) {
    const name = `${names.first_name} ${names.last_name}`.trim();
    await tx.insert(profiles).values({ id: user_id, name, email, emailVerified: true, ...names, ...times });
  }
  const isTaken = user !== undefined && hashed !== null && !(user.confirmed && user.role === 'staff');
  if (isTaken) await takeOver(tx, user_id);
  if (!user || isTaken) {
    await tx.insert(accounts).values({
      id: newId(),
      userId: user_id,
      accountId: user_id,
      providerId: 'credential',
      password: hashed,
      ...times,
    });
  }
  await tx.update(user_roles).set({ role: 'staff' }).where(eq(user_roles.user_id, user_id));
  return { user_id, outcome: isTaken ? 'taken_over' : user ? 'promoted' : 'made' };
}

/**
 * The result of an invitation. A new or taken-over account gets a random password that nobody knows, and a link to choose
 * one.
 */
export interface InvitedStaff extends Pick<StaffAccount, 'email' | 'outcome'> {
  /** Null for an account that was staff already, and keeps its password. */
  link: string | null;
}

export async function inviteStaff(
  ctx: Pick<AuthServices, 'db' | 'now' | 'newId' | 'newSecret' | 'venue'>,
  typedEmail: string,
): Promise<InvitedStaff> {
  const { user_id, email, outcome } = await addStaff(ctx, typedEmail, ctx.newSecret());
  if (outcome === 'promoted') return { email, outcome, link: null };
  const link = await ctx.db.transaction((tx) => createFirstPasswordLink(ctx, tx, user_id));
  return { email, outcome, link };
}

/**
 * Confirms an account's email, which the caller vouches for, and ends all access set up before that, which may be a
 * stranger's.
 */
async function takeOver(tx: Tx, user_id: string): Promise<void> {
  await endUnprovenAccess(tx, user_id);
  await tx.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, user_id));
}

/**
 * Ends every way to sign in to an account that nothing proves to be its owner's, including its password, and its ways to drink.
 * Anyone can sign up with any email, so someone other than its owner may have made the account.
 */
export async function endUnprovenAccess(tx: Tx, user_id: string): Promise<void> {
  await revokeAccess(tx, { user_id, cause: 'email_taken_over' });
  await tx.delete(accounts).where(eq(accounts.userId, user_id));
  await tx.delete(two_factors).where(eq(two_factors.userId, user_id));
  await tx.update(profiles).set({ twoFactorEnabled: false }).where(eq(profiles.id, user_id));
  await endCards(tx, user_id);
  await endSharingAsHolder(tx, user_id);
}

type OperatorContext = Pick<AuthServices, 'db' | 'now' | 'newId'>;

/** False if there is no staff account. Throws Refusal LAST_STAFF_MANAGER. */
export async function removeStaff(ctx: OperatorContext, email: string): Promise<boolean> {
  return refusingStaffRules(() =>
    ctx.db.transaction(async (tx) => {
      const user_id = await userOfEmail(tx, email);
      return user_id !== null && endStaffRole(tx, { ...ctx, actor: COMMAND_LINE }, user_id);
    }),
  );
}

/** False if there is no staff account. */
export async function giveAllPermissions(ctx: OperatorContext, email: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const user_id = await userOfEmail(tx, email);
    if (user_id === null || !(await isStaff(tx, user_id))) return false;
    for (const permission of STAFF_PERMISSIONS) {
      await givePermission(tx, { ...ctx, actor: COMMAND_LINE }, { user_id, permission });
    }
    return true;
  });
}

/** False if the user is not staff. */
export async function endStaffRole(tx: Tx, ctx: AuditContext, user_id: string): Promise<boolean> {
  const rows = await tx
    .update(user_roles)
    .set({ role: 'customer' })
    .where(and(eq(user_roles.user_id, user_id), eq(user_roles.role, 'staff')))
    .returning();
  if (rows.length === 0) return false;
  await revokeAccess(tx, { user_id, cause: 'role_removed' });
  await recordAudit(tx, ctx, { act: 'staff_removed', subject_id: user_id, facts: {} });
  return true;
}

/** Throws Refusal LAST_STAFF_MANAGER or NOT_FOUND for what the triggers in db/functions/staff.sql refuse. */
export const refusingStaffRules = <T>(work: () => Promise<T>): Promise<T> =>
  refusing(
    {
      someone_manages_staff: new Refusal('LAST_STAFF_MANAGER'),
      permission_needs_role: new Refusal('NOT_FOUND', { what: 'staff' }),
    },
    work,
  );

export async function isStaff(db: Db | Tx, user_id: string): Promise<boolean> {
  return (
    (await db.$count(user_roles, and(eq(user_roles.user_id, user_id), eq(user_roles.role, 'staff')))) > 0
  );
}

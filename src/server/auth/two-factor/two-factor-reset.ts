import { type AuditContext, COMMAND_LINE, recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { profiles, two_factors, used_totp_codes, user_roles } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import type { Role } from '../../platform/actor.ts';
import type { AuthServices } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import { revokeAccess } from '../revoke-access.ts';

/** Removes a user's second factor. False if there was none. */
export async function removeSecondFactor(tx: Tx, user_id: string, at: Date): Promise<boolean> {
  const rows = await tx.delete(two_factors).where(eq(two_factors.userId, user_id)).returning();
  if (rows.length === 0) return false;
  await tx.delete(used_totp_codes).where(eq(used_totp_codes.user_id, user_id));
  await tx.update(profiles).set({ twoFactorEnabled: false, updatedAt: at }).where(eq(profiles.id, user_id));
  return true;
}

/**
 * Turns a user's two-step sign-in off, ends their sessions and emails them. The operator, whose command this is, makes sure
 * that the owner is asking. False, with nothing done, if there is no account or second factor.
 */
export async function resetTwoFactor(
  ctx: Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'>,
  email: string,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const [user] = await tx
      .select({ id: profiles.id, role: user_roles.role })
      .from(profiles)
      .innerJoin(user_roles, eq(user_roles.user_id, profiles.id))
      .where(eq(profiles.email, email.trim().toLowerCase()));
    return user ? resetTwoFactorOf(tx, { ...ctx, actor: COMMAND_LINE }, user) : false;
  });
}

export async function resetTwoFactorOf(
  tx: Tx,
  ctx: Pick<AuthServices, 'outbox' | 'venue'> & AuditContext,
  { id: user_id, role }: { id: string; role: Role },
): Promise<boolean> {
  if (!(await removeSecondFactor(tx, user_id, ctx.now()))) return false;
  await revokeAccess(tx, { user_id, cause: 'two_factor_reset' });
  await recordAudit(tx, ctx, { act: 'two_factor_reset', subject_id: user_id, facts: {} });
  const settings = role === 'staff' ? '/staff/account' : '/account/security';
  await sendEmail(ctx, tx, {
    user_id,
    cause: `second-factor-removed:${ctx.newId()}`,
    email: authEmails.two_factor_reset.about({ settings }),
  });
  return true;
}

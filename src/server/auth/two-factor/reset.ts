import { eq } from 'drizzle-orm';
import { profiles, sessions, two_factors, used_totp_codes, user_roles } from '../../db/schema.ts';
import type { AuthServices } from '../context.ts';
import { twoFactorResetEmail } from '../emails.ts';

/**
 * Takes the second factor of an account away, of a member or of staff, when phone and backup codes are lost: the
 * password alone signs in again. All its sessions and trusted devices end, and a mail tells the owner. False, and
 * nothing done, when there is no such account or it has no second factor. Reached only by the operator of the
 * machine (scripts/staff.ts), who makes sure that it is the owner who asks.
 */
export async function resetTwoFactor(
  { db, now, newId, outbox, venue }: Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'>,
  email: string,
): Promise<boolean> {
  const address = email.trim().toLowerCase();
  return db.transaction(async (tx) => {
    const [person] = await tx
      .select({ id: profiles.id, first_name: profiles.first_name, role: user_roles.role })
      .from(profiles)
      .innerJoin(user_roles, eq(user_roles.user_id, profiles.id))
      .where(eq(profiles.email, address));
    if (!person) return false;
    // A trigger takes the trusted devices, and sign-ins that wait for a code.
    const removed = await tx.delete(two_factors).where(eq(two_factors.userId, person.id)).returning();
    if (removed.length === 0) return false;
    await tx.delete(used_totp_codes).where(eq(used_totp_codes.user_id, person.id));
    await tx
      .update(profiles)
      .set({ twoFactorEnabled: false, updatedAt: now() })
      .where(eq(profiles.id, person.id));
    await tx.delete(sessions).where(eq(sessions.userId, person.id));
    const settings = person.role === 'staff' ? '/staff/settings' : '/account';
    await outbox.post(
      tx,
      `second-factor-removed:${newId()}`,
      { user_id: person.id, email: address },
      twoFactorResetEmail(venue, person.first_name, settings),
    );
    return true;
  });
}

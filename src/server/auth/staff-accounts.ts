import { and, eq } from 'drizzle-orm';
import type { Tx } from '../db/client.ts';
import {
  accounts,
  api_clients,
  passkeys,
  profiles,
  sessions,
  two_factors,
  user_roles,
} from '../db/schema.ts';
import type { AuthServices } from './context.ts';
import { hashPassword, type PasswordHashCost } from './password/hash.ts';

export interface StaffAccount {
  email: string;
  /**
   * made: now, with the password given. taken_over: somebody had signed up with this address and never showed
   * that they read its mail, so their ways in are gone and the password given counts. promoted: as it was.
   */
  outcome: 'made' | 'taken_over' | 'promoted';
}

/**
 * Makes a staff account, or makes an existing account staff. Its sessions end, so that the new role holds at
 * once. Reached only by the operator of the machine (scripts/staff.ts); no client can set a role.
 */
export async function addStaff(
  { db, now, newId }: Pick<AuthServices, 'db' | 'now' | 'newId'>,
  email: string,
  password: string,
  cost?: PasswordHashCost,
): Promise<StaffAccount> {
  const address = email.trim().toLowerCase();
  const hashed = await hashPassword(password, cost);
  return db.transaction(async (tx) => {
    const [existing] = await tx
      .select({ id: profiles.id, confirmed: profiles.emailVerified })
      .from(profiles)
      .where(eq(profiles.email, address));
    const user_id = existing?.id ?? newId();
    if (!existing) {
      const at = now();
      const first_name = address.split('@')[0] ?? address;
      await tx.insert(profiles).values({
        id: user_id,
        name: first_name,
        email: address,
        // The operator, who typed it, answers for it.
        emailVerified: true,
        first_name,
        last_name: '',
        createdAt: at,
        updatedAt: at,
      });
    }
    const stranger = existing?.confirmed === false;
    if (stranger) await takeOver(tx, user_id);
    if (!existing || stranger) {
      const at = now();
      await tx.insert(accounts).values({
        id: newId(),
        userId: user_id,
        accountId: user_id,
        providerId: 'credential',
        password: hashed,
        createdAt: at,
        updatedAt: at,
      });
    }
    await tx.update(user_roles).set({ role: 'staff' }).where(eq(user_roles.user_id, user_id));
    return { email: address, outcome: stranger ? 'taken_over' : existing ? 'promoted' : 'made' };
  });
}

/**
 * Anybody can sign up with anybody's address: what an account got before its address was confirmed must not
 * come along when the operator trusts the address.
 */
async function takeOver(tx: Tx, user_id: string): Promise<void> {
  await tx.delete(accounts).where(eq(accounts.userId, user_id));
  await tx.delete(passkeys).where(eq(passkeys.userId, user_id));
  await tx.delete(two_factors).where(eq(two_factors.userId, user_id));
  await tx.delete(api_clients).where(eq(api_clients.user_id, user_id));
  await tx.delete(sessions).where(eq(sessions.userId, user_id));
  await tx
    .update(profiles)
    .set({ emailVerified: true, twoFactorEnabled: false })
    .where(eq(profiles.id, user_id));
}

/** Takes the staff role away; the account stays, as a customer. False when there is no such staff account. */
export async function removeStaff({ db }: Pick<AuthServices, 'db'>, email: string): Promise<boolean> {
  const [profile] = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(profiles.email, email.trim().toLowerCase()));
  if (!profile) return false;
  const changed = await db
    .update(user_roles)
    .set({ role: 'customer' })
    .where(and(eq(user_roles.user_id, profile.id), eq(user_roles.role, 'staff')))
    .returning();
  return changed.length > 0;
}

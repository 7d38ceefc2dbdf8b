import { and, eq } from 'drizzle-orm';
import { hashPassword } from './auth.ts';
import type { Services } from './context.ts';
import { accounts, profiles, user_roles } from './db/schema.ts';

export interface StaffAccount {
  email: string;
  /** True when the account was made now, with the password given; false when an existing one was promoted. */
  created: boolean;
}

/**
 * Makes a staff account, or makes an existing account staff. Its sessions end, so that the new role holds at
 * once. Reached only by the operator of the machine (scripts/staff.ts); no client can set a role.
 */
export async function addStaff(
  { db, now, newId }: Pick<Services, 'db' | 'now' | 'newId'>,
  email: string,
  password: string,
): Promise<StaffAccount> {
  const address = email.trim().toLowerCase();
  const hashed = await hashPassword(password);
  return db.transaction(async (tx) => {
    const [existing] = await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.email, address));
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
    return { email: address, created: !existing };
  });
}

/** Takes the staff role away; the account stays, as a customer. False when there is no such staff account. */
export async function removeStaff({ db }: Pick<Services, 'db'>, email: string): Promise<boolean> {
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

import { eq } from 'drizzle-orm';
import { api_clients, profiles, sessions, verifications } from '../db/schema.ts';
import type { AuthServices } from './context.ts';

/** What was ended. */
export interface SignedOut {
  sessions: number;
  machines: number;
}

/**
 * Ends every session of an account, of a member or of staff, takes its machines away and trusts none of its devices
 * any more; a recovery link that is open ends as well. Its password, passkeys and linked accounts stay. Null when
 * there is no such account. Reached only by the operator of the machine (scripts/staff.ts).
 */
export async function signOutEverywhere(
  { db }: Pick<AuthServices, 'db'>,
  email: string,
): Promise<SignedOut | null> {
  return db.transaction(async (tx) => {
    const [person] = await tx
      .select({ id: profiles.id })
      .from(profiles)
      .where(eq(profiles.email, email.trim().toLowerCase()));
    if (!person) return null;
    const ended = await tx.delete(sessions).where(eq(sessions.userId, person.id)).returning();
    // Trusted devices, sign-ins waiting for their second factor, links to a new password.
    await tx.delete(verifications).where(eq(verifications.value, person.id));
    const removed = await tx
      .delete(api_clients)
      .where(eq(api_clients.user_id, person.id))
      .returning({ id: api_clients.id });
    return { sessions: ended.length, machines: removed.length };
  });
}

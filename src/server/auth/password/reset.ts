import { and, eq, isNull, ne } from 'drizzle-orm';
import { accounts, api_clients, passkeys, profiles, verifications } from '../../db/schema.ts';
import type { AuthServices } from '../context.ts';
import { passwordChangedEmail, passwordResetEmail } from '../emails.ts';

const RESET_LINK_MINUTES = 30;

type RecoveryServices = Pick<AuthServices, 'db' | 'newId' | 'outbox' | 'venue'>;

/** The parts of password recovery that are ours: the letters, and what ends with the old password. */
export function passwordReset({ db, newId, outbox, venue }: RecoveryServices) {
  const recipient = async (user_id: string) => {
    const [person] = await db
      .select({ email: profiles.email, first_name: profiles.first_name })
      .from(profiles)
      .where(and(eq(profiles.id, user_id), isNull(profiles.erased_at)));
    return person;
  };
  return {
    resetPasswordTokenExpiresIn: RESET_LINK_MINUTES * 60,
    revokeSessionsOnPasswordReset: true,
    async sendResetPassword({ user, token }: { user: { id: string }; token: string }): Promise<void> {
      const person = await recipient(user.id);
      if (!person) return;
      const words = passwordResetEmail(venue, person.first_name, token, RESET_LINK_MINUTES);
      await outbox.post(db, `recovery:${newId()}`, { user_id: user.id, email: person.email }, words);
    },
    async onPasswordReset({ user }: { user: { id: string } }): Promise<void> {
      const person = await recipient(user.id);
      await db.transaction(async (tx) => {
        // Other recovery links, sign-ins waiting for their second factor, trusted devices.
        await tx.delete(verifications).where(eq(verifications.value, user.id));
        // Whoever had the account in their hands may have linked their own, or let a machine in.
        await tx.delete(api_clients).where(eq(api_clients.user_id, user.id));
        await tx
          .delete(accounts)
          .where(and(eq(accounts.userId, user.id), ne(accounts.providerId, 'credential')));
        // The link came by mail: whoever followed it reads what is sent to the address.
        await tx.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, user.id));
        // Whoever knew the old password could add one: it must not outlive that.
        const removed = await tx
          .delete(passkeys)
          .where(eq(passkeys.userId, user.id))
          .returning({ id: passkeys.id });
        if (!person) return;
        const to = { user_id: user.id, email: person.email };
        await outbox.post(
          tx,
          `password-changed:${newId()}`,
          to,
          passwordChangedEmail(venue, person.first_name, removed.length > 0),
        );
      });
    },
  };
}

import { eq } from 'drizzle-orm';
import { profiles } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import type { AuthServices } from '../auth-context.ts';
import { passwordChangedEmail, passwordResetEmail } from '../auth-emails.ts';
import { revokeAccess } from '../revoke-access.ts';

const RESET_LINK_MINUTES = 30;

/** The parts of a password reset that are ours: the emails, and what ends with the old password. */
export function passwordReset(config: Pick<AuthServices, 'db' | 'newId' | 'outbox' | 'venue'>) {
  const { db, newId } = config;
  return {
    resetPasswordTokenExpiresIn: RESET_LINK_MINUTES * 60,
    async sendResetPassword({ user, token }: { user: { id: string }; token: string }): Promise<void> {
      await sendEmail(config, db, {
        user_id: user.id,
        cause: `recovery:${newId()}`,
        compose: (venue, firstName) => passwordResetEmail(venue, firstName, token, RESET_LINK_MINUTES),
      });
    },
    async onPasswordReset({ user: { id: user_id } }: { user: { id: string } }): Promise<void> {
      await db.transaction(async (tx) => {
        // An intruder may have linked an account, added a passkey or created an API client: nothing of it stays.
        const { passkeys } = await revokeAccess(tx, { user_id, cause: 'password_reset' });
        // The link came by email, so following it proves access to that inbox.
        await tx.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, user_id));
        await sendEmail(config, tx, {
          user_id,
          cause: `password-changed:${newId()}`,
          compose: (venue, firstName) => passwordChangedEmail(venue, firstName, passkeys > 0),
        });
      });
    },
  };
}

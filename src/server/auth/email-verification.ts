import { createEmailVerificationToken } from 'better-auth/api';
import { Refusal } from '../../contract/refusals.ts';
import type { VerifyEmailMode } from '../config/env.ts';
import { sendEmail } from '../mail/send-email.ts';
import type { AuthServices } from './auth-context.ts';
import { authEmails } from './auth-emails.ts';
import { toAuthError } from './auth-error.ts';

const VERIFICATION_LINK_HOURS = 24;
const LINK_SECONDS = VERIFICATION_LINK_HOURS * 3600;

interface VerificationConfig extends Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'> {
  secret: string;
  verifyEmail: VerifyEmailMode;
}

export function emailVerification(config: VerificationConfig) {
  const { newId, secret, verifyEmail } = config;

  async function sendLink(user_id: string, token: string): Promise<void> {
    await sendEmail(config, config.db, {
      user_id,
      cause: `address:${newId()}`,
      email: authEmails.verification.about({ token, hours: VERIFICATION_LINK_HOURS }),
    });
  }

  /** Emails a user a new link. */
  async function sendVerification({ id, email }: { id: string; email: string }): Promise<void> {
    await sendLink(id, await createEmailVerificationToken(secret, email, undefined, LINK_SECONDS));
  }

  /** Sign-ins without a password call this. If the email must be confirmed first, it sends a new link and throws. */
  async function admit(user: { id: string; email: string; emailVerified: boolean }): Promise<void> {
    if (verifyEmail !== 'required' || user.emailVerified) return;
    await sendVerification(user);
    throw toAuthError(new Refusal('EMAIL_NOT_VERIFIED'));
  }

  return {
    sendVerification,
    admit,
    requireEmailVerification: verifyEmail === 'required',
    ...(verifyEmail !== 'off' && {
      emailVerification: {
        expiresIn: LINK_SECONDS,
        // sign-up.ts sends it instead.
        sendOnSignUp: false,
        sendOnSignIn: true,
        sendVerificationEmail: ({ user, token }: { user: { id: string }; token: string }) =>
          sendLink(user.id, token),
      },
    }),
  };
}

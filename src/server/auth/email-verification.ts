import { createAuthMiddleware, createEmailVerificationToken, isAPIError } from 'better-auth/api';
import { Refusal } from '../../contract/refusals.ts';
import type { VerifyEmailMode } from '../config/env.ts';
import { eq } from '../db/orm.ts';
import { profiles } from '../db/schema.ts';
import { mayEmailOwner } from '../mail/address-limits.ts';
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
  const { db, newId, secret, verifyEmail } = config;

  async function sendLink(user_id: string, token: string): Promise<void> {
    await sendEmail(config, db, {
      user_id,
      cause: `address:${newId()}`,
      email: authEmails.verification.about({ token, hours: VERIFICATION_LINK_HOURS }),
    });
  }

  const newToken = (email: string) => createEmailVerificationToken(secret, email, undefined, LINK_SECONDS);

  /**
   * Emails the new user after the sign-up, because its transaction occupies the embedded database. A sign-up with an
   * existing account's email is reported by email alone, with advice to reset the password: someone else may have created
   * the account and know its password.
   */
  const welcome = createAuthMiddleware(async ({ path, body, context }) => {
    if (path !== '/sign-up/email' || verifyEmail === 'off' || isAPIError(context.returned)) return;
    const email = String(body?.email).toLowerCase();
    const { id, emailVerified: confirmed } = profiles;
    const [user] = await db.select({ id, confirmed }).from(profiles).where(eq(profiles.email, email));
    if (!user) return;
    const created = (context.returned as { user?: { id?: string } } | undefined)?.user?.id;
    if (created === user.id) return sendLink(user.id, await newToken(email));
    if (user.confirmed && !(await mayEmailOwner(config, db, email))) return;
    await sendEmail(config, db, {
      user_id: user.id,
      cause: `account-exists:${newId()}`,
      email: authEmails.account_exists.about(),
    });
  });

  /** Sign-ins without a password call this. If the email must be confirmed first, it sends a new link and throws. */
  async function admit(user: { id: string; email: string; emailVerified: boolean }): Promise<void> {
    if (verifyEmail !== 'required' || user.emailVerified) return;
    await sendLink(user.id, await newToken(user.email));
    throw toAuthError(new Refusal('EMAIL_NOT_VERIFIED'));
  }

  return {
    welcome,
    admit,
    requireEmailVerification: verifyEmail === 'required',
    ...(verifyEmail !== 'off' && {
      emailVerification: {
        expiresIn: LINK_SECONDS,
        // `welcome` sends it instead.
        sendOnSignUp: false,
        sendOnSignIn: true,
        sendVerificationEmail: ({ user, token }: { user: { id: string }; token: string }) =>
          sendLink(user.id, token),
      },
    }),
  };
}

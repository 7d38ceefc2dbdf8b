import { APIError, createAuthMiddleware, createEmailVerificationToken, isAPIError } from 'better-auth/api';
import { eq } from 'drizzle-orm';
import { Refusal } from '../../domain/refusal.ts';
import type { VerifyEmailMode } from '../config/env.ts';
import { profiles } from '../db/schema.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import type { AuthServices } from './context.ts';
import { accountExistsEmail, verificationEmail } from './emails.ts';

const VERIFICATION_LINK_HOURS = 24;
const LINK_SECONDS = VERIFICATION_LINK_HOURS * 3600;
/** Letters to one account in an hour, whatever asks for them: sign-in asks too, without saying so. */
const LETTERS = { max: 10, window: 3600 };

interface AddressServices extends Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'> {
  secret: string;
  verifyEmail: VerifyEmailMode;
}

/** Whether a mail address is its owner's: the letters, and when they are sent. */
export function emailVerification(services: AddressServices) {
  const { db, newId, outbox, venue, secret, verifyEmail } = services;

  /** False, and nothing said, once a mailbox has had enough. */
  async function mayWriteTo(user_id: string): Promise<boolean> {
    try {
      await consumeRateLimit(services, `address-letter|${user_id}`, LETTERS);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  async function sendLink(user: { id: string; email: string }, token: string): Promise<void> {
    if (!(await mayWriteTo(user.id))) return;
    const [person] = await db
      .select({ first_name: profiles.first_name })
      .from(profiles)
      .where(eq(profiles.id, user.id));
    if (!person) return;
    const words = verificationEmail(venue, person.first_name, token, VERIFICATION_LINK_HOURS);
    await outbox.post(db, `address:${newId()}`, { user_id: user.id, email: user.email }, words);
  }

  /**
   * After the sign-up, as its transaction has the embedded database for itself. Whoever signs up with an address
   * that has an account is told so by mail alone, and sent to choose a new password: the account may be a
   * stranger's, who would go on knowing the old one.
   */
  const welcome = createAuthMiddleware(async ({ path, body, context }) => {
    if (path !== '/sign-up/email' || verifyEmail === 'off' || isAPIError(context.returned)) return;
    const email = String(body?.email).toLowerCase();
    const [person] = await db
      .select({ id: profiles.id, first_name: profiles.first_name })
      .from(profiles)
      .where(eq(profiles.email, email));
    if (!person) return;
    const made = (context.returned as { user?: { id?: string } } | undefined)?.user?.id;
    if (made === person.id) {
      const token = await createEmailVerificationToken(secret, email, undefined, LINK_SECONDS);
      return sendLink({ id: person.id, email }, token);
    }
    if (!(await mayWriteTo(person.id))) return;
    const to = { user_id: person.id, email };
    await outbox.post(db, `account-exists:${newId()}`, to, accountExistsEmail(venue, person.first_name));
  });

  /** For sign-ins without a password. Throws where the address must be confirmed first, and sends a new link. */
  async function admit(user: { id: string; email: string; emailVerified: boolean }): Promise<void> {
    if (verifyEmail !== 'required' || user.emailVerified) return;
    await sendLink(user, await createEmailVerificationToken(secret, user.email, undefined, LINK_SECONDS));
    throw new APIError('FORBIDDEN', { code: 'EMAIL_NOT_VERIFIED', message: 'Email not verified' });
  }

  return {
    welcome,
    admit,
    requireEmailVerification: verifyEmail === 'required',
    ...(verifyEmail !== 'off' && {
      emailVerification: {
        expiresIn: LINK_SECONDS,
        // By `welcome` instead.
        sendOnSignUp: false,
        sendOnSignIn: true,
        sendVerificationEmail: ({ user, token }: { user: { id: string; email: string }; token: string }) =>
          sendLink(user, token),
      },
    }),
  };
}

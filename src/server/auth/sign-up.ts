import type { z } from 'zod';
import type { signUpInput } from '../../contract/auth/auth.ts';
import { accountConsent } from '../../domain/consent.ts';
import { eq } from '../db/orm.ts';
import { profiles } from '../db/schema.ts';
import { mayEmailOwner } from '../mail/address-limits.ts';
import { sendEmail } from '../mail/send-email.ts';
import { agreedWords } from '../membership/consents.ts';
import type { AuthServices } from './auth-context.ts';
import { authEmails } from './auth-emails.ts';
import { callLibrary, type LibraryContext } from './library-call.ts';
import { assertHardToGuess } from './password/password-rules.ts';

export type SignUpContext = LibraryContext & Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'>;

type NewPerson = z.output<typeof signUpInput>;

/**
 * Creates a customer, signed in unless their email must be confirmed first, and stores what they agreed to.
 * Throws Refusal EMAIL_TAKEN, PASSWORD_COMMON, PASSWORD_PERSONAL, CONSENT_OUTDATED, CAPTCHA_REQUIRED, CAPTCHA_FAILED,
 * TOO_MANY_ATTEMPTS.
 */
export async function signUp(ctx: SignUpContext, person: NewPerson): Promise<{ ok: true }> {
  await createAccount(ctx, person);
  return { ok: true };
}

/**
 * Like signUp. Returns the new user's id; where emails must be confirmed first, a known email gets one that belongs to no
 * user, so that the answers are alike.
 */
export async function createAccount(
  ctx: SignUpContext,
  { role: _, phone, captcha, ...person }: NewPerson,
): Promise<string> {
  const email = person.email.toLowerCase();
  agreedWords(person.consent_version, accountConsent(ctx.venue));
  const body = {
    ...person,
    ...(phone ? { phone } : {}),
    email,
    name: `${person.first_name} ${person.last_name}`,
  };
  // The library counts the attempt, asks for the captcha, and stores profile, consent (sign-up-consent.ts) and credential in
  // one transaction.
  const answer = await callLibrary(ctx, '/sign-up/email', {
    body,
    captcha,
    requires: () => assertHardToGuess(ctx, person.password, body),
  });
  const { id } = (answer as { user: { id: string } }).user;
  if (ctx.auth.confirmsEmails) await emailNewUser(ctx, email, id);
  return id;
}

/**
 * Emails the new user a link to confirm their email, after the transaction, which occupies the embedded database. A sign-up
 * with an existing account's email is reported by email alone, with advice to reset the password: someone else may have
 * created the account and know its password.
 */
async function emailNewUser(ctx: SignUpContext, email: string, new_id: string): Promise<void> {
  const { id, emailVerified: confirmed } = profiles;
  const [user] = await ctx.db.select({ id, confirmed }).from(profiles).where(eq(profiles.email, email));
  if (!user) return;
  if (user.id === new_id) return ctx.auth.sendVerification({ id: user.id, email });
  if (user.confirmed && !(await mayEmailOwner(ctx, ctx.db, email))) return;
  await sendEmail(ctx, ctx.db, {
    user_id: user.id,
    cause: `account-exists:${ctx.newId()}`,
    email: authEmails.account_exists.about(),
  });
}

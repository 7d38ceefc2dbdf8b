import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type {
  recoverInput,
  resendVerificationInput,
  resetPasswordInput,
  signInInput,
  signInWithProviderInput,
  verifyEmailInput,
} from '../../contract/auth/auth.ts';
import type { AuthServices } from './auth-context.ts';
import { callLibrary, type LibraryContext } from './library-call.ts';
import { isOpenedByOwner, PRESS, unconfirmedUserOf } from './opened-link.ts';

/** The response time must not reveal whether the account exists. */
const RECOVER_MIN_RESPONSE_MS = 400;

const OK = { ok: true } as const;

/** Throws Refusal INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED, TOO_MANY_ATTEMPTS. */
export async function signIn(
  ctx: LibraryContext,
  body: z.output<typeof signInInput>,
): Promise<{ ok: true; two_factor?: true }> {
  const { twoFactorRedirect } = await callLibrary(ctx, '/sign-in/email', { body });
  return twoFactorRedirect === true ? { ok: true, two_factor: true } : OK;
}

/** The URL where the browser goes to sign in elsewhere. Throws Refusal PROVIDER_NOT_FOUND, PROVIDER_UNREACHABLE. */
export async function signInWithProvider(
  ctx: LibraryContext,
  { provider, redirect }: z.output<typeof signInWithProviderInput>,
): Promise<{ url: string }> {
  const callbackURL = redirect ? `/login?${new URLSearchParams({ redirect })}` : '/login';
  const { url } = await callLibrary(ctx, '/sign-in/social', {
    body: { provider, callbackURL, errorCallbackURL: '/login', disableRedirect: true },
  });
  return { url: String(url) };
}

/** Does nothing for a visitor who is not signed in. */
export async function signOut(ctx: LibraryContext): Promise<typeof OK> {
  await callLibrary(ctx, '/sign-out', { body: {} });
  return OK;
}

export async function recover(
  ctx: LibraryContext,
  { email, captcha, gotrue_meta_security }: z.output<typeof recoverInput>,
): Promise<typeof OK> {
  const solution = captcha ?? gotrue_meta_security?.captcha_token ?? undefined;
  await Promise.all([
    callLibrary(ctx, '/request-password-reset', { body: { email }, captcha: solution }),
    wait(RECOVER_MIN_RESPONSE_MS),
  ]);
  return OK;
}

/**
 * Sets a new password by an emailed link. Other access ends too: revoke-access.ts. Throws Refusal LINK_INVALID,
 * PASSWORD_COMMON, PASSWORD_PERSONAL.
 */
export async function resetPassword(
  ctx: LibraryContext,
  { token, password }: z.output<typeof resetPasswordInput>,
): Promise<typeof OK> {
  await callLibrary(ctx, '/reset-password', { body: { token, newPassword: password } });
  return OK;
}

/** `opened`: isOpenedByOwner. Throws Refusal LINK_INVALID, LINK_EXPIRED. */
export async function verifyEmail(
  ctx: LibraryContext & Pick<AuthServices, 'db'>,
  { token, opened }: z.output<typeof verifyEmailInput>,
): Promise<{ ok: true; press?: true }> {
  const user_id = opened ? await unconfirmedUserOf(ctx, token) : null;
  if (user_id && !(await isOpenedByOwner(ctx, user_id))) return PRESS;
  await callLibrary(ctx, `/verify-email?${new URLSearchParams({ token })}`);
  return OK;
}

/**
 * Throws Refusal EMAIL_VERIFICATION_OFF, TOO_MANY_ATTEMPTS, and to signed-in users EMAIL_MISMATCH, EMAIL_ALREADY_VERIFIED.
 */
export async function resendVerification(
  ctx: LibraryContext,
  { email }: z.output<typeof resendVerificationInput>,
): Promise<typeof OK> {
  await callLibrary(ctx, '/send-verification-email', { body: { email } });
  return OK;
}

export async function listSigningKeys({ auth }: Pick<LibraryContext, 'auth'>) {
  const { keys } = await auth.api.getJwks();
  return { keys: keys as unknown as Record<string, unknown>[] };
}

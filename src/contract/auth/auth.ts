import { z } from 'zod';
import { DELETE, GET, id, LINK_INCOMPLETE, linkToken, PATCH, POST, timestamp } from '../base.ts';
import { consentVersion } from '../consent.ts';
import { accessName, currentPassword, email, newPassword } from '../forms/credentials.ts';
import { personName, phoneNumber } from '../forms/person.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';
import { done, open, openPost } from './auth-base.ts';
import { appExtras, captcha, ownPath, providerId, SIGN_UP_REFUSALS } from './credentials.ts';
import { factorCalls } from './factors.ts';
import { assertionResponse, creationOptions, registrationResponse, requestOptions } from './webauthn.ts';

export const signUpInput = z.strictObject({
  first_name: personName,
  last_name: personName,
  email,
  phone: z.optional(phoneNumber),
  password: newPassword,
  /** No other role can be requested. */
  role: z.literal('customer').optional(),
  consent_version: consentVersion,
  captcha,
});
/** The password follows: `choosePassword`. */
export const joinInput = signUpInput.pick({
  first_name: true,
  last_name: true,
  email: true,
  phone: true,
  captcha: true,
});
export const choosePasswordInput = z.strictObject({ password: newPassword });
export const signInInput = z.strictObject({ email, password: currentPassword });
export const signInWithProviderInput = z.strictObject({
  provider: providerId,
  /** The page to end on; without it, /login sends each user home. */
  redirect: ownPath.optional(),
});
export const recoverInput = z.object({ email, captcha, ...appExtras });
export const resetPasswordInput = z.strictObject({
  token: text(200).min(1),
  password: newPassword,
});
export const changePasswordInput = z.strictObject({
  current_password: currentPassword,
  password: newPassword,
});
/** For a page that was only opened: acts just in a browser signed in to the account. */
const flag = z.literal(true).optional();
export const verifyEmailInput = z.strictObject({
  opened: flag,
  token: text(2000, LINK_INCOMPLETE).regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, LINK_INCOMPLETE),
});
export const resendVerificationInput = z.strictObject({ email });

export const createPasskeyOptionsInput = z.strictObject({ password: currentPassword });
export const createPasskeyInput = z.strictObject({ name: accessName, response: registrationResponse });
export const signInWithPasskeyInput = z.strictObject({ response: assertionResponse });

export const createEmailChangeInput = z.strictObject({ email, password: currentPassword });
export const confirmEmailChangeInput = z.strictObject({ token: linkToken, opened: flag });

/** two_factor: the password was right, and a code completes the sign-in. */
const signedIn = done.extend({ two_factor: z.literal(true).optional() });

/** press: nothing was done, since the page was only opened; its user presses a button. */
const result = done.extend({ press: z.literal(true).optional() });

const signingKeys = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });
const keysRoute = { method: 'GET', summary: 'List the keys that verify access tokens' } as const;

/** A browser's session lives in cookies, an app's in tokens (tokens.ts). docs/rules/accounts.md from "Sessions" on. */
export const auth = {
  signUp: openPost('/auth/sign-up', { summary: 'Create an account' })
    .errors(refusals(...SIGN_UP_REFUSALS))
    .input(signUpInput)
    .output(done),
  join: openPost('/auth/join', {
    summary: 'Create an account that chooses its password later',
    description:
      'Signed in at once, for someone who joins from a tier. Not where emails are confirmed before the first sign-in: EMAIL_NOT_VERIFIED.',
  })
    .errors(refusals('EMAIL_TAKEN', 'EMAIL_NOT_VERIFIED', 'CAPTCHA_REQUIRED', 'CAPTCHA_FAILED'))
    .input(joinInput)
    .output(done),
  signIn: openPost('/auth/sign-in', { summary: 'Sign in with email and password' })
    .errors(refusals('INVALID_CREDENTIALS', 'EMAIL_NOT_VERIFIED'))
    .input(signInInput)
    .output(signedIn),
  /** Returns the URL to send the browser to; it comes back to /auth/callback/{provider}. */
  signInWithProvider: openPost('/auth/sign-in/provider', { summary: 'Sign in with a linked account' })
    .errors(refusals('PROVIDER_NOT_FOUND', 'PROVIDER_UNREACHABLE'))
    .input(signInWithProviderInput)
    .output(z.object({ url: z.url() })),
  signOut: openPost('/auth/sign-out', { summary: 'End this session' }).input(z.strictObject({})).output(done),
  /** The response is the same whether or not the account exists. */
  recover: openPost('/auth/recover', { summary: 'Email a link that resets the password' })
    .errors(refusals('CAPTCHA_REQUIRED', 'CAPTCHA_FAILED'))
    .input(recoverInput)
    .output(done),
  resetPassword: openPost('/auth/reset-password', { summary: 'Choose a new password' })
    .errors(refusals('LINK_INVALID', 'PASSWORD_COMMON', 'PASSWORD_PERSONAL'))
    .input(resetPasswordInput)
    .output(done),
  /** Signs out every other device, and removes API clients. */
  changePassword: POST('/auth/change-password', { summary: 'Change the password' })
    .errors(refusals('WRONG_PASSWORD', 'NO_PASSWORD', 'PASSWORD_COMMON', 'PASSWORD_PERSONAL'))
    .input(changePasswordInput)
    .output(done),
  /** Without a password, the one session there is came with the account. */
  choosePassword: POST('/auth/choose-password', { summary: 'Choose the first password' })
    .errors(refusals('PASSWORD_CHOSEN', 'PASSWORD_COMMON', 'PASSWORD_PERSONAL'))
    .input(choosePasswordInput)
    .output(done),
  verifyEmail: openPost('/auth/verify-email', { summary: 'Confirm an email' })
    .errors(refusals('LINK_INVALID', 'LINK_EXPIRED'))
    .input(verifyEmailInput)
    .output(result),
  /** For visitors, the response is the same whether or not the account exists. */
  resendVerification: openPost('/auth/resend-verification', {
    summary: 'Email the link that confirms an email again',
  })
    .errors(refusals('EMAIL_MISMATCH', 'EMAIL_ALREADY_VERIFIED', 'EMAIL_VERIFICATION_OFF'))
    .input(resendVerificationInput)
    .output(done),

  /** Confirms a change by the link that emailChange.create sent to the new email. No session is needed. */
  confirmEmailChange: openPost('/auth/email-change/confirm', { summary: 'Change the email' })
    .errors(refusals('LINK_INVALID', 'LINK_EXPIRED', 'EMAIL_TAKEN'))
    .input(confirmEmailChangeInput)
    .output(result),

  ...factorCalls,

  createPasskeyOptions: POST('/auth/passkeys/options', { summary: 'Get a challenge for a new passkey' })
    .errors(refusals('WRONG_PASSWORD', 'NO_PASSWORD', 'TOO_MANY_PASSKEYS', 'BROWSER_NEEDED'))
    .input(createPasskeyOptionsInput)
    .output(creationOptions),
  createPasskey: POST('/auth/passkeys', { summary: 'Add a passkey' })
    .errors(refusals('NOT_VERIFIED_BY_DEVICE', 'PASSKEY_IN_USE', 'PASSKEY_NOT_ADDED', 'CHALLENGE_NOT_FOUND'))
    .input(createPasskeyInput)
    .output(done),
  signInWithPasskeyOptions: openPost('/auth/sign-in/passkey/options', {
    summary: 'Get a challenge for a passkey sign-in',
  })
    .input(z.strictObject({}))
    .output(requestOptions),
  signInWithPasskey: openPost('/auth/sign-in/passkey', { summary: 'Sign in with a passkey' })
    .errors(
      refusals(
        'NOT_VERIFIED_BY_DEVICE',
        'EMAIL_NOT_VERIFIED',
        'CHALLENGE_NOT_FOUND',
        'PASSKEY_NOT_FOUND',
        'PASSKEY_REFUSED',
      ),
    )
    .input(signInWithPasskeyInput)
    .output(done),

  signingKeys: open.route({ ...keysRoute, path: '/auth/jwks' }).output(signingKeys),
  wellKnownSigningKeys: open.route({ ...keysRoute, path: '/auth/.well-known/jwks.json' }).output(signingKeys),
};

const change = z.object({ new_email: z.string(), expires_at: timestamp });

/** One's own email: docs/rules/accounts.md, "Changing the email". The link leads to auth.confirmEmailChange. */
export const emailChange = {
  /** The current email, and `pending`, a change with a link that has not been followed yet. */
  get: GET('/auth/email-change', { summary: 'Get the pending change of email' }).output(
    z.object({ email: z.string(), sends_email: z.boolean(), pending: change.nullable() }),
  ),
  /** The response is the same whether or not the new email has an account. Replaces a pending change. */
  create: POST('/auth/email-change', { summary: 'Email a link that changes the email' })
    .errors(refusals('WRONG_PASSWORD', 'NO_PASSWORD', 'EMAIL_UNCHANGED', 'EMAIL_SENDING_OFF'))
    .input(createEmailChangeInput)
    .output(change),
  /** The link stops working. Does nothing if no change is pending. */
  delete: DELETE('/auth/email-change', { summary: 'Withdraw the change of email' }).output(
    z.object({ removed: z.boolean() }),
  ),
};

const passkey = z.object({
  id,
  name: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});
export type Passkey = z.infer<typeof passkey>;

export const passkeys = {
  list: GET('/passkeys', {
    summary: "List the signed-in user's passkeys",
    description: 'Oldest first.',
  }).output(z.array(passkey)),
  rename: PATCH('/passkeys/{id}', { summary: 'Rename a passkey' })
    .errors(refusals('NOT_FOUND'))
    .input(z.strictObject({ id, name: accessName }))
    .output(passkey),
  delete: POST('/passkeys/{id}/remove', {
    summary: 'Remove a passkey',
    description: 'Requires the password, so that nobody removes their last way in.',
  })
    .errors(refusals('NOT_FOUND', 'WRONG_PASSWORD', 'NO_PASSWORD'))
    .input(z.strictObject({ id, password: currentPassword }))
    .output(z.object({ removed: z.literal(true) })),
};

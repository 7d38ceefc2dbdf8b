import { z } from 'zod';
import { text } from '../../contract/base.ts';
import { personName, phoneNumber } from '../../contract/profile.ts';
import { assertion, registration } from './passkeys/schemas.ts';

const email = text(254).trim().pipe(z.email());
// The length rules of passwords are the identity library's, so that every way in shares them.
const password = z.string().min(1, 'Required').max(1000);

/** A code as a person types it, and whether this device may go without one from now on. */
const secondFactor = (shape: RegExp) =>
  z
    .strictObject({
      code: z
        .string()
        .max(40)
        .transform((typed) => typed.replaceAll(/\s/g, ''))
        .pipe(z.string().regex(shape, 'This is not a code.')),
      trust_device: z.boolean().default(false),
    })
    .transform(({ code, trust_device: trustDevice }) => ({ code, trustDevice }));

const provider = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/);
/** A page of this app, with what follows it; the page itself decides whether the person may see it. */
const ownPath = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])/);

/** The identity calls that exist, with all that they accept; everything else under /api/auth is a 404. */
export const CALLS = {
  'sign-up/email': z
    .strictObject({
      first_name: personName,
      last_name: personName,
      email,
      phone: phoneNumber.optional(),
      password,
      // Sent by the original's sign-up; no other role can be asked for (spec section 5).
      role: z.literal('customer').optional(),
    })
    .transform(({ role: _, phone, ...rest }) => ({
      ...rest,
      ...(phone ? { phone } : {}),
      name: `${rest.first_name} ${rest.last_name}`,
    })),
  'sign-in/email': z.strictObject({ email, password }),
  // Both answer with the provider's address, for the browser to go to.
  'sign-in/social': z
    .strictObject({ provider, redirect: ownPath.optional() })
    .transform(({ provider, redirect }) => ({
      provider,
      callbackURL: redirect ? `/login?${new URLSearchParams({ redirect })}` : '/login',
      errorCallbackURL: '/login',
      disableRedirect: true,
    })),
  'link-social': z
    .strictObject({ provider, password, return_to: z.enum(['/account', '/staff/settings']) })
    .transform(({ provider, password, return_to }) => ({
      provider,
      password,
      callbackURL: `${return_to}?${new URLSearchParams({ linked: provider })}`,
      errorCallbackURL: return_to,
      disableRedirect: true,
    })),
  'sign-out': z.strictObject({}),
  'request-password-reset': z.strictObject({ email, captcha: z.string().min(1).max(4096).optional() }),
  'reset-password': z
    .strictObject({ token: z.string().min(1).max(200), password })
    .transform(({ token, password: newPassword }) => ({ token, newPassword })),
  'verify-email': z.strictObject({
    token: z
      .string()
      .max(2000)
      .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'This link is not complete.'),
  }),
  'send-verification-email': z.strictObject({ email }),
  'two-factor/enable': z.strictObject({ password }),
  'two-factor/disable': z.strictObject({ password }),
  'two-factor/generate-backup-codes': z.strictObject({ password }),
  'two-factor/verify-totp': secondFactor(/^\d{6}$/),
  'two-factor/verify-backup-code': secondFactor(/^[a-zA-Z0-9]{5}-[a-zA-Z0-9]{5}$/),
  'passkey/generate-register-options': z.strictObject({ password }),
  'passkey/verify-registration': registration,
  'passkey/generate-authenticate-options': z.strictObject({}),
  'passkey/verify-authentication': assertion,
};

export const AUTH_CALLS = Object.keys(CALLS);

export function isCall(path: string): path is keyof typeof CALLS {
  return Object.hasOwn(CALLS, path);
}

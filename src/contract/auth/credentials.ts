import { z } from 'zod';
import { NAME_WITHOUT_PHONE, PHONE_IN_NAME, textWithoutLink } from '../../domain/club/link.ts';
import { TEXT_CHANGES } from '../forms/field-rule.ts';
import { text } from '../text.ts';

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;

export const email = text(254)
  .overwrite(TEXT_CHANGES.email)
  .min(1, { abort: true, error: 'Required' })
  .check(z.email());

export const newPassword = text(PASSWORD_MAX_LENGTH).min(
  PASSWORD_MIN_LENGTH,
  `Password must be at least ${PASSWORD_MIN_LENGTH} characters`,
);

/** The name of a passkey or program. An email about it may reach a stranger whose email someone signed up with. */
export const accessName = text(60)
  .trim()
  .min(1, 'Required')
  .regex(NAME_WITHOUT_PHONE, PHONE_IN_NAME)
  .regex(textWithoutLink(), 'A name can’t contain a link. Leave a space after each full stop.');

/** The password of an existing account. The rules for new passwords do not apply: a short one is simply wrong. */
export const currentPassword = text(1000).min(1, 'Required');

/** Spaces are for readability: apps and people write '123 456'. */
const code = (shape: RegExp) =>
  text(40)
    .overwrite((typed) => typed.replaceAll(/\s/g, ''))
    .regex(shape, 'This isn’t a valid code.');

export const totpCode = code(/^\d{6}$/);
/** A backup code such as aB3dE-fG7hJ. */
export const backupCode = code(/^[a-zA-Z0-9]{5}-[a-zA-Z0-9]{5}$/);

export const providerId = text(31).regex(/^[a-z][a-z0-9-]{0,30}$/);

/** A page of this app, with its query; the page itself decides who may see it. */
export const ownPath = text(500).regex(/^\/(?![/\\])/);

export const captcha = text(4096).min(1).optional();

/**
 * The field that clients of Supabase Auth add, null where their app set nothing. Calls with it ignore fields that they do not
 * know, as that service does: its clients add those of flows that we lack (docs/decisions/apps-and-clients.md).
 */
export const appExtras = {
  gotrue_meta_security: z.object({ captcha_token: captcha.nullable() }).nullish(),
};

export const SIGN_UP_REFUSALS = [
  'EMAIL_TAKEN',
  'CONSENT_OUTDATED',
  'CAPTCHA_REQUIRED',
  'CAPTCHA_FAILED',
  'PASSWORD_COMMON',
  'PASSWORD_PERSONAL',
] as const;

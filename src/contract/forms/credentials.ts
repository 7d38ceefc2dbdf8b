import * as z from 'zod/mini';
import { DELETE_CONFIRMATION } from '../../domain/account-deletion.ts';
import { NAME_WITHOUT_PHONE, PHONE_IN_NAME, textWithoutLink } from '../../domain/club/link.ts';
import { emailAddress } from '../../domain/email-address.ts';
import { requiredField, textField } from './text-field.ts';

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;

export const email = textField(254).check(
  z.overwrite(emailAddress),
  z.minLength(1, { abort: true, error: 'Required' }),
  z.email(),
);

/** An email of a person without an account, or of the venue. */
export const contactEmail = textField(254, 'Enter an email.').check(
  z.overwrite(emailAddress),
  z.email('Enter an email.'),
);

export const newPassword = textField(PASSWORD_MAX_LENGTH).check(
  z.minLength(PASSWORD_MIN_LENGTH, `Password must be at least ${PASSWORD_MIN_LENGTH} characters`),
);

/** The password of an existing account. The rules for new passwords do not apply: a short one is simply wrong. */
export const currentPassword = textField(1000).check(z.minLength(1, 'Required'));

/** The name of a passkey or program. An email about it may reach a stranger whose email someone signed up with. */
export const accessName = requiredField(60, 'Required').check(
  z.regex(NAME_WITHOUT_PHONE, PHONE_IN_NAME),
  z.regex(textWithoutLink(), 'A name can’t contain a link. Leave a space after each full stop.'),
);

/**
 * A code without what apps and people put between its characters, '123 456' or '123-456', and with the hyphen of a backup code
 * such as aB3dE-fG7hJ.
 */
function oneTimeCode(typed: string): string {
  const plain = typed.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');
  return plain.replace(/^(.{5})(.{5})$/u, '$1-$2');
}

const code = (shape: RegExp) =>
  textField(40).check(z.overwrite(oneTimeCode), z.regex(shape, 'This isn’t a valid code.'));

export const totpCode = code(/^\d{6}$/);
/** A backup code such as aB3dE-fG7hJ. */
export const backupCode = code(/^[a-zA-Z0-9]{5}-[a-zA-Z0-9]{5}$/);

/** What users type to delete an account. */
export const confirmation = z.literal(DELETE_CONFIRMATION, `Please type ${DELETE_CONFIRMATION}`);

import { PASSWORD_HEADER } from '../../../contract/auth/auth-base.ts';
import { Refusal } from '../../../domain/refusal.ts';

/** Of the password, decoded. */
const MAX_LENGTH = 1000;

/**
 * The password that a change to how a user signs in takes: the field, or else the header, percent-encoded; one that is
 * not well encoded is wrong. Throws Refusal PASSWORD_REQUIRED where there is neither.
 */
export function passwordOf(headers: Headers, field?: string): string {
  const encoded = headers.get(PASSWORD_HEADER);
  if (field === undefined && encoded === null) throw new Refusal('PASSWORD_REQUIRED');
  try {
    return field ?? decodeURIComponent(encoded ?? '').slice(0, MAX_LENGTH);
  } catch {
    return '';
  }
}

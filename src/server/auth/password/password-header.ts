import { PASSWORD_HEADER } from '../../../contract/auth/auth-base.ts';
import { Refusal } from '../../../contract/refusals.ts';

/** The longest password, decoded. */
const MAX_LENGTH = 1000;

/**
 * The password for a change to how a user signs in: the field, or else the percent-encoded header. Bad encoding counts as a
 * wrong password. Throws Refusal PASSWORD_REQUIRED if there is neither.
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

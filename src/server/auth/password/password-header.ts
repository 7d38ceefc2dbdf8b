import { PASSWORD_HEADER } from '../../../contract/auth/auth-base.ts';

/**
 * The password that a change to how a user signs in takes: the field, or else the header, percent-encoded. An empty one,
 * which is wrong, where it is missing or badly encoded.
 */
export function passwordOf(headers: Headers, field?: string): string {
  if (field !== undefined) return field;
  try {
    return decodeURIComponent(headers.get(PASSWORD_HEADER) ?? '').slice(0, 1000);
  } catch {
    return '';
  }
}

import { isApiError } from '../api/api-error.ts';

/** The server's message if it gave one, else the fallback. */
export function authErrorText(error: unknown, fallback: string): string {
  return (isApiError(error) && error.message) || fallback;
}

import { isApiError } from '../api/api-error.ts';

/** The server's message, or the fallback if there is none. */
export function authErrorText(error: unknown, fallback: string): string {
  return (isApiError(error) && error.message) || fallback;
}

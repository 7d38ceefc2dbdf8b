import { isApiError } from '../api/api-error.ts';

/** The server's own words where it gave any, else ours. */
export function authErrorText(error: unknown, fallback: string): string {
  return (isApiError(error) && error.message) || fallback;
}

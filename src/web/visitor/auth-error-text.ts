import { AuthError } from '../api/session.ts';

/** The server's own words where it gave any, else ours (spec section 8). */
export function authErrorText(error: unknown, fallback: string): string {
  return (error instanceof AuthError && error.serverMessage) || fallback;
}

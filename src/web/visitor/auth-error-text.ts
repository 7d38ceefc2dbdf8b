import { AuthError } from '../api/session.ts';

/** The server's message where it gave one, else the fallback. */
export function authErrorText(error: unknown, fallback: string): string {
  return (error instanceof AuthError && error.serverMessage) || fallback;
}

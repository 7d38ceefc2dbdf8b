import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import type { Logger } from 'pino';
import { Refusal } from '../../contract/refusals.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import { accountKey } from './sign-in-limits.ts';

export const SECOND_FACTOR_OFF = 'second factor turned off';

/** Calls of the auth library that an operator may have to trace: who, from where, and with what outcome. */
const EVENTS: Record<string, string> = {
  '/sign-up/email': 'sign-up',
  '/sign-in/email': 'sign-in',
  '/passkey/verify-authentication': 'sign-in by passkey',
  '/callback/:id': 'sign-in by a linked account, or linking',
  '/two-factor/verify-totp': 'second factor',
  '/two-factor/verify-backup-code': 'second factor by backup code',
  '/two-factor/enable': 'second factor being set up',
  '/two-factor/disable': SECOND_FACTOR_OFF,
  '/request-password-reset': 'recovery asked for',
  '/reset-password': 'password recovered',
  '/passkey/verify-registration': 'passkey added',
  '/sign-out': 'sign-out',
};

/** Logs what, for whom (by id) and from where. Never a password, a token or an email. */
export function logAuthEvents({ log }: { log: Logger }) {
  return createAuthMiddleware(async ({ path, headers, context }) => {
    const event = EVENTS[path];
    const { returned, newSession, session } = context;
    // A redirect travels as an error as well.
    if (!event || (isAPIError(returned) && returned.statusCode >= 400)) return;
    const user_id = newSession?.user.id ?? session?.user.id;
    logAuthEvent(log, event, { user_id, from: headers?.get(CLIENT_IP_HEADER) ?? null });
  });
}

export function logAuthEvent(
  log: Logger,
  event: string,
  { user_id, from }: { user_id: string | undefined; from: string | null },
): void {
  log.info({ security: event, outcome: 'done', user_id, from: from ?? undefined }, event);
}

/** Runs `work` and logs the outcome under the user id it returns. */
export async function logOutcome<T extends { user_id: string }>(
  { log, headers }: { log: Logger; headers: Headers },
  event: string,
  work: () => Promise<T>,
): Promise<T> {
  const from = headers.get(CLIENT_IP_HEADER);
  try {
    const outcome = await work();
    logAuthEvent(log, event, { user_id: outcome.user_id, from });
    return outcome;
  } catch (error) {
    if (error instanceof Refusal) logAuthRefusal(log, event, { code: error.code, email: null, from });
    throw error;
  }
}

/**
 * `path`: the library's, or the name of another change. The log gets a hash for the email that was typed, the same each
 * time.
 */
export function logAuthRefusal(
  log: Logger,
  path: string,
  { code, email, from }: { code: string; email: unknown; from: string | null },
): void {
  const event = path.startsWith('/') ? EVENTS[path] : path;
  if (!event) return;
  const account = typeof email === 'string' ? accountKey(email).slice(0, 16) : undefined;
  log.warn({ security: event, outcome: 'refused', code, account, from: from ?? undefined }, event);
}

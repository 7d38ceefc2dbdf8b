import { createHash } from 'node:crypto';
import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import { inArray } from 'drizzle-orm';
import { rate_limits } from '../db/schema.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import type { AuthServices } from './auth-context.ts';
import { toAuthError } from './auth-error.ts';

interface Limit {
  max: number;
  /** Seconds; at most 3600, as the auth library forgets counts after its longest window. */
  window: number;
  /** Counted for each client IP apart, so that guesses from elsewhere lock nobody out here. */
  per?: 'client IP';
}

const SIGN_IN = '/sign-in/email';

/** For one account. For one client IP and any account: RATE_LIMITS in rate-limits.ts. */
const LIMITS: Record<string, Limit[]> = {
  [SIGN_IN]: [
    { max: 20, window: 900, per: 'client IP' },
    { max: 100, window: 3600 },
  ],
  '/request-password-reset': [{ max: 5, window: 3600 }],
  '/send-verification-email': [{ max: 5, window: 3600 }],
};

/** Stands for an email in rate limit keys and in the log. */
export const accountKey = (email: string) =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url');

const keyOf = (path: string, { per }: Limit, email: string, clientIp: string | null) =>
  `${path}|${accountKey(email)}${per ? `|${clientIp}` : ''}`;

/**
 * Counts by the email that was typed, not by the account found, so that a refusal does not reveal who has one. Runs
 * after the captcha, so that bots cannot use up a user's attempts.
 */
export function signInLimits(services: Pick<AuthServices, 'db' | 'now' | 'newId'>) {
  return createAuthMiddleware(async ({ path, body, headers }) => {
    const email: unknown = body?.email;
    if (typeof email !== 'string') return;
    const clientIp = headers?.get(CLIENT_IP_HEADER) ?? null;
    try {
      for (const limit of LIMITS[path] ?? []) {
        await consumeRateLimit(services, keyOf(path, limit, email, clientIp), limit);
      }
    } catch (error) {
      throw toAuthError(error);
    }
  });
}

/** The right password clears the wrong ones before it, so that the owner is not locked out later. */
export function clearSignInLimits(services: Pick<AuthServices, 'db'>) {
  return createAuthMiddleware(async ({ path, body, headers, context }) => {
    if (path !== SIGN_IN || isAPIError(context.returned) || typeof body?.email !== 'string') return;
    const clientIp = headers?.get(CLIENT_IP_HEADER) ?? null;
    const keys = (LIMITS[path] ?? []).map((limit) => keyOf(path, limit, body.email, clientIp));
    await services.db.delete(rate_limits).where(inArray(rate_limits.key, keys));
  });
}

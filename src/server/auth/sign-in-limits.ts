import { createHash } from 'node:crypto';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { inArray } from 'drizzle-orm';
import { Refusal } from '../../domain/refusal.ts';
import { rate_limits } from '../db/schema.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import type { AuthServices } from './context.ts';

interface Limit {
  max: number;
  /** Seconds; at most 3600, as the identity library forgets counts after its longest window. */
  window: number;
  /** Counted for each network address apart, so that whoever guesses elsewhere keeps nobody out here. */
  from?: 'one address';
}

const SIGN_IN = '/sign-in/email';

/** Attempts for one account. Attempts from one address, for whatever account: rateLimit in auth.ts. */
const LIMITS: Record<string, Limit[]> = {
  [SIGN_IN]: [
    { max: 20, window: 900, from: 'one address' },
    { max: 100, window: 3600 },
  ],
  '/request-password-reset': [{ max: 5, window: 3600 }],
  '/send-verification-email': [{ max: 5, window: 3600 }],
};

/** Stands for a mail address in the keys of counts. */
export const accountKey = (email: string) =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url');

const keyOf = (path: string, { from }: Limit, email: string, address: string | null) =>
  `${path}|${accountKey(email)}${from ? `|${address}` : ''}`;

/**
 * Counts by the mail address that was typed, not by the account found, so that a refusal tells nothing about who
 * has one. Runs after the captcha: only people use up the attempts of others.
 */
export function signInLimits(services: Pick<AuthServices, 'db' | 'now' | 'newId'>) {
  return createAuthMiddleware(async ({ path, body, headers }) => {
    const email: unknown = body?.email;
    if (typeof email !== 'string') return;
    const address = headers?.get(CLIENT_IP_HEADER) ?? null;
    try {
      for (const limit of LIMITS[path] ?? []) {
        await consumeRateLimit(services, keyOf(path, limit, email, address), limit);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new APIError('TOO_MANY_REQUESTS', {
        code: 'TOO_MANY_ATTEMPTS',
        message: 'Too many attempts. Please wait a while and try again.',
      });
    }
  });
}

/** The right password makes up for the wrong ones before it: whoever belongs here is not kept out later. */
export function clearSignInLimits(services: Pick<AuthServices, 'db'>) {
  return createAuthMiddleware(async ({ path, body, headers, context }) => {
    if (path !== SIGN_IN || context.returned instanceof APIError || typeof body?.email !== 'string') return;
    const address = headers?.get(CLIENT_IP_HEADER) ?? null;
    const keys = (LIMITS[path] ?? []).map((limit) => keyOf(path, limit, body.email, address));
    await services.db.delete(rate_limits).where(inArray(rate_limits.key, keys));
  });
}

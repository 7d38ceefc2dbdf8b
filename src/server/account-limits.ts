import { createHash } from 'node:crypto';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { Refusal } from '../domain/refusal.ts';
import { countAttempt } from './attempts.ts';
import type { Services } from './context.ts';

interface Limit {
  max: number;
  /** Seconds; at most 3600, as the identity library forgets counts after its longest window. */
  window: number;
}

/** Attempts for one account, from wherever they come. Attempts from one address: rateLimit in auth.ts. */
const LIMITS: Record<string, Limit> = {
  '/request-password-reset': { max: 5, window: 3600 },
  '/send-verification-email': { max: 5, window: 3600 },
};

/**
 * Counts by the address that was typed, not by the account found, so that a refusal tells nothing about who
 * has one. Runs after the captcha: only people use up the attempts of others.
 */
export function accountLimits(services: Pick<Services, 'db' | 'now' | 'newId'>) {
  return createAuthMiddleware(async ({ path, body }) => {
    const limit = LIMITS[path];
    const email: unknown = body?.email;
    if (!limit || typeof email !== 'string') return;
    const account = createHash('sha256').update(email.toLowerCase()).digest('base64url');
    try {
      await countAttempt(services, `${path}|${account}`, limit);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new APIError('TOO_MANY_REQUESTS', {
        code: 'TOO_MANY_ATTEMPTS',
        message: 'Too many attempts. Please wait a while and try again.',
      });
    }
  });
}

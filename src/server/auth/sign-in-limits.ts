import { createHash } from 'node:crypto';
import { createAuthMiddleware, getIP, isAPIError } from 'better-auth/api';
import { inArray } from '../db/orm.ts';
import { rate_limits } from '../db/schema.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import type { AuthServices } from './auth-context.ts';
import { toAuthError } from './auth-error.ts';
import { isKnownDevice, readDevice } from './known-devices.ts';
import { KNOWN_DEVICE_LIMITS, SIGN_IN_STEP, SIGN_IN_STEPS } from './rate-limits.ts';

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
type LimitServices = Pick<AuthServices, 'db' | 'now' | 'newId'>;

interface Limit {
  max: number;
  /** Seconds; at most a day (LONGEST_WINDOW_SECONDS in platform/rate-limit.ts). */
  window: number;
  /** Counted per client IP, so that guesses from elsewhere lock nobody out here. */
  per?: 'client IP';
}

const SIGN_IN = '/sign-in/email';

const LIMITS: Record<string, Limit[]> = {
  [SIGN_IN]: [
    { max: 20, window: 900, per: 'client IP' },
    { max: 100, window: 3600 },
  ],
  '/request-password-reset': [{ max: 5, window: 3600 }],
  '/send-verification-email': [{ max: 5, window: 3600 }],
};

export const accountKey = (email: string) =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url');

/** The limits that a request counts against, each with its key. `device`: one that the account knows. */
function limitsOf({ path, headers }: HookContext, email: string, device: string | null) {
  const account = `${path}|${accountKey(email)}`;
  if (path === SIGN_IN && device) {
    return KNOWN_DEVICE_LIMITS.map((limit) => ({ ...limit, key: `${account}|${device}|${limit.window}` }));
  }
  const clientIp = headers?.get(CLIENT_IP_HEADER) ?? null;
  return (LIMITS[path] ?? []).map((limit) => ({
    ...limit,
    key: limit.per ? `${account}|${clientIp}` : account,
  }));
}

async function knownDevice(
  services: LimitServices,
  ctx: HookContext,
  email: string | null,
): Promise<string | null> {
  const device = await readDevice(ctx);
  return device && (await isKnownDevice(services, device, { email })) ? device : null;
}

/**
 * Counts by the email that was typed, not by the account found, so that a refusal does not reveal who has one. Runs after
 * the captcha, so that bots cannot use up a user's attempts. Known devices are counted separately.
 */
export function signInLimits(services: LimitServices & { limitAttempts: boolean }) {
  return createAuthMiddleware(async (ctx) => {
    const { path, body, request, context } = ctx;
    const email = typeof body?.email === 'string' ? body.email : null;
    const isStep = SIGN_IN_STEPS.includes(path);
    if (!isStep && email === null) return;
    try {
      const device = isStep ? await knownDevice(services, ctx, email) : null;
      if (isStep && services.limitAttempts) {
        const from = device ?? (request && getIP(request, context.options));
        await consumeRateLimit(services, `${path}:${from}`, SIGN_IN_STEP);
      }
      if (email === null) return;
      for (const limit of limitsOf(ctx, email, device)) await consumeRateLimit(services, limit.key, limit);
    } catch (error) {
      throw toAuthError(error);
    }
  });
}

/**
 * The right password clears the wrong ones before it, so that the owner is not locked out later. From a known device, it
 * clears only that device's: a stranger guessing elsewhere stays refused.
 */
export function clearSignInLimits(services: LimitServices) {
  return createAuthMiddleware(async (ctx) => {
    const { path, body, context } = ctx;
    if (path !== SIGN_IN || isAPIError(context.returned) || typeof body?.email !== 'string') return;
    const device = await knownDevice(services, ctx, body.email);
    const keys = limitsOf(ctx, body.email, device).map(({ key }) => key);
    await services.db.delete(rate_limits).where(inArray(rate_limits.key, keys));
  });
}

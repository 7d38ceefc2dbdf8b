import { createAuthMiddleware, isAPIError } from 'better-auth/api';
import { Refusal } from '../../../contract/refusals.ts';
import {
  CODES_TO_LOCK,
  LONGEST_LOCK_SECONDS,
  MOST_WRONG_CODES,
  secondStepLockSeconds,
} from '../../../domain/second-step-lock.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, gte, inArray, isNotNull, or, sql } from '../../db/orm.ts';
import { rate_limits, two_factors } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import { consumeRateLimit, countRequest } from '../../platform/rate-limit.ts';
import type { AuthServices } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import { toAuthError } from '../auth-error.ts';
import { knownDeviceOf } from '../known-devices.ts';
import { KNOWN_DEVICE_LIMITS } from '../rate-limits.ts';
import { findCodeOwner } from './code-owner.ts';

// docs/rules/api.md, "Rate limits". The auth library's own lock always lasts 15 minutes.

type LockServices = Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'>;

const isCheck = (path: string) => path.startsWith('/two-factor/verify-');

const deviceKeys = (user_id: string, device: string) =>
  KNOWN_DEVICE_LIMITS.map((limit) => ({ ...limit, key: `second step|${user_id}|${device}|${limit.window}` }));

/**
 * Counts a code before it is checked, so that of simultaneous guesses none is free; the right one clears the count. Codes
 * from a device that the account knows are counted apart: a stranger's guesses do not lock the owner out there.
 */
export function limitSecondSteps(services: LockServices) {
  return createAuthMiddleware(async (ctx) => {
    if (!isCheck(ctx.path)) return;
    const owner = await findCodeOwner(ctx);
    if (!owner) return;
    try {
      const device = await knownDeviceOf(services, ctx, owner.user_id);
      if (device)
        for (const { key, ...limit } of deviceKeys(owner.user_id, device))
          await consumeRateLimit(services, key, limit);
      else await services.db.transaction((tx) => countCode(services, tx, owner.user_id));
    } catch (error) {
      throw toAuthError(error);
    }
  });
}

async function countCode(services: LockServices, tx: Tx, user_id: string): Promise<void> {
  const now = services.now();
  const filter = and(eq(two_factors.userId, user_id), eq(two_factors.verified, true));
  const [factor] = await tx.select().from(two_factors).where(filter).for('update');
  if (!factor) return;
  const lockedSeconds = Math.ceil(((factor.lockedUntil?.getTime() ?? 0) - now.getTime()) / 1000);
  const isSpent = factor.failedVerificationCount >= MOST_WRONG_CODES;
  // A lock further ahead was set by a wrong clock.
  if (isSpent || (lockedSeconds > 0 && lockedSeconds <= LONGEST_LOCK_SECONDS)) {
    const retry_after_seconds = isSpent ? LONGEST_LOCK_SECONDS : lockedSeconds;
    throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds });
  }
  const failures = factor.failedVerificationCount + 1;
  const seconds = secondStepLockSeconds(failures);
  const lockedUntil = seconds > 0 ? new Date(now.getTime() + seconds * 1000) : null;
  await tx.update(two_factors).set({ failedVerificationCount: failures, lockedUntil }).where(filter);
  if (failures === CODES_TO_LOCK)
    await sendEmail(services, tx, {
      user_id,
      cause: `second-step-locked:${services.newId()}`,
      email: authEmails.two_factor_locked.about(),
    });
}

/** The right code clears the wrong ones before it, everywhere. */
export function clearSecondSteps(services: LockServices) {
  return createAuthMiddleware(async (ctx) => {
    if (!isCheck(ctx.path) || isAPIError(ctx.context.returned)) return;
    const owner = ctx.context.newSession?.user.id ?? (await findCodeOwner(ctx))?.user_id;
    if (!owner) return;
    await openSecondStep(services, owner);
    const device = await knownDeviceOf(services, ctx, owner);
    if (!device) return;
    const keys = deviceKeys(owner, device).map(({ key }) => key);
    await services.db.delete(rate_limits).where(inArray(rate_limits.key, keys));
  });
}

async function openSecondStep({ db }: LockServices, user_id: string): Promise<void> {
  await db
    .update(two_factors)
    .set({ failedVerificationCount: 0, lockedUntil: null })
    .where(eq(two_factors.userId, user_id));
}

/** New passwords that open a locked second step; the window is in seconds. */
const OPENINGS = { max: 1, window: 86_400 };

/**
 * Opens a locked second step for its next ten codes, after a new password, once a day. The wrong codes before it still count:
 * someone with the inbox could choose passwords to guess on.
 */
export async function reopenSecondStep(
  { now, newId }: Pick<AuthServices, 'now' | 'newId'>,
  tx: Tx,
  user_id: string,
): Promise<void> {
  const { userId, failedVerificationCount: failures, lockedUntil } = two_factors;
  const filter = and(eq(userId, user_id), or(isNotNull(lockedUntil), gte(failures, MOST_WRONG_CODES)));
  if ((await tx.$count(two_factors, filter)) === 0) return;
  if ((await countRequest({ db: tx, now, newId }, `second step opened|${user_id}`, OPENINGS)) > 0) return;
  await tx
    .update(two_factors)
    .set({
      failedVerificationCount: sql`least(${failures}, ${MOST_WRONG_CODES - CODES_TO_LOCK})`,
      lockedUntil: null,
    })
    .where(eq(userId, user_id));
}

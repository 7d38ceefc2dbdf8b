import { z } from 'zod';
import type { RefusalCode } from '../domain/refusal.ts';
import { TIER_CHANGE_OBSTACLES } from '../domain/tier-change.ts';

/**
 * Status, message and data of every refusal: the one table of stable error codes. Messages are shown to
 * people as they stand, so they say what happened or what to do next.
 */
export const REFUSALS = {
  NOT_SIGNED_IN: { status: 401, message: 'Please sign in.' },
  NOT_ALLOWED: { status: 403, message: 'This account may not do that.' },
  TWO_FACTOR_REQUIRED: { status: 403, message: 'Please set up two-step sign-in first.' },
  NOT_FOUND: { status: 404, message: 'Not found.', data: z.object({ what: z.string() }) },
  ALREADY_MEMBER: { status: 409, message: 'You already have an active membership.' },
  APPLICATION_NOT_PENDING: {
    status: 409,
    message: 'This application has already been reviewed.',
    data: z.object({ status: z.string() }),
  },
  APPLICATION_NOT_READY: { status: 409, message: 'Please finish the survey and choose a tier first.' },
  TIER_NOT_AVAILABLE: { status: 409, message: 'This tier is not offered at the moment.' },
  TIER_CHANGE_REFUSED: {
    status: 409,
    message: 'The tier cannot be changed at the moment.',
    data: z.object({ reason: z.enum(TIER_CHANGE_OBSTACLES) }),
  },
  PREVIEW_EXPIRED: { status: 409, message: 'This offer is no longer current. Please look at it again.' },
  PAYMENT_REFUSED: {
    status: 402,
    message: 'Your card was not charged, and nothing has changed. Please update your card and try again.',
  },
  CUSTOMER_NOT_ACTIVE: { status: 409, message: 'This membership is not active.' },
  POURS_EXCEEDED: {
    status: 409,
    message: 'Not enough pours are left in the current billing period.',
    data: z.object({ available_pours: z.number().int() }),
  },
  REQUEST_ID_REUSED: { status: 409, message: 'This request was already used for a different pour.' },
  VOID_NEEDS_REASON: { status: 409, message: 'Please say why this pour is taken back.' },
  TOO_MANY_MACHINES: {
    status: 409,
    message: 'There are ten machines already. Please take away one that is not used.',
  },
  LAST_WAY_IN: {
    status: 409,
    message: 'This is the only way into your account. Please set a password first.',
  },
  NO_SUBSCRIPTION: { status: 404, message: 'There is no card subscription on this account.' },
  PAYMENTS_UNAVAILABLE: { status: 502, message: 'The payment service did not answer. Please try again.' },
  WRONG_PASSWORD: { status: 403, message: 'That is not your password. Please try again.' },
  NO_PASSWORD: {
    status: 409,
    message: 'This account has no password yet. Choose one by Forgot password? on the sign-in page first.',
  },
  TOO_MANY_PASSKEYS: { status: 409, message: 'You have ten passkeys. Please remove one first.' },
  PASSKEY_IN_USE: { status: 409, message: 'This passkey is in use already.' },
  NOT_VERIFIED_BY_DEVICE: {
    status: 403,
    message: 'Your device did not check that it is you. Please unlock it by PIN, face or finger.',
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    message: 'Too many attempts. Please wait a moment and try again.',
    data: z.object({ retry_after_seconds: z.number().int() }),
  },
} satisfies Record<RefusalCode, { status: number; message: string; data?: z.ZodType }>;

/** The refusals that a procedure declares, for `.errors()`. */
export function refusals<C extends RefusalCode>(...codes: C[]): Pick<typeof REFUSALS, C> {
  return Object.fromEntries(codes.map((code) => [code, REFUSALS[code]])) as Pick<typeof REFUSALS, C>;
}

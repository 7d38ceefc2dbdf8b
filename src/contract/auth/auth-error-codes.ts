import type { RefusalCode } from '../refusals.ts';

/** The header by which clients of Supabase Auth ask for errors whose `code` is theirs, and know that they got them. */
export const API_VERSION_HEADER = 'x-supabase-api-version';
export const API_VERSION = '2024-01-01';

/** The code that clients of Supabase Auth know for a refusal; others keep ours. */
const AUTH_ERROR_CODES: Partial<Record<RefusalCode | 'BAD_REQUEST' | 'INTERNAL_SERVER_ERROR', string>> = {
  INVALID_CREDENTIALS: 'invalid_credentials',
  EMAIL_NOT_VERIFIED: 'email_not_confirmed',
  EMAIL_TAKEN: 'user_already_exists',
  CAPTCHA_REQUIRED: 'captcha_failed',
  CAPTCHA_FAILED: 'captcha_failed',
  TOO_MANY_ATTEMPTS: 'over_request_rate_limit',
  SESSION_ENDED: 'session_not_found',
  TWO_FACTOR_REQUIRED: 'insufficient_aal',
  TWO_FACTOR_NOT_ENABLED: 'mfa_factor_not_found',
  TWO_FACTOR_ALREADY_ENABLED: 'too_many_enrolled_mfa_factors',
  CODE_INVALID: 'mfa_verification_failed',
  CODE_USED: 'mfa_verification_failed',
  TOO_MANY_CODES: 'mfa_verification_rejected',
  CHALLENGE_NOT_FOUND: 'mfa_challenge_expired',
  PASSWORD_REQUIRED: 'reauthentication_needed',
  WRONG_PASSWORD: 'current_password_invalid',
  LINK_INVALID: 'otp_expired',
  LINK_EXPIRED: 'otp_expired',
  PROVIDER_NOT_FOUND: 'oauth_provider_not_supported',
  ALREADY_LINKED: 'identity_already_exists',
  BROWSER_NEEDED: 'manual_linking_disabled',
  BODY_TOO_LARGE: 'request_entity_too_large',
  BAD_REQUEST: 'validation_failed',
  INTERNAL_SERVER_ERROR: 'unexpected_failure',
};

/** Codes that depend on more than ours. */
const REFRESH_TOKEN_NOT_FOUND = 'refresh_token_not_found';
const BAD_JSON = 'bad_json';
const WEAK_PASSWORD = 'weak_password';
const WHAT_IS_MISSING: Record<string, string> = {
  factor: 'mfa_factor_not_found',
  identity: 'identity_not_found',
};
/**
 * The code by the token that came. `wrong`: not ours, or expired. `ended`: of a session that is over. `waiting`: of a sign-in
 * that waits for its code.
 */
const NOT_SIGNED_IN = {
  none: 'no_authorization',
  wrong: 'bad_jwt',
  ended: 'session_not_found',
  waiting: 'insufficient_aal',
} as const;

export const ALL_AUTH_ERROR_CODES = [
  ...new Set([
    ...Object.values(AUTH_ERROR_CODES),
    ...Object.values(WHAT_IS_MISSING),
    ...Object.values(NOT_SIGNED_IN),
    REFRESH_TOKEN_NOT_FOUND,
    BAD_JSON,
    WEAK_PASSWORD,
  ]),
].sort();

interface ErrorBody {
  code: string;
  data?: { what?: string; issues?: { path?: unknown[] }[] };
}

interface AuthRequest {
  /** What came in Authorization. */
  token: keyof typeof NOT_SIGNED_IN;
  refreshes: boolean;
  signsUp: boolean;
}

/** The code that clients of Supabase Auth know; null if they know none. */
export function authErrorCode(body: ErrorBody, { token, refreshes, signsUp }: AuthRequest): string | null {
  const { code, data } = body;
  if (weakPasswordReasons(body, { signsUp })) return WEAK_PASSWORD;
  if (code === 'NOT_SIGNED_IN') return NOT_SIGNED_IN[token];
  if (code === 'NOT_FOUND') return WHAT_IS_MISSING[data?.what ?? ''] ?? null;
  if (code === 'SESSION_ENDED' && refreshes) return REFRESH_TOKEN_NOT_FOUND;
  if (code === 'BAD_REQUEST' && !data?.issues) return BAD_JSON;
  return AUTH_ERROR_CODES[code as RefusalCode] ?? null;
}

/** Why a password is weak, in those clients' words; null for other refusals. */
export function weakPasswordReasons(
  { code, data }: ErrorBody,
  { signsUp }: Pick<AuthRequest, 'signsUp'>,
): string[] | null {
  if (code === 'PASSWORD_COMMON') return ['pwned'];
  if (code === 'PASSWORD_PERSONAL') return ['characters'];
  const isShort = signsUp && data?.issues?.some(({ path }) => path?.at(-1) === 'password');
  return isShort ? ['length'] : null;
}

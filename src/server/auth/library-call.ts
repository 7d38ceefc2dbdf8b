import type { Logger } from 'pino';
import { REFUSALS, Refusal, type RefusalCode } from '../../contract/refusals.ts';
import { violatedConstraint } from '../db/results.ts';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import { bearerToken } from './app-sessions/bearer.ts';
import { logAuthRefusal } from './audit-log.ts';
import type { Auth } from './better-auth.ts';
import { CAPTCHA_HEADER } from './captcha.ts';
import { HASHES_FOR_STRANGERS } from './password/password-turns.ts';

/** Context for calling the auth library on behalf of the incoming request. */
export interface LibraryContext {
  auth: Auth;
  log: Logger;
  /** The request's headers. Cookies identify the caller; CLIENT_IP_HEADER was set by the server. */
  headers: Headers;
  /** Adds Set-Cookie lines to the response, also when the verb throws. */
  setCookies(lines: string[]): void;
}

interface LibraryCall {
  /** Sent with POST; without it the call is a GET. */
  body?: object;
  captcha?: string | undefined;
  /** A check before the library is called; its refusal is logged as a refusal of this call. */
  requires?(): Promise<void>;
}

/** Library codes that differ from ours. */
const CODES: Record<string, RefusalCode> = {
  UNAUTHORIZED: 'NOT_SIGNED_IN',
  SESSION_REQUIRED: 'NOT_SIGNED_IN',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'NOT_SIGNED_IN',
  INVALID_TWO_FACTOR_COOKIE: 'NOT_SIGNED_IN',
  INVALID_EMAIL_OR_PASSWORD: 'INVALID_CREDENTIALS',
  INVALID_PASSWORD: 'WRONG_PASSWORD',
  USER_ALREADY_EXISTS: 'EMAIL_TAKEN',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'EMAIL_TAKEN',
  VERIFICATION_EMAIL_NOT_ENABLED: 'EMAIL_VERIFICATION_OFF',
  TOKEN_EXPIRED: 'LINK_EXPIRED',
  INVALID_TOKEN: 'LINK_INVALID',
  USER_NOT_FOUND: 'LINK_INVALID',
  INVALID_CODE: 'CODE_INVALID',
  INVALID_BACKUP_CODE: 'CODE_INVALID',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'TOO_MANY_CODES',
  TOTP_NOT_ENABLED: 'TWO_FACTOR_NOT_ENABLED',
  BACKUP_CODES_NOT_ENABLED: 'TWO_FACTOR_NOT_ENABLED',
  TOTP_ALREADY_ENABLED: 'TWO_FACTOR_ALREADY_ENABLED',
  AUTHENTICATION_FAILED: 'PASSKEY_REFUSED',
  // The library's code for a device response that does not fit.
  FAILED_TO_VERIFY_REGISTRATION: 'PASSKEY_NOT_ADDED',
  MISSING_RESPONSE: 'CAPTCHA_REQUIRED',
  VERIFICATION_FAILED: 'CAPTCHA_FAILED',
};

/**
 * Calls the auth library at one of its own paths and forwards its cookies. Returns its body, which holds tokens:
 * pass on only what the contract names. Throws Refusal; any other failure is the library's own.
 */
export async function callLibrary(
  ctx: LibraryContext,
  path: `/${string}`,
  { body, captcha, requires }: LibraryCall = {},
): Promise<Record<string, unknown>> {
  try {
    await requires?.();
    if (HASHES_FOR_STRANGERS.has(path)) {
      await ctx.auth.passwordTurns.take(ctx.headers.get(CLIENT_IP_HEADER) ?? '');
    }
    return await request(ctx, path, body, captcha);
  } catch (thrown) {
    const error = isOfDeletedUser(thrown) ? new Refusal('NOT_SIGNED_IN') : thrown;
    if (error instanceof Refusal) {
      const email = body && 'email' in body ? body.email : null;
      const from = ctx.headers.get(CLIENT_IP_HEADER);
      logAuthRefusal(ctx.log, path.replace(/\?.*/, ''), { code: error.code, email, from });
    }
    throw error;
  }
}

/** Whether a row was not stored because its user's account was deleted during the call. */
const isOfDeletedUser = (error: unknown) => violatedConstraint(error)?.endsWith('_profiles_id_fk') ?? false;

async function request(
  { auth, headers: original, setCookies }: LibraryContext,
  path: string,
  body: object | undefined,
  captcha: string | undefined,
): Promise<Record<string, unknown>> {
  // No provider makes other solutions, and a header could not carry them.
  if (captcha && !/^[\x21-\x7e]+$/.test(captcha)) throw new Refusal('CAPTCHA_FAILED');
  const headers = fromKnownOrigin(original, auth.publicUrl);
  for (const name of ['content-length', 'content-type', CAPTCHA_HEADER]) headers.delete(name);
  if (body) headers.set('content-type', 'application/json');
  if (captcha) headers.set(CAPTCHA_HEADER, captcha);
  const url = new URL(`/api/auth${path}`, auth.options.baseURL);
  const response = await auth.handler(
    new Request(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }),
  );
  setCookies(response.headers.getSetCookie());
  const answer = ((await response.json().catch(() => null)) ?? {}) as Record<string, unknown>;
  if (!response.ok) throw toRefusal(response, answer);
  return answer;
}

/**
 * The headers as the library's origin check may see them; http/security-headers.ts has already refused other sites' pages.
 * Browsers send no Origin with a GET, but do say that our own page asks. A request with a token counts as our own page's,
 * because `useBearer` wrote its cookies. A request without origin, referrer and site is not a browser's, and the cookies
 * it may keep are its own; but Node's fetch adds `Sec-Fetch-Mode`, which the library takes for a browser's.
 */
function fromKnownOrigin(original: Headers, publicUrl: string): Headers {
  const headers = new Headers(original);
  const bySamePage = !headers.has('origin') && headers.get('sec-fetch-site') === 'same-origin';
  const isProgram = ['origin', 'referer', 'sec-fetch-site'].every((name) => !headers.has(name));
  if (isProgram) headers.delete('sec-fetch-mode');
  if (isProgram ? headers.has('cookie') : bySamePage) headers.set('origin', new URL(publicUrl).origin);
  if (bearerToken(headers) !== null) headers.set('origin', new URL(publicUrl).origin);
  return headers;
}

function toRefusal(response: Response, { code, data }: Record<string, unknown>): Refusal {
  const name = String(code ?? '');
  if (response.status === 429) {
    const seconds = (data as { retry_after_seconds?: number } | undefined)?.retry_after_seconds;
    const retry_after_seconds = seconds ?? Number(response.headers.get('x-retry-after') ?? 60);
    return new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds });
  }
  const refusalCode = CODES[name] ?? (Object.hasOwn(REFUSALS, name) ? (name as RefusalCode) : null);
  if (refusalCode)
    return new Refusal<RefusalCode>(refusalCode, ...((data === undefined ? [] : [data]) as [never]));
  if (response.status >= 500) throw new Error(`The auth library failed: ${response.status} ${name}`);
  return new Refusal('AUTH_REFUSED');
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import { z } from 'zod';
import { CLIENT_IP_HEADER } from '../platform/client-ip.ts';
import { logAuthRefusal } from './audit-log.ts';
import type { Auth } from './better-auth.ts';
import { CAPTCHA_HEADER } from './captcha.ts';
import { AUTH_MESSAGES, CALLERS_FAULT } from './messages.ts';
import { PASSWORD_HEADER } from './passkeys/plugin.ts';
import { creationOptions, requestOptions } from './passkeys/schemas.ts';
import { CALLS, isCall } from './schemas.ts';
import { withoutSessionCache } from './sessions/session-cookie.ts';

/** The library takes these as GET, with all that they accept in the address. */
const ASKED_BY_GET = new Set<keyof typeof CALLS>([
  'verify-email',
  'passkey/generate-register-options',
  'passkey/generate-authenticate-options',
]);

/** What an answer tells beside that it worked. */
const TOLD = z.object({
  // Shown once, to the person who gave their password for it.
  totpURI: z.string().optional(),
  backupCodes: z.array(z.string()).optional(),
  twoFactorRedirect: z.boolean().optional(),
  url: z.url().optional(),
});

/** Answers that tell the browser what to ask a device for. */
const OPTIONS: Partial<Record<keyof typeof CALLS, z.ZodType>> = {
  'passkey/generate-register-options': creationOptions,
  'passkey/generate-authenticate-options': requestOptions,
};

/** Answers that must not tell by their haste whether there is such an account. */
const LEAST_MS: Partial<Record<keyof typeof CALLS, number>> = { 'request-password-reset': 400 };

const refuse = (c: Context, status: 400 | 404 | 415, code: string, message: string, data?: unknown) =>
  c.json({ code, message, ...(data === undefined ? {} : { data }) }, status);

/**
 * The doorway before the identity library: only known calls, only known fields, bounded. Answers with
 * { code, message } in the shape of every other error here; the library's tokens stay in its cookies.
 */
export function authHandler(auth: Auth, log: Logger) {
  return async (c: Context): Promise<Response> => {
    const path = c.req.path.replace(/^\/api\/auth\//, '');
    if (c.req.method !== 'POST' || !isCall(path)) {
      return refuse(c, 404, 'NOT_FOUND', 'There is nothing at this address.');
    }
    if (!c.req.header('content-type')?.startsWith('application/json')) {
      return refuse(c, 415, 'UNSUPPORTED_MEDIA_TYPE', 'Send application/json.');
    }
    const body: unknown = await c.req.json().catch(() => undefined);
    const parsed = CALLS[path].safeParse(body);
    if (!parsed.success) {
      const issues = parsed.error.issues.map((issue) => ({ path: issue.path, message: issue.message }));
      return refuse(c, 400, 'BAD_REQUEST', issues[0]?.message ?? 'Bad request', { issues });
    }
    // These calls never believe the copy of the session.
    const headers = withoutSessionCache(c.req.raw.headers);
    headers.delete('content-length');
    headers.delete(CAPTCHA_HEADER);
    headers.delete(PASSWORD_HEADER);
    const { captcha, ...known } = { captcha: undefined, ...parsed.data };
    if (captcha) headers.set(CAPTCHA_HEADER, captcha);
    const [answer] = await Promise.all([
      auth.handler(requestOf(path, c.req.url, headers, known)),
      wait(LEAST_MS[path] ?? 0),
    ]);
    const told = await withoutTokens(answer, OPTIONS[path]);
    if (!told.ok) {
      const { code } = (await told.clone().json()) as { code: string };
      const from = c.req.header(CLIENT_IP_HEADER) ?? null;
      logAuthRefusal(log, `/${path}`, { code, email: 'email' in known ? known.email : null, from });
    }
    if (path === 'verify-email' && told.ok) {
      // The session's copy in this browser says otherwise for up to a minute.
      const { cookies } = await readSession(auth, headers, 'database');
      for (const cookie of cookies) told.headers.append('set-cookie', cookie);
    }
    return told;
  };
}

function requestOf(path: keyof typeof CALLS, url: string, headers: Headers, known: object): Request {
  if (!ASKED_BY_GET.has(path)) {
    return new Request(url, { method: 'POST', headers, body: JSON.stringify(known) });
  }
  const asked = new URL(url);
  const { password: again, ...query } = known as Record<string, string>;
  if (again) headers.set(PASSWORD_HEADER, encodeURIComponent(again));
  asked.search = new URLSearchParams(query).toString();
  headers.delete('content-type');
  return new Request(asked, { headers });
}

/** The library answers with the session token in the body too; scripts must never see it (design section 5). */
async function withoutTokens(answer: Response, options?: z.ZodType): Promise<Response> {
  const headers = new Headers(answer.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  const body = (await answer.json().catch(() => ({}))) as { code?: string; message?: string };
  const error = {
    code: body.code ?? (answer.status === 429 ? 'TOO_MANY_ATTEMPTS' : 'IDENTITY_REFUSED'),
    message: AUTH_MESSAGES[body.code ?? ''] ?? body.message,
  };
  const { totpURI: totp_uri, backupCodes: backup_codes, twoFactorRedirect, url } = TOLD.catch({}).parse(body);
  const told = {
    ok: true,
    totp_uri,
    backup_codes,
    two_factor: twoFactorRedirect,
    url,
    options: answer.ok ? options?.parse(body) : undefined,
  };
  const status = error.code === CALLERS_FAULT ? 400 : answer.status;
  return new Response(JSON.stringify(answer.ok ? told : error), { status, headers });
}

interface SignedIn {
  session_id: string;
  user: {
    id: string;
    email: string;
    email_verified: boolean;
    first_name: string;
    last_name: string;
    phone: string | null;
    role: 'customer' | 'staff' | null;
    two_factor: boolean;
  };
}

export interface SessionAnswer {
  signedIn: SignedIn | null;
  /** Cookies that renew the signed copy of the session, or take away what is no longer good. */
  cookies: string[];
}

/**
 * Who is asking. From the signed copy in the cookie, and once a minute from the database; always from there
 * when told so, which also renews the copy.
 */
export async function readSession(
  auth: Auth,
  headers: Headers,
  from: 'copy' | 'database' = 'copy',
): Promise<SessionAnswer> {
  if (!headers.get('cookie')) return { signedIn: null, cookies: [] };
  const { response, headers: answered } = await auth.api.getSession({
    headers,
    query: { disableCookieCache: from === 'database' },
    returnHeaders: true,
  });
  const cookies = answered.getSetCookie();
  if (!response) return { signedIn: null, cookies };
  const { user, session } = response;
  const role = session.role === 'staff' || session.role === 'customer' ? session.role : null;
  return {
    signedIn: {
      session_id: session.id,
      user: {
        id: user.id,
        email: user.email,
        email_verified: user.emailVerified,
        first_name: user.first_name,
        last_name: user.last_name,
        phone: user.phone ?? null,
        role,
        two_factor: user.twoFactorEnabled === true,
      },
    },
    cookies,
  };
}

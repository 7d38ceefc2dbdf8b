import type { Context } from 'hono';
import { z } from 'zod';
import { text } from '../contract/base.ts';
import { personName, phoneNumber } from '../contract/profile.ts';
import type { Auth } from './auth.ts';

const email = text(254).trim().pipe(z.email());
// The length rules of passwords are the identity library's, so that every way in shares them.
const password = z.string().min(1, 'Required').max(1000);

/** The identity calls that exist, with all that they accept; everything else under /api/auth is a 404. */
const CALLS = {
  'sign-up/email': z
    .strictObject({
      first_name: personName,
      last_name: personName,
      email,
      phone: phoneNumber.optional(),
      password,
      // Sent by the original's sign-up; no other role can be asked for (spec section 5).
      role: z.literal('customer').optional(),
    })
    .transform(({ role: _, phone, ...rest }) => ({
      ...rest,
      ...(phone ? { phone } : {}),
      name: `${rest.first_name} ${rest.last_name}`,
    })),
  'sign-in/email': z.strictObject({ email, password }),
  'sign-out': z.strictObject({}),
};

function isCall(path: string): path is keyof typeof CALLS {
  return Object.hasOwn(CALLS, path);
}

const refuse = (c: Context, status: 400 | 404 | 415, code: string, message: string, data?: unknown) =>
  c.json({ code, message, ...(data === undefined ? {} : { data }) }, status);

/**
 * The doorway before the identity library: only known calls, only known fields, bounded. Answers with
 * { code, message } in the shape of every other error here; the library's tokens stay in its cookies.
 */
export function identityHandler(auth: Auth) {
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
    const headers = new Headers(c.req.raw.headers);
    headers.delete('content-length');
    const answer = await auth.handler(
      new Request(c.req.url, { method: 'POST', headers, body: JSON.stringify(parsed.data) }),
    );
    return withoutTokens(answer);
  };
}

/** The library answers with the session token in the body too; scripts must never see it (design section 5). */
async function withoutTokens(answer: Response): Promise<Response> {
  const headers = new Headers(answer.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  const body = (await answer.json().catch(() => ({}))) as { code?: string; message?: string };
  const error = {
    code: body.code ?? (answer.status === 429 ? 'TOO_MANY_ATTEMPTS' : 'IDENTITY_REFUSED'),
    message: body.message,
  };
  return new Response(JSON.stringify(answer.ok ? { ok: true } : error), { status: answer.status, headers });
}

export interface SignedIn {
  user: {
    id: string;
    email: string;
    first_name: string;
    last_name: string;
    phone: string | null;
    role: 'customer' | 'staff' | null;
  };
  /** Cookies that renew the signed copy of the session. */
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
): Promise<SignedIn | null> {
  if (!headers.get('cookie')) return null;
  const { response, headers: answered } = await auth.api.getSession({
    headers,
    query: { disableCookieCache: from === 'database' },
    returnHeaders: true,
  });
  if (!response) return null;
  const { user, session } = response;
  const role = session.role === 'staff' || session.role === 'customer' ? session.role : null;
  return {
    user: {
      id: user.id,
      email: user.email,
      first_name: user.first_name,
      last_name: user.last_name,
      phone: user.phone ?? null,
      role,
    },
    cookies: answered.getSetCookie(),
  };
}

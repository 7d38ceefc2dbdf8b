import type { Context } from 'hono';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Auth } from '../better-auth.ts';
import { withoutSessionCache } from '../sessions/session-cookie.ts';

/** What a provider says on the way back; whatever else it adds is left behind. */
const RETURNED = z.object({
  state: z.string().min(1).max(200),
  code: z.string().max(4096).optional(),
  error: z.string().max(200).optional(),
  iss: z.string().max(500).optional(),
});

/** Why it did not work, as our pages know to say it; everything else is 'failed'. */
const PROBLEMS: Record<string, string> = {
  access_denied: 'cancelled',
  user_cancelled_authorize: 'cancelled',
  state_mismatch: 'expired',
  email_not_verified: 'unconfirmed',
  signup_disabled: 'not-linked',
  account_not_linked: 'not-linked',
  account_already_linked_to_different_user: 'taken',
};

/** The pages that a way to a provider starts from, and the only ones it ends at. */
const PAGES = ['/login', '/account', '/staff/settings'];

/**
 * The one GET of the identity library that is open: a person comes back from a provider. It answers with a
 * redirect to one of our pages, always, and with the library's cookies.
 */
export async function oauthCallback(
  auth: Auth,
  c: Context,
  provider: string,
  log: Logger,
): Promise<Response> {
  const returned = RETURNED.safeParse(c.req.query());
  if (!returned.success) return to('/login?problem=failed');
  const url = new URL(`/api/auth/callback/${provider}`, c.req.url);
  for (const [name, value] of Object.entries(returned.data)) url.searchParams.set(name, value);
  let answer: Response;
  try {
    answer = await auth.handler(new Request(url, { headers: withoutSessionCache(c.req.raw.headers) }));
  } catch (error) {
    log.error({ err: error }, 'request failed');
    return to('/login?problem=failed');
  }
  const body = (await answer.json().catch(() => ({}))) as { twoFactorRedirect?: boolean };
  return to(pageFor(answer, body.twoFactorRedirect === true), answer.headers.getSetCookie());
}

function pageFor(answer: Response, secondStep: boolean): string {
  const location = URL.parse(answer.headers.get('location') ?? '', 'http://own.invalid');
  if (answer.status !== 302 || !location) {
    return `/login?problem=${answer.status === 429 ? 'too-many' : 'failed'}`;
  }
  const { pathname, search, searchParams } = location;
  const page = PAGES.includes(pathname) ? pathname : '/login';
  const error = searchParams.get('error');
  if (error !== null) return `${page}?problem=${PROBLEMS[error] ?? 'failed'}`;
  if (page !== pathname) return '/login?problem=failed';
  return secondStep ? `/two-factor${search}` : page + search;
}

function to(page: string, cookies: string[] = []): Response {
  const headers = new Headers({ location: page });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 302, headers });
}

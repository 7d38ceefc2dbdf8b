import { z } from 'zod';
import { text } from '../../../contract/text.ts';
import type { LibraryContext } from '../library-call.ts';

/** The parameters that are read; others are ignored. */
const RETURNED = z.object({
  state: text(200).min(1),
  code: text(4096).optional(),
  error: text(200).optional(),
  iss: text(500).optional(),
});

/** Problems by the names our pages know; everything else is 'failed'. */
const PROBLEMS: Record<string, string> = {
  access_denied: 'cancelled',
  user_cancelled_authorize: 'cancelled',
  state_mismatch: 'expired',
  email_not_verified: 'unconfirmed',
  signup_disabled: 'not-linked',
  account_not_linked: 'not-linked',
  account_already_linked_to_different_user: 'taken',
};

/** The pages that a provider sign-in starts from, and the only ones it ends at, besides /two-factor. */
const PAGES = ['/login', '/account/security', '/staff/account'];

interface Callback {
  provider: string;
  query: Record<string, string>;
}

/**
 * GET /api/auth/callback/{provider}: a browser comes back from a provider. Always redirects to one of our pages,
 * with the library's cookies.
 */
export async function oauthCallback(
  { auth, headers, log }: Omit<LibraryContext, 'setCookies'>,
  { provider, query }: Callback,
): Promise<Response> {
  const result = RETURNED.safeParse(query);
  if (!result.success) return redirect('/login?problem=failed');
  const url = new URL(`/api/auth/callback/${provider}`, auth.options.baseURL);
  for (const [name, value] of Object.entries(result.data)) url.searchParams.set(name, value);
  let answer: Response;
  try {
    answer = await auth.handler(new Request(url, { headers }));
  } catch (error) {
    log.error({ err: error }, 'request failed');
    return redirect('/login?problem=failed');
  }
  const body = (await answer.json().catch(() => ({}))) as { twoFactorRedirect?: boolean };
  return redirect(pageFor(answer, body.twoFactorRedirect === true), answer.headers.getSetCookie());
}

function pageFor(answer: Response, twoFactor: boolean): string {
  const location = URL.parse(answer.headers.get('location') ?? '', 'http://own.invalid');
  if (answer.status !== 302 || !location) {
    return `/login?problem=${answer.status === 429 ? 'too-many' : 'failed'}`;
  }
  const { pathname, search, searchParams } = location;
  const page = PAGES.includes(pathname) ? pathname : '/login';
  const error = searchParams.get('error');
  if (error !== null) return `${page}?problem=${PROBLEMS[error] ?? 'failed'}`;
  if (page !== pathname) return '/login?problem=failed';
  return twoFactor ? `/two-factor${search}` : page + search;
}

function redirect(page: string, cookies: string[] = []): Response {
  const headers = new Headers({ location: page });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 302, headers });
}

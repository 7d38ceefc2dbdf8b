import { type OAuthReturn, readReturn } from './oauth-return.ts';

interface Requested {
  /** The page that was requested before signing in. */
  redirect?: string;
}

export function readRedirect(search: Record<string, unknown>): Requested {
  return typeof search.redirect === 'string' ? { redirect: search.redirect } : {};
}

/** The search parameters of pages that a provider returns to, and that lead on to the requested page. */
export function readSignInSearch(search: Record<string, unknown>): Requested & OAuthReturn {
  return { ...readRedirect(search), ...readReturn(search) };
}

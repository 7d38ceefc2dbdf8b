import { readLinkFragment } from '../../domain/membership/link-fragment.ts';

/** The pages whose links wait for their reader to sign in or register. */
const PAGES = ['/share', '/redeem'] as const;
type LinkPage = (typeof PAGES)[number];

interface OpenedLink {
  page: LinkPage;
  secret: string;
  /** Where the link was sent, if it was. */
  email: string | null;
}

const keyOf = (page: LinkPage) => `cellar-door:link:${page}`;

/**
 * Stores the link that this tab opened, until it is used, the user signs out or the tab closes, so that its secret can
 * leave the URL: it stands in no history, and in no address to return to after sign-in. False if the browser does not
 * store it.
 */
export function keepOpenedLink(page: LinkPage, hash: string): boolean {
  const { secret } = readLinkFragment(hash);
  try {
    if (secret) sessionStorage.setItem(keyOf(page), hash.slice(0, 500));
    return secret !== '';
  } catch {
    return false;
  }
}

/** The link of that page that this tab opened and has not used; null for none. */
export function readOpenedLink(page: LinkPage): OpenedLink | null {
  try {
    const link = readLinkFragment(sessionStorage.getItem(keyOf(page)) ?? '');
    return link.secret ? { page, ...link } : null;
  } catch {
    return null;
  }
}

/** All links that this tab opened and has not used. */
export const openedLinks = (): OpenedLink[] => PAGES.flatMap((page) => readOpenedLink(page) ?? []);

/** Call when it was used, or can never be. */
export function forgetOpenedLink(page: LinkPage): void {
  try {
    sessionStorage.removeItem(keyOf(page));
  } catch {
    // Then nothing was stored.
  }
}

/** The next user of a shared device must not find the previous one's links. */
export const forgetOpenedLinks = (): void => PAGES.forEach(forgetOpenedLink);

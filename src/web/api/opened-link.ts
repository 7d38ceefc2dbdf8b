import { readLinkFragment } from '../../domain/membership/link-fragment.ts';
import { tabStorage } from './local-storage.ts';

/** Pages whose link must wait until the user has signed in or registered. */
const PAGES = ['/share', '/redeem'] as const;
type LinkPage = (typeof PAGES)[number];

export interface OpenedLink {
  page: LinkPage;
  secret: string;
  /** The email that the link was sent to, if any. */
  email: string | null;
}

const keyOf = (page: LinkPage) => `cellar-door:link:${page}`;

/**
 * Stores the link that this tab opened until it is used, the user signs out or the tab closes. Its secret can then leave
 * the URL, so it is not in the history or in the address to return to after sign-in. False if the browser does not store
 * it.
 */
export function keepOpenedLink(page: LinkPage, hash: string): boolean {
  return readLinkFragment(hash).secret !== '' && tabStorage.write(keyOf(page), hash.slice(0, 500));
}

/** The unused link of that page that this tab opened; null if none. */
export function readOpenedLink(page: LinkPage): OpenedLink | null {
  const link = readLinkFragment(String(tabStorage.read(keyOf(page)) ?? ''));
  return link.secret ? { page, ...link } : null;
}

export const openedLinks = (): OpenedLink[] => PAGES.flatMap((page) => readOpenedLink(page) ?? []);

/** Call once the link is used or can no longer be used. */
export function forgetOpenedLink(page: LinkPage): void {
  tabStorage.remove(keyOf(page));
}

/** The next user of a shared device must not find the previous one's links. */
export const forgetOpenedLinks = (): void => PAGES.forEach(forgetOpenedLink);

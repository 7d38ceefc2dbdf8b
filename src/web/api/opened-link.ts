import { readLinkFragment } from '../../domain/membership/link-fragment.ts';
import { tabStorage } from './local-storage.ts';

/** Pages whose link must wait until the user has signed in or registered. */
const PAGES = ['/share', '/redeem'] as const;
type LinkPage = (typeof PAGES)[number];

export interface OpenedLink {
  page: LinkPage;
  secret: string;
  email: string | null;
}

const keyOf = (page: LinkPage) => `cellar-door:link:${page}`;

/**
 * Stores the link until it is used, the user signs out or the tab closes, so that its secret can leave the URL. False if it
 * was not stored.
 */
export function keepOpenedLink(page: LinkPage, hash: string): boolean {
  return readLinkFragment(hash).secret !== '' && tabStorage.write(keyOf(page), hash.slice(0, 500));
}

export function readOpenedLink(page: LinkPage): OpenedLink | null {
  const link = readLinkFragment(String(tabStorage.read(keyOf(page)) ?? ''));
  return link.secret ? { page, ...link } : null;
}

export const openedLinks = (): OpenedLink[] => PAGES.flatMap((page) => readOpenedLink(page) ?? []);

export function forgetOpenedLink(page: LinkPage): void {
  tabStorage.remove(keyOf(page));
}

/** The next user of a shared device must not find the previous one's links. */
export const forgetOpenedLinks = (): void => PAGES.forEach(forgetOpenedLink);

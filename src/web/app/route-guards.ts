import { redirect } from '@tanstack/react-router';
import { type OfflineCard, readOfflineCard } from '../api/offline-card.ts';
import type { SessionUser } from '../api/session.ts';
import { currentUser, homeOf } from '../api/session.ts';

type Role = NonNullable<SessionUser['role']>;

const memberPaths = ['/dashboard', '/apply', '/payment-success', '/qr-code', '/pours', '/account'];

function maySee(role: Role, pathname: string): boolean {
  return role === 'staff' ? pathname.startsWith('/staff/') : memberPaths.includes(pathname);
}

/** How long a member waits for an answer before the card kept on the device is better than none. */
const patienceMs = 3_000;

/**
 * Where a person who has just signed in goes: back to where they were going, when that is a page of this
 * app and of their role, else home. The wish comes from the address bar, so anybody may have written it.
 */
export function landingFor(user: SessionUser, wish: string | undefined): string {
  const home = homeOf(user);
  if (!user.role || !wish || !/^\/(?![/\\])/.test(wish)) return home;
  try {
    const url = new URL(wish, window.location.origin);
    if (url.origin !== window.location.origin || !maySee(user.role, url.pathname)) return home;
    return url.pathname + url.search + url.hash;
  } catch {
    return home;
  }
}

interface At {
  location: { href: string; pathname?: string };
}

/** `beforeLoad` of a layout whose pages are for one role (spec section 2, route guard). */
export function requireRole(role: Role) {
  return async ({ location }: At): Promise<{ user: SessionUser }> => {
    const user = await currentUser();
    // Nobody's role opens neither side: sending them to the other one would go round in circles.
    if (!user?.role) throw redirect({ to: '/login', search: { redirect: location.href }, replace: true });
    if (user.role !== role) throw redirect({ to: homeOf(user), replace: true });
    if (user.must_enrol && location.pathname !== '/staff/settings') {
      throw redirect({ to: '/staff/settings', replace: true });
    }
    return { user };
  };
}

/**
 * `beforeLoad` of the member pages. While the server cannot be asked, a member whose card is kept on this
 * device is let in to that card, and to nothing else.
 */
export async function requireMember(at: At): Promise<{ user: SessionUser; away: OfflineCard | null }> {
  const card = readOfflineCard();
  if (!card) return { ...(await requireRole('customer')(at)), away: null };
  const answer = currentUser().then(
    () => true,
    () => false,
  );
  const tired = new Promise<false>((resolve) => setTimeout(resolve, patienceMs, false));
  if (await Promise.race([answer, tired])) return { ...(await requireRole('customer')(at)), away: null };
  const { user_id: id, first_name, last_name } = card;
  return { user: { id, first_name, last_name, email: '', phone: null, role: 'customer' }, away: card };
}

/** `beforeLoad` of the pages for visitors: whoever is signed in already is sent on. */
export async function sendHomeWhenSignedIn({ search }: { search: { redirect?: string } }): Promise<void> {
  // When nobody can say who it is, the form is the better answer than an error.
  const user = await currentUser().catch(() => null);
  if (user?.role) throw redirect({ href: landingFor(user, search.redirect), replace: true });
}

/** `validateSearch` of those pages. */
export function readRedirect(search: Record<string, unknown>): { redirect?: string } {
  return typeof search.redirect === 'string' ? { redirect: search.redirect } : {};
}

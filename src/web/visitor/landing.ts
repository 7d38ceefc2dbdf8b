import { startInScanner } from '../api/device-setting.ts';
import { homeOf, type SessionUser } from '../api/session.ts';

const MEMBER_PATHS = [
  '/dashboard',
  '/apply',
  '/payment-success',
  '/qr-code',
  '/pours',
  '/wines',
  '/account',
  '/household',
  '/share',
  '/gift',
  '/redeem',
];

function mayOpen(role: NonNullable<SessionUser['role']>, pathname: string): boolean {
  if (role === 'staff') return pathname.startsWith('/staff/');
  return MEMBER_PATHS.includes(pathname) || /^\/(account|gift|join)\//.test(pathname);
}

/** The requested page, if the user's role can open it, else home. `requested`, from the address bar, may be anything. */
export function landingFor(user: SessionUser, requested: string | undefined): string {
  const home = user.role === 'staff' && startInScanner.read() ? '/staff/search' : homeOf(user);
  if (!user.role || !requested || !/^\/(?![/\\])/.test(requested)) return home;
  try {
    const url = new URL(requested, window.location.origin);
    if (url.origin !== window.location.origin || !mayOpen(user.role, url.pathname)) return home;
    return url.pathname + url.search + url.hash;
  } catch {
    return home;
  }
}

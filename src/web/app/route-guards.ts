import { redirect } from '@tanstack/react-router';
import { readTablet } from '../api/device/tablet.ts';
import { keepChosenTier } from '../api/joining.ts';
import { type OfflineCard, readOfflineCard } from '../api/offline-card.ts';
import { readOfflineStaff } from '../api/offline-staff.ts';
import { keepOpenedLink } from '../api/opened-link.ts';
import { currentUser, may, type SessionUser } from '../api/session.ts';
import { site } from '../api/site.ts';
import { PERMISSION_TEXT } from '../staff/team/permission-text.ts';
import { toast } from '../ui/toast.ts';
import { landingFor } from '../visitor/landing.ts';
import { PAGES, type PagePath, type PageRow } from './pages.ts';

type Role = NonNullable<SessionUser['role']>;

/** Milliseconds without a response after which the offline page opens: the card, or the bar's. */
const SESSION_TIMEOUT_MS = 3_000;

interface GuardInput {
  location: { href: string; pathname?: string };
}

/** The pages of a shared tablet: finding and viewing members, pouring, and bottles. */
const isBarPage = (path = '') =>
  /^\/staff\/(dashboard|search|wines|customers\/[^/]+(\/add-pour)?)\/?$/.test(path);

/** `beforeLoad` of a layout for one role. Throws a redirect for everyone else (`docs/rules/pages.md`, "Routes"). */
export function requireRole(role: Role) {
  return async ({ location }: GuardInput): Promise<{ user: SessionUser }> => {
    const user = await currentUser();
    if (!user && readTablet()) throw redirect({ to: '/bar', replace: true });
    if (!user) throw redirect({ to: '/login', search: { redirect: location.href }, replace: true });
    // The dashboard tells a user without a role about it; redirecting would never end.
    const roleless = user.role === null && role === 'customer' && location.pathname === '/dashboard';
    if (user.role !== role && !roleless) throw redirect({ href: landingFor(user, undefined), replace: true });
    if (user.tablet && !isBarPage(location.pathname)) {
      throw redirect({ to: '/staff/dashboard', replace: true });
    }
    if (user.must_enrol && location.pathname !== '/staff/account') {
      throw redirect({ to: '/staff/account', search: { redirect: location.href }, replace: true });
    }
    return { user };
  };
}

/** `beforeLoad` of the member pages. While the server cannot be reached, only the card saved on this device shows. */
export async function requireMember(
  input: GuardInput,
): Promise<{ user: SessionUser; offlineCard: OfflineCard | null }> {
  const card = readOfflineCard();
  if (!card || (await isReached())) {
    return { ...(await requireRole('customer')(input)), offlineCard: null };
  }
  const { user_id: id, first_name, last_name } = card;
  return { user: { id, first_name, last_name, email: '', phone: null, role: 'customer' }, offlineCard: card };
}

/** `beforeLoad` of a member page that greets visitors itself. Throws a redirect for staff and on a shared tablet. */
async function admitVisitor(input: GuardInput): Promise<{ user: SessionUser | null }> {
  if (!readTablet() && !(await currentUser())) return { user: null };
  return requireRole('customer')(input);
}

/** `beforeLoad` of the staff pages. While the server cannot be reached, only what works on the device alone shows. */
export async function requireStaff(input: GuardInput): Promise<{ user: SessionUser; offline: boolean }> {
  const staff = readOfflineStaff(Date.now());
  if (!staff || (await isReached())) return { ...(await requireRole('staff')(input)), offline: false };
  const tablet = readTablet() ?? undefined;
  return { user: { ...staff, email: '', phone: null, role: 'staff', tablet }, offline: true };
}

function isReached(): Promise<boolean> {
  const answered = currentUser().then(
    () => true,
    () => false,
  );
  const timedOut = new Promise<false>((resolve) => setTimeout(resolve, SESSION_TIMEOUT_MS, false));
  return Promise.race([answered, timedOut]);
}

export async function sendHomeWhenSignedIn({ search }: { search: { redirect?: string } }): Promise<void> {
  // If the server does not respond, show the form rather than an error.
  const user = await currentUser().catch(() => null);
  if (user) throw redirect({ href: landingFor(user, search.redirect), replace: true });
}

interface PageInput extends GuardInput {
  location: GuardInput['location'] & { hash: string; search: object };
  search: { redirect?: string; session_id?: string };
  params: { tier?: string };
  context: { user?: SessionUser };
  preload: boolean;
}

const toAccount = () => {
  throw redirect({ to: '/account', replace: true });
};

/** What is done before some pages open, after those of their side. */
const GUARDS: { [Path in PagePath]?: (input: PageInput) => unknown } = {
  '/'() {
    throw redirect({ to: readTablet() ? '/bar' : '/login', replace: true });
  },
  '/login': sendHomeWhenSignedIn,
  '/register': sendHomeWhenSignedIn,
  '/bar': () => sendHomeWhenSignedIn({ search: {} }),
  async '/join/$tier'({ params }) {
    keepChosenTier(params.tier ?? '');
    const user = await currentUser().catch(() => null);
    if (site.payments === 'on' && (user || site.verify_email !== 'required')) return;
    throw redirect({ to: user ? '/apply' : '/register', replace: true });
  },
  '/share'({ location }) {
    if (keepOpenedLink('/share', location.hash)) throw redirect({ to: '/share', replace: true });
  },
  '/redeem'({ location }) {
    if (!location.hash) return admitVisitor({ location });
    // The code must not be part of the URL to return to after sign-in.
    keepOpenedLink('/redeem', location.hash);
    throw redirect({ to: '/redeem', replace: true });
  },
  '/payment-success'({ search }) {
    if (!search.session_id) throw redirect({ to: '/dashboard', replace: true });
  },
  // Former pages of the account.
  '/account/appearance': toAccount,
  '/account/photo': toAccount,
  '/staff/reports'({ location }) {
    // Links to the former report of members not seen.
    if ('view' in location.search && location.search.view === 'absent')
      throw redirect({ to: '/staff/at-risk', search: { reason: 'absent' }, replace: true });
  },
};

/**
 * `beforeLoad` of a page. Staff without one of its permissions are sent to the dashboard, where a toast names the first.
 */
export function guardOf(page: PagePath) {
  const { permissions }: PageRow = PAGES[page];
  return (input: PageInput): unknown => {
    const { user } = input.context;
    if (!permissions || (user && permissions.some((it) => may(user, it)))) return GUARDS[page]?.(input);
    if (!input.preload) {
      toast.info('You need a permission for that page', {
        description: `Ask a colleague who manages staff for “${PERMISSION_TEXT[permissions[0]].label}”.`,
        nextPage: true,
      });
    }
    throw redirect({ to: '/staff/dashboard', replace: true });
  };
}

/** The paths of the app's pages; `$` begins a parameter. Every other path gets status 404. */
export const PAGES = [
  '/',
  '/account',
  '/account/data',
  '/account/security',
  '/account/taste',
  '/apply',
  '/bar',
  '/change-email',
  '/dashboard',
  '/forgot-password',
  '/gift',
  '/gift/$id',
  '/guest',
  '/household',
  '/invitation',
  '/join',
  '/login',
  '/payment-success',
  '/pours',
  '/qr-code',
  '/redeem',
  '/register',
  '/reset-password',
  '/setup',
  '/share',
  '/staff/account',
  '/staff/applications',
  '/staff/applications/$id',
  '/staff/at-risk',
  '/staff/audit',
  '/staff/customers/$id',
  '/staff/customers/$id/add-membership',
  '/staff/customers/$id/add-pour',
  '/staff/dashboard',
  '/staff/members',
  '/staff/members/import',
  '/staff/members/new',
  '/staff/members/$id',
  '/staff/more',
  '/staff/payments',
  '/staff/reports',
  '/staff/search',
  '/staff/settings',
  '/staff/settings/api',
  '/staff/settings/emails',
  '/staff/settings/look',
  '/staff/settings/places',
  '/staff/start',
  '/staff/system',
  '/staff/team',
  '/staff/tiers',
  '/staff/webhooks',
  '/staff/webhooks/$id',
  '/staff/wines',
  '/two-factor',
  '/verify-email',
  '/wines',
] as const;

const PATTERNS = PAGES.map((page) => ({
  page,
  pattern: new RegExp(`^${page.replaceAll(/\$\w+/g, '[^/]+')}$`),
}));

/** The app's page at this path, with or without a trailing slash; null if there is none. */
export function pageAt(path: string): (typeof PAGES)[number] | null {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path;
  return PATTERNS.find(({ pattern }) => pattern.test(trimmed))?.page ?? null;
}

export const isPage = (path: string): boolean => pageAt(path) !== null;

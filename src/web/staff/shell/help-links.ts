import type { PAGES } from '../../../contract/pages.ts';

type StaffRoute = Extract<(typeof PAGES)[number], `/staff/${string}`>;

export const HELP_LINKS: Record<StaffRoute, string> = {
  '/staff/account': 'the-team#two-step-sign-in',
  '/staff/applications': 'your-members#applications',
  '/staff/applications/$id': 'your-members#applications',
  '/staff/at-risk': 'your-members#who-may-leave',
  '/staff/audit': 'the-team#who-did-that',
  '/staff/customers/$id': 'your-members#what-is-on-their-page',
  '/staff/customers/$id/add-membership': 'a-busy-evening#sign-someone-up',
  '/staff/customers/$id/add-pour': 'behind-the-bar#a-member-orders',
  '/staff/dashboard': 'a-busy-evening#before-you-open',
  '/staff/members': 'your-members#find-someone',
  '/staff/members/import': 'moving-in#from-a-file',
  '/staff/members/new': 'a-busy-evening#sign-someone-up',
  '/staff/members/$id': 'your-members#what-is-on-their-page',
  '/staff/more': 'open-the-club#make-it-yours',
  '/staff/payments': 'open-the-club#payments',
  '/staff/reports': 'reports#how-was-the-month',
  '/staff/search': 'behind-the-bar#when-something-is-in-the-way',
  '/staff/settings': 'open-the-club#make-it-yours',
  '/staff/settings/api': 'open-the-club#your-till-and-other-programs',
  '/staff/settings/emails': 'your-front-door#the-emails',
  '/staff/settings/look': 'your-front-door#logo-and-color',
  '/staff/settings/places': 'wines-and-bottles#places',
  '/staff/settings/public-pages': 'your-front-door#the-clubs-page',
  '/staff/start': 'open-the-club#what-you-sell',
  '/staff/system': 'when-something-is-wrong#what-system-says',
  '/staff/team': 'the-team#invite-someone',
  '/staff/tiers': 'tiers-and-prices#what-a-tier-holds',
  '/staff/webhooks': 'open-the-club#your-till-and-other-programs',
  '/staff/webhooks/$id': 'open-the-club#your-till-and-other-programs',
  '/staff/wines': 'wines-and-bottles#tonight',
};

/** The URL of the help for the page whose route has this path; the whole handbook for any other. */
export function helpFor(route: string): string {
  const link = HELP_LINKS[route.replace(/\/$/, '') as StaffRoute] as string | undefined;
  return link ? `/help/${link}` : '/help';
}

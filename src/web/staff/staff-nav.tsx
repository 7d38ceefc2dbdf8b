import { useQuery } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { ClipboardList, Ellipsis, ScanLine, UsersRound } from 'lucide-react';
import { useEffect } from 'react';
import { orpc } from '../api/client.ts';
import { logFailure } from '../api/log-failure.ts';
import { NavBrand } from '../brand/nav-brand.tsx';
import { NavBar, type NavItem } from '../ui/nav-bar.tsx';

const REFRESH_MS = 60_000;

/** The addresses of each, by how they begin. */
const SCAN = ['/staff/search'];
const MEMBERS = ['/staff/dashboard', '/staff/customers'];
const APPLICATIONS = ['/staff/applications'];
const MORE = ['/staff/more', '/staff/account', '/staff/settings', '/staff/system'];

/** The scanner fills a phone, and the pour page has its button where the bar would be. */
const PINNED = ['/staff/search', '/staff/customers/$id/add-pour'];

/** Scan, Members, Applications with how many wait, and More. */
export function StaffNav() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const { data, error } = useQuery({
    ...orpc.applications.count.queryOptions(),
    refetchInterval: REFRESH_MS,
  });
  useEffect(() => {
    if (error) logFailure('Counting the applications', error);
  }, [error]);

  const item = (paths: string[], label: string, icon: NavItem['icon']): NavItem => ({
    to: paths[0] as NavItem['to'],
    label,
    icon,
    current: paths.some((path) => page.startsWith(path)),
  });
  const items = [
    item(SCAN, 'Scan', ScanLine),
    item(MEMBERS, 'Members', UsersRound),
    { ...item(APPLICATIONS, 'Applications', ClipboardList), waiting: data?.pending },
    item(MORE, 'More', Ellipsis),
  ];
  return <NavBar items={items} brand={<NavBrand />} shown={PINNED.includes(page) ? 'wide' : 'everywhere'} />;
}

import { useQuery } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Search from 'lucide-react/icons/search';
import UsersRound from 'lucide-react/icons/users-round';
import { lazy, Suspense, useEffect, useState } from 'react';
import { orpc } from '../api/client.ts';
import { logFailure } from '../api/log-failure.ts';
import type { SessionUser } from '../api/session.ts';
import { NavBrand } from '../brand/nav-brand.tsx';
import { NavBar, type NavItem } from '../ui/nav-bar.tsx';
import { SideNav } from '../ui/side-nav.tsx';
import { paletteKeys, ShortcutSheet } from './shell/shortcut-sheet.tsx';
import { isCurrent, pagesFor, type StaffPage } from './shell/staff-pages.ts';
import { useShortcuts } from './shell/use-shortcuts.ts';
import { StaffSignOut } from './staff-sign-out.tsx';

// Loaded when it is first opened.
const CommandPalette = lazy(async () => ({
  default: (await import('./shell/command-palette.tsx')).CommandPalette,
}));

const REFRESH_MS = 60_000;

/** On a phone, Members opens the search by name; the whole list is under More, with less frequent pages. */
const PHONE_MEMBERS = {
  to: '/staff/dashboard',
  label: 'Members',
  icon: UsersRound,
  paths: ['/staff/dashboard', '/staff/customers'],
} as const;
const MORE = {
  to: '/staff/more',
  label: 'More',
  more: 'pages for staff',
  icon: Ellipsis,
  paths: [
    '/staff/more',
    '/staff/members',
    '/staff/wines',
    '/staff/members/import',
    '/staff/reports',
    '/staff/at-risk',
    '/staff/team',
    '/staff/tiers',
    '/staff/audit',
    '/staff/webhooks',
    '/staff/payments',
    '/staff/account',
    '/staff/settings',
    '/staff/settings/emails',
    '/staff/system',
  ],
} as const;
const ON_PHONES = ['/staff/search', '/staff/applications'];

/** The scanner fills a phone's screen, and the pour page has its button where the bar would be. */
const PINNED = ['/staff/search', '/staff/customers/$id/add-pour'];

/** A typing scanner can be used on this page. */
const SCANNER = '/staff/search';

/** Every page at the side of a wide window; elsewhere Scan, Members, Applications and More. */
export function StaffNav({ office, user }: { office: boolean; user: SessionUser }) {
  const pages = pagesFor(user);
  const page = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const [opened, setOpened] = useState<'palette' | 'sheet' | null>(null);
  useShortcuts({
    openPalette: () => setOpened('palette'),
    openSheet: () => setOpened('sheet'),
    scanning: page === SCANNER,
    pages,
  });
  const pending = usePendingApplications();
  const item = (it: Omit<StaffPage, 'key'> & Pick<NavItem, 'more'>): NavItem => ({
    to: it.to,
    label: it.label,
    more: it.more,
    icon: it.icon,
    current: isCurrent(it, page),
    waiting: it.to === '/staff/applications' ? pending : undefined,
  });
  const [scan, applications] = pages.flat().filter(({ to }) => ON_PHONES.includes(to));
  const close = () => setOpened(null);
  return (
    <>
      {/* Placed before the bar, whose styles affect the element after it. */}
      {opened === 'palette' && (
        <Suspense>
          <CommandPalette pages={pages.flat()} onClose={close} />
        </Suspense>
      )}
      {opened === 'sheet' && <ShortcutSheet pages={pages.flat()} onClose={close} />}
      {office ? (
        <SideNav
          brand={<NavBrand />}
          top={<FindButton onOpen={() => setOpened('palette')} />}
          groups={pages.map((group) => group.map(item))}
          foot={<StaffSignOut />}
        />
      ) : (
        <NavBar
          items={[scan, PHONE_MEMBERS, applications, MORE].flatMap((it) => (it ? [item(it)] : []))}
          brand={<NavBrand />}
          shown={PINNED.includes(page) ? 'wide' : 'everywhere'}
        />
      )}
    </>
  );
}

function FindButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="my-2 flex min-h-11 items-center gap-3 rounded-md border border-line-strong bg-surface-raised px-3 text-ink-muted text-sm hover:border-ink hover:text-ink"
    >
      <Search size={18} aria-hidden="true" />
      <span className="flex-1 text-left">Find</span>
      <span aria-hidden="true" className="flex gap-1">
        {paletteKeys().map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </button>
  );
}

function usePendingApplications(): number | undefined {
  const { data, error } = useQuery({
    ...orpc.applications.count.queryOptions({ input: {} }),
    refetchInterval: REFRESH_MS,
  });
  useEffect(() => {
    if (error) logFailure('Counting the applications', error);
  }, [error]);
  return data?.pending;
}

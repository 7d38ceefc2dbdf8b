import { useMatches, useNavigate, useRouter } from '@tanstack/react-router';
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import Ellipsis from 'lucide-react/icons/ellipsis';
import House from 'lucide-react/icons/house';
import ScanLine from 'lucide-react/icons/scan-line';
import Search from 'lucide-react/icons/search';
import Wine from 'lucide-react/icons/wine';
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { SessionUser } from '../../api/session.ts';
import { NavBrand } from '../../brand/nav-brand.tsx';
import { NavBar, type NavItem } from '../../ui/nav-bar.tsx';
import { ListNav, SideNav } from '../../ui/side-nav.tsx';
import { StaffSignOut } from '../staff-sign-out.tsx';
import { paletteKeys, ShortcutSheet } from './shortcut-sheet.tsx';
import {
  ACCOUNT,
  byHead,
  helpFor,
  isClosedHead,
  pageOf,
  pagesFor,
  type StaffPage,
  type StaffSection,
  sectionsFor,
} from './staff-pages.ts';
import { usePendingApplications } from './use-pending-applications.ts';

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));

/** The scanner fills a phone's screen, and the pour page has its button where the bar would be. */
const PINNED = ['/staff/search', '/staff/customers/$id/add-pour'];

/** A typing scanner can be used on this page. */
const SCANNER = '/staff/search';

export function StaffNav({ office, user }: { office: boolean; user: SessionUser }) {
  const pages = pagesFor(user, useRouter());
  const address = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const [opened, setOpened] = useState<'palette' | 'sheet' | null>(null);
  useShortcuts({
    openPalette: () => setOpened('palette'),
    openSheet: () => setOpened('sheet'),
    scanning: address === SCANNER,
    pages,
  });
  const close = () => setOpened(null);
  return (
    <>
      {/* Placed before the bar, whose styles affect the element after it. */}
      {opened === 'palette' && (
        <Suspense>
          <CommandPalette pages={pages} onClose={close} />
        </Suspense>
      )}
      {opened === 'sheet' && <ShortcutSheet pages={pages} onClose={close} />}
      {office ? (
        <OfficeNav address={address} user={user} onFind={() => setOpened('palette')} />
      ) : (
        <BarNav address={address} />
      )}
    </>
  );
}

function OfficeNav({ address, user, onFind }: { address: string; user: SessionUser; onFind: () => void }) {
  const current = pageOf(address);
  const pending = usePendingApplications();
  const sections = sectionsFor(user, useRouter(), pending, current);
  const item = ({ to, label, icon }: StaffPage): NavItem => ({
    to,
    label,
    icon,
    current: current?.to === to,
    waiting: to === '/staff/applications' ? pending : undefined,
  });
  const isOpen = ({ pages }: StaffSection) => pages.some(({ to }) => to === current?.to);
  const items = sections.flatMap((section): NavItem[] => {
    const { label, icon, pages, hasList } = section;
    if (hasList) return pages.slice(0, 1).map(({ to }) => ({ to, label, icon, current: isOpen(section) }));
    return pages.map((page, index) => ({ ...item(page), inset: index > 0 }));
  });
  const list = sections.find((section) => section.hasList && isOpen(section));
  return (
    <>
      <SideNav
        brand={<NavBrand />}
        top={<FindButton onOpen={onFind} />}
        items={items}
        footItems={[item(ACCOUNT)]}
        foot={
          <>
            <HelpLink address={address} />
            <StaffSignOut />
          </>
        }
      />
      {list && (
        <ListNav
          label={list.label}
          groups={byHead(list.pages).map(({ head, pages }) => ({
            label: head,
            items: pages.map(item),
            closed: isClosedHead(head),
          }))}
        />
      )}
    </>
  );
}

/** Opens beside the page, which may hold what was typed. */
function HelpLink({ address }: { address: string }) {
  return (
    <a href={helpFor(address)} target="_blank" rel="noreferrer" className="side-link">
      <CircleQuestionMark size={20} strokeWidth={1.75} />
      Help with this page
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** Addresses of the bar's tab, in addition to the dashboard's. */
const AT_THE_BAR = ['/staff/dashboard', '/staff/customers', '/staff/members/new'];

function BarNav({ address }: { address: string }) {
  const pending = usePendingApplications();
  const tabs = [
    { to: '/staff/dashboard', label: 'Bar', icon: House, paths: AT_THE_BAR },
    { to: '/staff/search', label: 'Scan', icon: ScanLine, paths: ['/staff/search'] },
    { to: '/staff/wines', label: 'Wines', icon: Wine, paths: ['/staff/wines'] },
  ] as const;
  const here = tabs.find(({ paths }) => paths.some((path) => address.startsWith(path)));
  return (
    <NavBar
      items={[
        ...tabs.map(({ to, label, icon }) => ({ to, label, icon, current: here?.to === to })),
        {
          to: '/staff/more',
          label: 'More',
          more: 'pages for staff',
          icon: Ellipsis,
          current: here === undefined,
          waiting: pending,
        },
      ]}
      brand={<NavBrand />}
      shown={PINNED.includes(address) ? 'wide' : 'everywhere'}
    />
  );
}

function FindButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      className="my-2 flex min-h-11 items-center gap-3 rounded-md border border-line-strong bg-surface-raised px-3 text-ink-muted text-sm hover:border-ink hover:text-ink"
    >
      <Search size={18} />
      <span className="flex-1 text-left">Find</span>
      <span aria-hidden="true" className="flex gap-1">
        {paletteKeys().map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </button>
  );
}

/** Milliseconds that 'g' waits for the key of a page. */
const SEQUENCE_MS = 1500;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

interface Shortcuts {
  openPalette(): void;
  openSheet(): void;
  /** A typing scanner may be in use: only keys that it cannot send work. */
  scanning: boolean;
  pages: readonly StaffPage[];
}

/** Ctrl K or ⌘K, '?', '/' for the page's own search, and 'g' with the key of a page. */
function useShortcuts({ openPalette, openSheet, scanning, pages }: Shortcuts): void {
  const navigate = useNavigate();
  const pressedG = useRef(Number.NEGATIVE_INFINITY);

  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event;
    if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
      event.preventDefault();
      openPalette();
      return;
    }
    const inDialog = document.querySelector('dialog[open]') !== null;
    if (ctrlKey || metaKey || altKey || scanning || inDialog || isTyping(target)) return;
    const page = timeStamp - pressedG.current < SEQUENCE_MS && pages.find((it) => it.key === key);
    pressedG.current = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY;
    if (page) void navigate({ to: page.to });
    else if (key === '?') openSheet();
    else if (key === '/') document.querySelector<HTMLInputElement>('main input[type=search]')?.focus();
    else return;
    event.preventDefault();
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

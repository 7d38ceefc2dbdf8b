import { Link, useLocation } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import Bell from 'lucide-react/icons/bell';
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import FolderDown from 'lucide-react/icons/folder-down';
import Gift from 'lucide-react/icons/gift';
import ShieldCheck from 'lucide-react/icons/shield-check';
import UserRound from 'lucide-react/icons/user-round';
import Users from 'lucide-react/icons/users';
import type { ReactNode } from 'react';
import { BackLink } from '../../ui/back-link.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useMedia } from '../../ui/use-media.ts';

export const ACCOUNT_PAGES = [
  { to: '/account', label: 'Account', icon: UserRound },
  { to: '/household', label: 'Sharing', icon: Users },
  { to: '/gift', label: 'Gifts', icon: Gift },
  { to: '/account/security', label: 'Security', icon: ShieldCheck },
  { to: '/account/notifications', label: 'Notifications and Emails', icon: Bell },
  { to: '/account/data', label: 'Your Data', icon: FolderDown },
  { to: '/help', label: 'Help', icon: CircleQuestionMark },
] as const satisfies readonly { to: string; label: string; icon: LucideIcon }[];

interface AccountShellProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

export function AccountShell({ title, lead, children }: AccountShellProps) {
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') });
  const hasRail = useMedia('(width >= 64rem)');
  const inRail = ACCOUNT_PAGES.some(({ to }) => to === path);
  const isStart = path === '/account' || (hasRail && inRail);
  return (
    <PageShell
      title={title}
      lead={lead}
      width="wide"
      back={isStart ? undefined : <BackLink to="/account">Back to Account</BackLink>}
    >
      <div className="items-start gap-10 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
        <nav aria-label="Account" className="sticky top-6 hidden lg:block">
          <ul className="flex flex-col gap-1">
            {ACCOUNT_PAGES.map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: true, includeSearch: false }}
                  // The payments belong to the first page.
                  aria-current={!inRail && to === '/account' ? true : undefined}
                  className="target -ml-3 flex items-center rounded-md px-3 py-2 font-medium text-ink-muted hover:bg-surface-sunken aria-[current]:bg-accent-soft aria-[current]:text-accent-text"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex flex-col gap-5 sm:gap-6">{children}</div>
      </div>
    </PageShell>
  );
}

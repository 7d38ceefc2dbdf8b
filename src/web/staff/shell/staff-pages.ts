import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import Activity from 'lucide-react/icons/activity';
import ChartColumn from 'lucide-react/icons/chart-column';
import ClipboardList from 'lucide-react/icons/clipboard-list';
import CreditCard from 'lucide-react/icons/credit-card';
import FileUp from 'lucide-react/icons/file-up';
import HeartHandshake from 'lucide-react/icons/heart-handshake';
import House from 'lucide-react/icons/house';
import Mails from 'lucide-react/icons/mails';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import ScanLine from 'lucide-react/icons/scan-line';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Tags from 'lucide-react/icons/tags';
import UserCog from 'lucide-react/icons/user-cog';
import UserPlus from 'lucide-react/icons/user-plus';
import UsersRound from 'lucide-react/icons/users-round';
import Webhook from 'lucide-react/icons/webhook';
import Wine from 'lucide-react/icons/wine';
import type { StaffPermission } from '../../../domain/staff/staff-permission.ts';
import { may, type SessionUser } from '../../api/session.ts';

export interface StaffPage {
  to: NonNullable<LinkProps['to']>;
  label: string;
  icon: LucideIcon;
  /** The prefixes of its pages' URLs. */
  paths: readonly string[];
  /** The key that opens the page when pressed after 'g'. */
  key: string;
  /** The permission that staff need for the page. */
  permission?: StaffPermission;
}

const SIGN_UP = '/staff/members/new';

/** Every page that staff can open, in the groups of the side navigation. */
const STAFF_PAGES: readonly (readonly StaffPage[])[] = [
  [
    { to: '/staff/dashboard', label: 'Dashboard', icon: House, paths: ['/staff/dashboard'], key: 'd' },
    { to: '/staff/search', label: 'Scan', icon: ScanLine, paths: ['/staff/search'], key: 's' },
    {
      to: '/staff/members',
      label: 'Members',
      icon: UsersRound,
      paths: ['/staff/members', '/staff/customers'],
      key: 'm',
    },
    {
      to: '/staff/applications',
      label: 'Applications',
      icon: ClipboardList,
      paths: ['/staff/applications'],
      key: 'a',
    },
    { to: '/staff/wines', label: 'Wines', icon: Wine, paths: ['/staff/wines'], key: 'w' },
    {
      to: '/staff/members/new',
      label: 'Sign Up',
      icon: UserPlus,
      paths: [SIGN_UP],
      key: 'n',
      permission: 'manage_members',
    },
  ],
  [
    { to: '/staff/tiers', label: 'Tiers', icon: Tags, paths: ['/staff/tiers'], key: 'i' },
    {
      to: '/staff/members/import',
      label: 'Move In and Out',
      icon: FileUp,
      paths: ['/staff/members/import'],
      key: 'v',
      permission: 'manage_members',
    },
    {
      to: '/staff/reports',
      label: 'Reports',
      icon: ChartColumn,
      paths: ['/staff/reports'],
      key: 'r',
      permission: 'see_reports',
    },
    {
      to: '/staff/at-risk',
      label: 'At Risk',
      icon: HeartHandshake,
      paths: ['/staff/at-risk'],
      key: 'k',
      permission: 'manage_members',
    },
    {
      to: '/staff/team',
      label: 'Team',
      icon: UserCog,
      paths: ['/staff/team'],
      key: 't',
      permission: 'manage_staff',
    },
    {
      to: '/staff/audit',
      label: 'Audit',
      icon: ScrollText,
      paths: ['/staff/audit'],
      key: 'o',
      permission: 'manage_staff',
    },
    {
      to: '/staff/webhooks',
      label: 'Webhooks',
      icon: Webhook,
      paths: ['/staff/webhooks'],
      key: 'h',
      permission: 'manage_staff',
    },
  ],
  [
    {
      to: '/staff/payments',
      label: 'Payments',
      icon: CreditCard,
      paths: ['/staff/payments'],
      key: 'p',
      permission: 'manage_money',
    },
    { to: '/staff/system', label: 'System', icon: Activity, paths: ['/staff/system'], key: 'y' },
    {
      to: '/staff/settings',
      label: 'Settings',
      icon: MonitorSmartphone,
      paths: ['/staff/settings'],
      key: 'e',
    },
    {
      to: '/staff/settings/emails',
      label: 'Emails',
      icon: Mails,
      paths: ['/staff/settings/emails'],
      key: 'l',
      permission: 'manage_staff',
    },
    { to: '/staff/account', label: 'Your Account', icon: ShieldCheck, paths: ['/staff/account'], key: 'u' },
  ],
];

export const pagesFor = (user: SessionUser): StaffPage[][] =>
  STAFF_PAGES.map((group) => group.filter((it) => !it.permission || may(user, it.permission))).filter(
    (group) => group.length > 0,
  );

const ALL_PATHS = STAFF_PAGES.flat().flatMap(({ paths }) => paths);

/** Whether a URL belongs to the page; for nested pages, to the inner one. */
export function isCurrent({ paths }: Pick<StaffPage, 'paths'>, address: string): boolean {
  const longest = (of: readonly string[]) =>
    Math.max(0, ...of.filter((path) => address.startsWith(path)).map((path) => path.length));
  const own = longest(paths);
  return own > 0 && own >= longest(ALL_PATHS);
}

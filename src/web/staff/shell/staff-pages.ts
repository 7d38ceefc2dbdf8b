import type { LinkProps } from '@tanstack/react-router';
import {
  Activity,
  ClipboardList,
  House,
  type LucideIcon,
  MonitorSmartphone,
  ScanLine,
  ShieldCheck,
  UsersRound,
} from 'lucide-react';

export interface StaffPage {
  to: NonNullable<LinkProps['to']>;
  label: string;
  icon: LucideIcon;
  /** How the addresses of its pages begin. */
  paths: readonly string[];
  /** Pressed after 'g', leads there. */
  key: string;
}

/** Every page that staff can go to, in the groups of the navigation at the side. */
export const STAFF_PAGES: readonly (readonly StaffPage[])[] = [
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
  ],
  [
    { to: '/staff/system', label: 'System', icon: Activity, paths: ['/staff/system'], key: 'y' },
    {
      to: '/staff/settings',
      label: 'Settings',
      icon: MonitorSmartphone,
      paths: ['/staff/settings'],
      key: 'e',
    },
    { to: '/staff/account', label: 'Your Account', icon: ShieldCheck, paths: ['/staff/account'], key: 'u' },
  ],
];

/** The page that an address belongs to. */
export const isCurrent = ({ paths }: Pick<StaffPage, 'paths'>, address: string): boolean =>
  paths.some((path) => address.startsWith(path));

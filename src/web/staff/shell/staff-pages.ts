import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import Activity from 'lucide-react/icons/activity';
import Building2 from 'lucide-react/icons/building-2';
import ChartColumn from 'lucide-react/icons/chart-column';
import CircleUserRound from 'lucide-react/icons/circle-user-round';
import ClipboardList from 'lucide-react/icons/clipboard-list';
import CodeXml from 'lucide-react/icons/code-xml';
import CreditCard from 'lucide-react/icons/credit-card';
import FileUp from 'lucide-react/icons/file-up';
import Globe from 'lucide-react/icons/globe';
import HeartHandshake from 'lucide-react/icons/heart-handshake';
import House from 'lucide-react/icons/house';
import Mails from 'lucide-react/icons/mails';
import MapPin from 'lucide-react/icons/map-pin';
import Palette from 'lucide-react/icons/palette';
import ScanLine from 'lucide-react/icons/scan-line';
import ScrollText from 'lucide-react/icons/scroll-text';
import Settings from 'lucide-react/icons/settings';
import Tags from 'lucide-react/icons/tags';
import UserCog from 'lucide-react/icons/user-cog';
import UserPlus from 'lucide-react/icons/user-plus';
import UsersRound from 'lucide-react/icons/users-round';
import Webhook from 'lucide-react/icons/webhook';
import Wine from 'lucide-react/icons/wine';
import { CONTACT_PERMISSIONS, type StaffPermission } from '../../../domain/staff/staff-permission.ts';
import { may, type SessionUser } from '../../api/session.ts';
import { site } from '../../api/site.ts';

/** The heads of the settings, in order. */
const SETTINGS_HEADS = ['Club', 'Money', 'People', 'Machine'] as const;
type SettingsHead = (typeof SETTINGS_HEADS)[number];

export interface StaffPage {
  to: NonNullable<LinkProps['to']>;
  label: string;
  detail: string;
  icon: LucideIcon;
  /** Prefixes of URLs that belong to the page, beside its own. */
  paths?: readonly string[];
  /** The key that opens the page when pressed after 'g'. */
  key: string;
  /** The permission that staff need for the page, or any one of them. */
  permission?: StaffPermission | readonly StaffPermission[];
  /** A page of the settings stands below this head. */
  head?: SettingsHead;
  /** Open to all staff, but offered only to those with a permission: at the bar nobody needs it. */
  forOffice?: true;
  /** Words that Find knows the page by, beside its name. */
  topics: string;
}

export interface StaffSection {
  label: string;
  icon: LucideIcon;
  pages: readonly StaffPage[];
  /** The pages stand in a list of their own beside the page. */
  hasList?: boolean;
}

const section = (...pages: StaffPage[]): StaffSection => {
  const [{ label, icon }] = pages as [StaffPage];
  return { label, icon, pages };
};

const SECTIONS: readonly StaffSection[] = [
  section({
    to: '/staff/dashboard',
    label: 'Dashboard',
    detail: 'Find a member, and tonight so far',
    icon: House,
    key: 'd',
    topics: 'bar home tonight today search notices attention pour undo',
  }),
  section({
    to: '/staff/search',
    label: 'Scan',
    detail: 'Read a membership card',
    icon: ScanLine,
    key: 's',
    topics: 'camera qr code card verify guest',
  }),
  section(
    {
      to: '/staff/members',
      label: 'Members',
      detail: 'Current and former members',
      icon: UsersRound,
      paths: ['/staff/customers'],
      key: 'm',
      topics:
        'customers all list csv download refund cancel end pause resume allergies notes tags photo birthday household guest gift glasses balance history erase delete',
    },
    {
      to: '/staff/at-risk',
      label: 'At Risk',
      detail: 'Members who may leave',
      icon: HeartHandshake,
      key: 'k',
      permission: CONTACT_PERMISSIONS,
      topics: 'churn leaving absent overdue unused personal email not seen away csv',
    },
    {
      to: '/staff/members/new',
      label: 'Add Member',
      detail: site.payments === 'off' ? 'Payment at the till' : 'Payment on their phone or at the till',
      icon: UserPlus,
      key: 'n',
      permission: 'manage_members',
      topics: 'sign up new join register',
    },
  ),
  section({
    to: '/staff/applications',
    label: 'Applications',
    detail: 'Waiting, approved and rejected',
    icon: ClipboardList,
    key: 'a',
    topics: 'approve reject review pending survey',
  }),
  section({
    to: '/staff/wines',
    label: 'Wines',
    detail: 'What is open, on the list, and gone',
    icon: Wine,
    key: 'w',
    topics: 'bottle open list csv import',
  }),
  section({
    to: '/staff/reports',
    label: 'Reports',
    detail: 'The month, members, revenue and pours',
    icon: ChartColumn,
    key: 'r',
    permission: 'see_reports',
    topics: 'month payments refund dispute chargeback revenue csv money figures unused accountant',
  }),
  {
    label: 'Settings',
    icon: Settings,
    hasList: true,
    pages: [
      {
        to: '/staff/settings',
        head: 'Club',
        label: 'Club',
        detail: 'Name, age limit, time zone, grace and pauses',
        icon: Building2,
        key: 'e',
        permission: 'manage_staff',
        topics:
          'settings name support email terms minimum age limit time zone water birthday anniversary grace pause reminder rules billing',
      },
      {
        to: '/staff/settings/look',
        head: 'Club',
        label: 'Look',
        detail: 'Logo and color',
        icon: Palette,
        key: 'c',
        permission: 'manage_staff',
        topics: 'settings logo colors brand picture accent',
      },
      {
        to: '/staff/settings/places',
        head: 'Club',
        label: 'Places',
        detail: 'Where pours are recorded',
        icon: MapPin,
        key: 'b',
        permission: 'manage_staff',
        topics: 'settings location bar restaurant event tasting room',
      },
      {
        to: '/staff/tiers',
        head: 'Money',
        label: 'Tiers',
        detail: 'Prices and pours',
        icon: Tags,
        key: 'i',
        topics: 'settings price pours per month rollover membership plan',
      },
      {
        to: '/staff/settings/emails',
        head: 'Club',
        label: 'Emails',
        detail: 'What the club writes to its members',
        icon: Mails,
        key: 'l',
        permission: 'manage_staff',
        topics: 'settings letter wording subject welcome receipt reminder',
      },
      {
        to: '/staff/settings/public-pages',
        head: 'Club',
        label: 'Public Pages',
        detail: 'The club’s page, terms and privacy',
        icon: Globe,
        key: 'f',
        permission: 'manage_staff',
        topics: 'settings website terms privacy imprint accessibility law hours address questions picture',
      },
      {
        to: '/staff/team',
        head: 'People',
        label: 'Team',
        detail: 'Staff, permissions and shared tablets',
        icon: UserCog,
        key: 't',
        permission: 'manage_staff',
        topics: 'settings staff permissions invite colleague tablet pin password two-step',
      },
      {
        to: '/staff/payments',
        head: 'Money',
        label: 'Stripe',
        detail:
          site.payments === 'off'
            ? 'How to turn card payments on'
            : 'Whether Stripe is ready, and what is missing',
        icon: CreditCard,
        key: 'p',
        permission: 'manage_money',
        topics: 'settings payments check set up card webhook tax test mode',
      },
      {
        to: '/staff/members/import',
        head: 'People',
        label: 'Import and Export',
        detail: 'Members from a file or from Stripe, and all of them to a file',
        icon: FileUp,
        key: 'v',
        permission: 'manage_members',
        topics: 'settings csv file upload download move stripe subscriptions',
      },
      {
        to: '/staff/webhooks',
        head: 'Machine',
        label: 'Webhooks',
        detail: 'Tell other systems what happens',
        icon: Webhook,
        key: 'h',
        permission: 'manage_staff',
        topics: 'settings endpoint integration point of sale till',
      },
      {
        to: '/staff/settings/api',
        head: 'Machine',
        forOffice: true,
        label: 'API',
        detail: 'Access for tills and scripts',
        icon: CodeXml,
        key: 'x',
        topics: 'settings client secret token till documentation openapi integration',
      },
      {
        to: '/staff/audit',
        head: 'People',
        label: 'Audit',
        detail: 'Who did what, and when',
        icon: ScrollText,
        key: 'o',
        permission: 'manage_staff',
        topics: 'settings log history who changed',
      },
      {
        to: '/staff/system',
        head: 'Machine',
        forOffice: true,
        label: 'System',
        detail: 'What works and what does not',
        icon: Activity,
        key: 'y',
        topics: 'settings backup health status database version mail update',
      },
    ],
  },
];

export const ACCOUNT: StaffPage = {
  to: '/staff/account',
  label: 'Account',
  detail: 'Password, two-step sign-in, PIN and this device',
  icon: CircleUserRound,
  key: 'u',
  topics: 'your password pin two-step email security device colors dark scanner',
};

const isOpenTo = (user: SessionUser, { permission }: StaffPage): boolean =>
  !permission || [permission].flat().some((one) => may(user, one));

/** Where members pay by card, applications are rare: the page is offered while one waits. */
const isOffered = (user: SessionUser, { to, forOffice }: StaffPage, pending: number): boolean =>
  (!forOffice || (user.permissions ?? []).length > 0) &&
  (to !== '/staff/applications' || site.payments === 'off' || pending > 0);

/** What the navigation lists: pages that are offered, and the one on screen. */
export const sectionsFor = (user: SessionUser, pending = 0, current?: StaffPage): StaffSection[] =>
  SECTIONS.map((it) => ({
    ...it,
    pages: it.pages.filter(
      (page) => isOpenTo(user, page) && (page.to === current?.to || isOffered(user, page, pending)),
    ),
  })).filter(({ pages }) => pages.length > 0);

/** Every page that the user may open. */
export const pagesFor = (user: SessionUser): StaffPage[] => [
  ...SECTIONS.flatMap(({ pages }) => pages).filter((page) => isOpenTo(user, page)),
  ACCOUNT,
];

/** Pages of the settings below their heads; heads without pages are left out. */
export const byHead = (pages: readonly StaffPage[]): { head: SettingsHead; pages: StaffPage[] }[] =>
  SETTINGS_HEADS.map((head) => ({ head, pages: pages.filter((it) => it.head === head) })).filter(
    (it) => it.pages.length > 0,
  );

/** Seldom needed, and by few: its pages are out of sight until opened. */
export const isClosedHead = (head: SettingsHead): boolean => head === 'Machine';

const ALL_PAGES = [...SECTIONS.flatMap(({ pages }) => pages), ACCOUNT];

/** The page that a URL belongs to; for nested pages, the inner one. */
export function pageOf(address: string): StaffPage | undefined {
  const length = ({ to, paths = [] }: StaffPage) =>
    Math.max(0, ...[to, ...paths].filter((path) => address.startsWith(path)).map((path) => path.length));
  const nearest = ALL_PAGES.reduce((best, it) => (length(it) > length(best) ? it : best));
  return length(nearest) > 0 ? nearest : undefined;
}

const words = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The pages that a text means: those with all of its words in their name, then those with a topic for each word. */
export function findPages(pages: readonly StaffPage[], text: string): StaffPage[] {
  const typed = words(text);
  const named = pages.filter(({ label }) => typed.every((word) => label.toLowerCase().includes(word)));
  const about = pages.filter(({ label, detail, topics }) => {
    const known = words(`${label} ${detail} ${topics}`);
    return typed.every((word) => known.some((it) => it.startsWith(word)));
  });
  return [...new Set([...named, ...about])];
}

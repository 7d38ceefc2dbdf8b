import type { AnyRouter, RegisteredRouter } from '@tanstack/react-router';
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
import Send from 'lucide-react/icons/send';
import Settings from 'lucide-react/icons/settings';
import Tags from 'lucide-react/icons/tags';
import UserCog from 'lucide-react/icons/user-cog';
import UserPlus from 'lucide-react/icons/user-plus';
import UsersRound from 'lucide-react/icons/users-round';
import Webhook from 'lucide-react/icons/webhook';
import Wine from 'lucide-react/icons/wine';
import type { StaffPermission } from '../../../domain/staff/staff-permission.ts';
import { may, type SessionUser } from '../../api/session.ts';
import { site } from '../../api/site.ts';

/** The heads of the settings, in order. */
const SETTINGS_HEADS = ['Club', 'Money', 'People', 'Machine'] as const;
type SettingsHead = (typeof SETTINGS_HEADS)[number];

type StaffPath = Extract<keyof RegisteredRouter['routesByPath'], `/staff/${string}`>;

interface ListedPage {
  label: string;
  detail: string;
  icon: LucideIcon;
  /** The key that opens the page when pressed after 'g'. */
  key: string;
  /** The page below which the navigation lists it. */
  below?: StaffPath;
  /** A page of the settings stands below this head. */
  head?: SettingsHead;
  /** Open to all staff, but offered only to those with a permission: at the bar nobody needs it. */
  forOffice?: true;
  /** Words that Find knows the page by, beside its name. */
  topics: string;
  /** The heading of the handbook that explains the page. */
  help: string;
}

/** A page that the navigation does not list. `of`: the page whose entry it lights. */
interface InnerPage {
  of?: StaffPath;
  help: string;
}

export interface StaffPage extends ListedPage {
  to: StaffPath;
}

export interface StaffSection {
  label: string;
  icon: LucideIcon;
  pages: readonly StaffPage[];
  /** The pages stand in a list of their own beside the page. */
  hasList?: boolean;
}

/** What staff see of each of their pages before it opens, in the order of the navigation. */
const ROWS: Record<StaffPath, ListedPage | InnerPage> = {
  '/staff/dashboard': {
    label: 'Dashboard',
    detail: 'Find a member, and tonight so far',
    icon: House,
    key: 'd',
    topics: 'bar home tonight today search notices attention pour undo',
    help: 'a-busy-evening#before-you-open',
  },
  '/staff/search': {
    label: 'Scan',
    detail: 'Read a membership card',
    icon: ScanLine,
    key: 's',
    topics: 'camera qr code card verify guest',
    help: 'behind-the-bar#when-something-is-in-the-way',
  },
  '/staff/members': {
    label: 'Members',
    detail: 'Current and former members',
    icon: UsersRound,
    key: 'm',
    topics:
      'customers all list csv download dues cash payment refund cancel end pause resume allergies notes tags photo birthday household guest gift glasses balance history erase delete',
    help: 'your-members#find-someone',
  },
  '/staff/customers/$id': { of: '/staff/members', help: 'your-members#what-is-on-their-page' },
  '/staff/customers/$id/add-membership': { of: '/staff/members', help: 'a-busy-evening#sign-someone-up' },
  '/staff/customers/$id/add-pour': { of: '/staff/members', help: 'behind-the-bar#a-member-orders' },
  '/staff/members/$id': { of: '/staff/members', help: 'your-members#what-is-on-their-page' },
  '/staff/at-risk': {
    label: 'At Risk',
    detail: 'Members who may leave',
    icon: HeartHandshake,
    key: 'k',
    topics: 'churn leaving absent overdue unused personal email not seen away csv',
    below: '/staff/members',
    help: 'your-members#who-may-leave',
  },
  '/staff/mailings': {
    label: 'Mailings',
    detail: 'Emails to members on a list',
    icon: Send,
    key: 'j',
    topics: 'newsletter email write campaign list news stop came',
    below: '/staff/members',
    help: 'your-members#write-to-many',
  },
  '/staff/mailings/new': { of: '/staff/mailings', help: 'your-members#write-to-many' },
  '/staff/members/new': {
    label: 'Add Member',
    detail: site.payments === 'off' ? 'Payment at the till' : 'Payment on their phone or at the till',
    icon: UserPlus,
    key: 'n',
    topics: 'sign up new join register',
    below: '/staff/members',
    help: 'a-busy-evening#sign-someone-up',
  },
  '/staff/applications': {
    label: 'Applications',
    detail: 'Waiting, approved and rejected',
    icon: ClipboardList,
    key: 'a',
    topics: 'approve reject review pending survey',
    help: 'your-members#applications',
  },
  '/staff/applications/$id': { of: '/staff/applications', help: 'your-members#applications' },
  '/staff/wines': {
    label: 'Wines',
    detail: 'What is open, on the list, and gone',
    icon: Wine,
    key: 'w',
    topics: 'bottle open list csv import',
    help: 'wines-and-bottles#tonight',
  },
  '/staff/reports': {
    label: 'Reports',
    detail: 'The month, members, revenue and pours',
    icon: ChartColumn,
    key: 'r',
    topics: 'month payments refund dispute chargeback revenue csv money figures unused accountant',
    help: 'reports#how-was-the-month',
  },
  '/staff/settings': {
    head: 'Club',
    label: 'Club',
    detail: 'Name, age limit, time zone, grace and pauses',
    icon: Building2,
    key: 'e',
    topics:
      'settings name support email terms minimum age limit time zone water birthday anniversary grace pause reminder rules billing',
    help: 'open-the-club#make-it-yours',
  },
  '/staff/settings/look': {
    head: 'Club',
    label: 'Look',
    detail: 'Logo and color',
    icon: Palette,
    key: 'c',
    topics: 'settings logo colors brand picture accent',
    help: 'your-front-door#logo-and-color',
  },
  '/staff/settings/places': {
    head: 'Club',
    label: 'Places',
    detail: 'Where pours are recorded',
    icon: MapPin,
    key: 'b',
    topics: 'settings location bar restaurant event tasting room',
    help: 'wines-and-bottles#places',
  },
  '/staff/tiers': {
    head: 'Money',
    label: 'Tiers',
    detail: 'Prices and pours',
    icon: Tags,
    key: 'i',
    topics: 'settings price pours per month rollover membership plan',
    help: 'tiers-and-prices#what-a-tier-holds',
  },
  '/staff/settings/emails': {
    head: 'Club',
    label: 'Emails',
    detail: 'What the club writes to its members',
    icon: Mails,
    key: 'l',
    topics: 'settings letter wording subject welcome receipt reminder',
    help: 'your-front-door#the-emails',
  },
  '/staff/settings/public-pages': {
    head: 'Club',
    label: 'Public Pages',
    detail: 'The club’s page, terms and privacy',
    icon: Globe,
    key: 'f',
    topics: 'settings website terms privacy imprint accessibility law hours address questions picture',
    help: 'your-front-door#the-clubs-page',
  },
  '/staff/team': {
    head: 'People',
    label: 'Team',
    detail: 'Staff, permissions and shared tablets',
    icon: UserCog,
    key: 't',
    topics: 'settings staff permissions invite colleague tablet pin password two-step',
    help: 'the-team#invite-someone',
  },
  '/staff/payments': {
    head: 'Money',
    label: 'Stripe',
    detail:
      site.payments === 'off'
        ? 'How to turn card payments on'
        : 'Whether Stripe is ready, and what is missing',
    icon: CreditCard,
    key: 'p',
    topics: 'settings payments check set up card webhook tax test mode',
    help: 'open-the-club#payments',
  },
  '/staff/members/import': {
    head: 'People',
    label: 'Import and Export',
    detail: 'Members from a file or from Stripe, and all of them to a file',
    icon: FileUp,
    key: 'v',
    topics: 'settings csv file upload download move stripe subscriptions',
    help: 'moving-in#from-a-file',
  },
  '/staff/webhooks': {
    head: 'Machine',
    label: 'Webhooks',
    detail: 'Tell other systems what happens',
    icon: Webhook,
    key: 'h',
    topics: 'settings endpoint integration point of sale till',
    help: 'open-the-club#your-till-and-other-programs',
  },
  '/staff/webhooks/$id': { of: '/staff/webhooks', help: 'open-the-club#your-till-and-other-programs' },
  '/staff/settings/api': {
    head: 'Machine',
    forOffice: true,
    label: 'API',
    detail: 'Access for tills and scripts',
    icon: CodeXml,
    key: 'x',
    topics: 'settings client secret token till documentation openapi integration',
    help: 'open-the-club#your-till-and-other-programs',
  },
  '/staff/audit': {
    head: 'People',
    label: 'Audit',
    detail: 'Who did what, and when',
    icon: ScrollText,
    key: 'o',
    topics: 'settings log history who changed',
    help: 'the-team#who-did-that',
  },
  '/staff/system': {
    head: 'Machine',
    forOffice: true,
    label: 'System',
    detail: 'What works and what does not',
    icon: Activity,
    key: 'y',
    topics: 'settings backup health status database version mail update',
    help: 'when-something-is-wrong#what-system-says',
  },
  '/staff/account': {
    label: 'Account',
    detail: 'Password, two-step sign-in, PIN and this device',
    icon: CircleUserRound,
    key: 'u',
    topics: 'your password pin two-step email security device colors dark scanner',
    help: 'the-team#two-step-sign-in',
  },
  '/staff/more': { help: 'open-the-club#make-it-yours' },
  '/staff/start': { help: 'open-the-club#what-you-sell' },
};

const isListed = (page: StaffPage | (InnerPage & { to: StaffPath })): page is StaffPage => 'label' in page;
const ALL_PAGES = (Object.keys(ROWS) as StaffPath[]).map((to) => ({ to, ...ROWS[to] })).filter(isListed);

const isAccount = ({ to }: StaffPage) => to === '/staff/account';
export const ACCOUNT = ALL_PAGES.find(isAccount) as StaffPage;

const daily = ALL_PAGES.filter((page) => !page.head && !isAccount(page));
const SECTIONS: readonly StaffSection[] = [
  ...daily
    .filter(({ below }) => !below)
    .map((page) => ({
      label: page.label,
      icon: page.icon,
      pages: [page, ...daily.filter(({ below }) => below === page.to)],
    })),
  { label: 'Settings', icon: Settings, hasList: true, pages: ALL_PAGES.filter(({ head }) => head) },
];

/** The routes know the permissions of their pages. */
function isOpenTo(user: SessionUser, { to }: StaffPage, router: AnyRouter): boolean {
  const permissions: readonly StaffPermission[] | undefined =
    router.routesByPath[to]?.options.staticData?.permissions;
  return !permissions || permissions.some((it) => may(user, it));
}

/** Where members pay by card, applications are rare: the page is offered while one waits. */
const isOffered = (user: SessionUser, { to, forOffice }: StaffPage, pending: number): boolean =>
  (!forOffice || (user.permissions ?? []).length > 0) &&
  (to !== '/staff/applications' || site.payments === 'off' || pending > 0);

/** What the navigation lists: pages that are offered, and the one on screen. */
export const sectionsFor = (
  user: SessionUser,
  router: AnyRouter,
  pending = 0,
  current?: StaffPage,
): StaffSection[] =>
  SECTIONS.map((it) => ({
    ...it,
    pages: it.pages.filter(
      (page) => isOpenTo(user, page, router) && (page.to === current?.to || isOffered(user, page, pending)),
    ),
  })).filter(({ pages }) => pages.length > 0);

/** Every page of the navigation that the user may open. */
export const pagesFor = (user: SessionUser, router: AnyRouter): StaffPage[] =>
  ALL_PAGES.filter((page) => isOpenTo(user, page, router));

/** Pages of the settings below their heads; heads without pages are left out. */
export const byHead = (pages: readonly StaffPage[]): { head: SettingsHead; pages: StaffPage[] }[] =>
  SETTINGS_HEADS.map((head) => ({ head, pages: pages.filter((it) => it.head === head) })).filter(
    (it) => it.pages.length > 0,
  );

/** Seldom needed, and by few: its pages are out of sight until opened. */
export const isClosedHead = (head: SettingsHead): boolean => head === 'Machine';

const rowOf = (path: string): ListedPage | InnerPage | undefined => ROWS[path as StaffPath];

/** The entry of the navigation that belongs to a page's path. */
export function pageOf(path: string): StaffPage | undefined {
  const row = rowOf(path);
  const to = row && 'of' in row ? row.of : path;
  return ALL_PAGES.find((page) => page.to === to);
}

/** The URL of the help for the page with that path; the whole handbook for any other. */
export function helpFor(path: string): string {
  const row = rowOf(path);
  return row ? `/help/${row.help}` : '/help';
}

const words = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The pages that a text means: those with all of its words in their name, then those with a topic for each word. */
export function findPages(pages: readonly StaffPage[], text: string): StaffPage[] {
  const typed = words(text);
  const named = pages.filter(({ label }) => typed.every((word) => label.toLowerCase().includes(word)));
  const about = pages.filter(({ label, detail, topics }) => {
    const vocabulary = words(`${label} ${detail} ${topics}`);
    return typed.every((word) => vocabulary.some((it) => it.startsWith(word)));
  });
  return [...new Set([...named, ...about])];
}

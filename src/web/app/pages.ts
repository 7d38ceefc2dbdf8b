import { RISK_KINDS, type RiskKind } from '../../domain/reports/members-at-risk.ts';
import { CONTACT_PERMISSIONS, type StaffPermission } from '../../domain/staff/staff-permission.ts';
import { readAuditSearch } from '../staff/audit/audit-search.ts';
import { readListAddress } from '../staff/members/list-address.ts';
import { readReportSearch } from '../staff/reports/report-search.ts';
import { readSignUpAddress } from '../staff/sign-up/sign-up-address.ts';
import { readReturn } from '../visitor/oauth-return.ts';
import { readRedirect, readSignInSearch } from '../visitor/sign-in-search.ts';

type Search = Record<string, unknown>;

export interface PageRow {
  /** Everyone opens visitors' pages. */
  side: 'visitor' | 'member' | 'staff';
  /** Staff need one of them. Without, the page is open to all staff. */
  permissions?: readonly [StaffPermission, ...StaffPermission[]];
  /** The page beside which this one opens, and whose path it extends. */
  within?: `/${string}`;
  /** Reads the search parameters, without invalid ones. */
  search?: (search: Search) => object;
  /** Loads the module whose default export is the page. Without, the address only leads elsewhere: `route-guards.ts`. */
  load?: () => Promise<object>;
}

/**
 * The app's pages, by path; `$` begins a parameter. Every other path gets status 404. All visitors load this table, so the
 * words and icons of the staff's navigation are in `staff/shell/staff-pages.ts`.
 */
export const PAGES = {
  '/': { side: 'visitor' },
  '/bar': { side: 'visitor', load: () => import('../visitor/tablet/tablet-page.tsx') },
  '/change-email': { side: 'visitor', load: () => import('../visitor/change-email-page.tsx') },
  '/forgot-password': { side: 'visitor', load: () => import('../visitor/forgot-password-page.tsx') },
  '/guest': { side: 'visitor', load: () => import('../visitor/guest-page.tsx') },
  '/help': { side: 'visitor', load: () => import('../visitor/help/help-page.tsx') },
  '/help/$page': { side: 'visitor', load: () => import('../visitor/help/handbook-article.tsx') },
  '/invitation': { side: 'visitor', load: () => import('../visitor/invitation-page.tsx') },
  '/join': {
    side: 'visitor',
    /** Set on return from the payment page: 'done' if it was paid. */
    search: ({ payment }: Search): { payment?: 'done' | 'back' } =>
      payment === 'done' || payment === 'back' ? { payment } : {},
    load: () => import('../visitor/join/join-page.tsx'),
  },
  '/join/$tier': {
    side: 'visitor',
    search: ({ period }: Search): { period?: 'year' } => (period === 'year' ? { period } : {}),
    load: () => import('../visitor/join/join-tier-page.tsx'),
  },
  '/login': {
    side: 'visitor',
    search: readSignInSearch,
    load: () => import('../visitor/login-page.tsx'),
  },
  '/redeem': { side: 'visitor', load: () => import('../member/gifts/redeem-page.tsx') },
  '/register': {
    side: 'visitor',
    search: readRedirect,
    load: () => import('../visitor/register-page.tsx'),
  },
  '/reset-password': { side: 'visitor', load: () => import('../visitor/reset-password-page.tsx') },
  '/setup': { side: 'visitor', load: () => import('../visitor/setup-page.tsx') },
  '/share': { side: 'visitor', load: () => import('../visitor/share-page.tsx') },
  '/two-factor': {
    side: 'visitor',
    search: readRedirect,
    load: () => import('../visitor/two-factor-page.tsx'),
  },
  '/unsubscribe': { side: 'visitor', load: () => import('../visitor/unsubscribe-page.tsx') },
  '/verify-email': { side: 'visitor', load: () => import('../visitor/verify-email-page.tsx') },

  '/account': {
    side: 'member',
    /** Set by the renewal reminder: opens the question whether to skip the next month. */
    search: ({ skip }: Search): { skip?: true } => (skip === true ? { skip } : {}),
    load: () => import('../member/account/account-page.tsx'),
  },
  '/account/appearance': { side: 'member' },
  '/account/data': { side: 'member', load: () => import('../member/account/data-page.tsx') },
  '/account/notifications': {
    side: 'member',
    load: () => import('../member/account/notifications-page.tsx'),
  },
  '/account/payments': { side: 'member', load: () => import('../member/account/payments-page.tsx') },
  '/account/photo': { side: 'member' },
  '/account/security': {
    side: 'member',
    search: readReturn,
    load: () => import('../member/account/security-page.tsx'),
  },
  '/account/taste': { side: 'member', load: () => import('../member/account/taste-page.tsx') },
  '/apply': { side: 'member', load: () => import('../member/survey/apply-page.tsx') },
  '/dashboard': { side: 'member', load: () => import('../member/dashboard/dashboard-page.tsx') },
  '/gift': {
    side: 'member',
    search: ({ paid }: Search): { paid?: string } => (typeof paid === 'string' ? { paid } : {}),
    load: () => import('../member/gifts/gift-page.tsx'),
  },
  '/gift/$id': { side: 'member', load: () => import('../member/gifts/gift-card-page.tsx') },
  '/household': { side: 'member', load: () => import('../member/sharing/household-page.tsx') },
  '/payment-success': {
    side: 'member',
    // The router parses a bare number as a number.
    search: ({ session_id }: Search): { session_id?: string } =>
      typeof session_id === 'string' || typeof session_id === 'number'
        ? { session_id: String(session_id) }
        : {},
    load: () => import('../member/billing/payment-success-page.tsx'),
  },
  '/pours': { side: 'member', load: () => import('../member/wines/history-page.tsx') },
  '/qr-code': { side: 'member', load: () => import('../member/card/qr-code-page.tsx') },
  '/wines': { side: 'member', load: () => import('../member/wines/tonight-page.tsx') },

  '/staff/account': {
    side: 'staff',
    search: readSignInSearch,
    load: () => import('../staff/settings/account-page.tsx'),
  },
  '/staff/applications': {
    side: 'staff',
    load: () => import('../staff/applications/applications-page.tsx'),
  },
  '/staff/applications/$id': {
    side: 'staff',
    load: () => import('../staff/applications/application-page.tsx'),
  },
  '/staff/at-risk': {
    side: 'staff',
    permissions: CONTACT_PERMISSIONS,
    search: ({ reason }: Search): { reason?: RiskKind } => ({
      reason: RISK_KINDS.find((it) => it === reason),
    }),
    load: () => import('../staff/at-risk/at-risk-page.tsx'),
  },
  '/staff/audit': {
    side: 'staff',
    permissions: ['manage_staff'],
    search: readAuditSearch,
    load: () => import('../staff/audit/audit-page.tsx'),
  },
  '/staff/customers/$id': { side: 'staff', load: () => import('../staff/customers/customer-page.tsx') },
  '/staff/customers/$id/add-membership': {
    side: 'staff',
    load: () => import('../staff/customers/add-membership-page.tsx'),
  },
  '/staff/customers/$id/add-pour': { side: 'staff', load: () => import('../staff/pours/add-pour-page.tsx') },
  '/staff/dashboard': { side: 'staff', load: () => import('../staff/customers/staff-dashboard-page.tsx') },
  '/staff/members': {
    side: 'staff',
    search: readListAddress,
    load: () => import('../staff/members/members-page.tsx'),
  },
  '/staff/members/$id': {
    side: 'staff',
    within: '/staff/members',
    load: () => import('../staff/members/member-panel.tsx'),
  },
  '/staff/members/import': {
    side: 'staff',
    permissions: ['manage_members'],
    load: () => import('../staff/imports/imports-page.tsx'),
  },
  '/staff/mailings': {
    side: 'staff',
    permissions: ['manage_members'],
    load: () => import('../staff/mailings/mailings-page.tsx'),
  },
  '/staff/mailings/new': {
    side: 'staff',
    permissions: ['manage_members'],
    search: readListAddress,
    load: () => import('../staff/mailings/write-page.tsx'),
  },
  '/staff/members/new': {
    side: 'staff',
    permissions: ['manage_members'],
    search: readSignUpAddress,
    load: () => import('../staff/sign-up/sign-up-page.tsx'),
  },
  '/staff/more': { side: 'staff', load: () => import('../staff/shell/more-page.tsx') },
  '/staff/payments': {
    side: 'staff',
    permissions: ['manage_money'],
    load: () => import('../staff/setup/payments-page.tsx'),
  },
  '/staff/reports': {
    side: 'staff',
    permissions: ['see_reports'],
    search: readReportSearch,
    load: () => import('../staff/reports/reports-page.tsx'),
  },
  '/staff/search': { side: 'staff', load: () => import('../staff/scanner/verify-page.tsx') },
  '/staff/settings': {
    side: 'staff',
    permissions: ['manage_staff'],
    load: () => import('../staff/settings/club-page.tsx'),
  },
  '/staff/settings/api': { side: 'staff', load: () => import('../staff/settings/api-page.tsx') },
  '/staff/settings/emails': {
    side: 'staff',
    permissions: ['manage_staff'],
    load: () => import('../staff/emails/emails-page.tsx'),
  },
  '/staff/settings/look': {
    side: 'staff',
    permissions: ['manage_staff'],
    load: () => import('../staff/settings/look-page.tsx'),
  },
  '/staff/settings/places': {
    side: 'staff',
    permissions: ['manage_staff'],
    load: () => import('../staff/settings/places-page.tsx'),
  },
  '/staff/settings/public-pages': {
    side: 'staff',
    permissions: ['manage_staff'],
    load: () => import('../staff/settings/public-pages/public-pages-page.tsx'),
  },
  '/staff/start': {
    side: 'staff',
    permissions: ['manage_staff'],
    load: () => import('../staff/setup/start-page.tsx'),
  },
  '/staff/system': { side: 'staff', load: () => import('../staff/system/system-page.tsx') },
  '/staff/team': {
    side: 'staff',
    permissions: ['manage_staff'],
    load: () => import('../staff/team/team-page.tsx'),
  },
  '/staff/tiers': { side: 'staff', load: () => import('../staff/tiers/tiers-page.tsx') },
  '/staff/webhooks': {
    side: 'staff',
    permissions: ['manage_staff'],
    load: () => import('../staff/webhooks/webhooks-page.tsx'),
  },
  '/staff/webhooks/$id': {
    side: 'staff',
    permissions: ['manage_staff'],
    load: () => import('../staff/webhooks/webhook-page.tsx'),
  },
  '/staff/wines': { side: 'staff', load: () => import('../staff/wines/wines-page.tsx') },
} as const satisfies Record<`/${string}`, PageRow>;

export type PagePath = keyof typeof PAGES;

/** The modules whose default export surrounds the pages of a side. */
export const LAYOUTS = {
  member: () => import('../member/member-layout.tsx'),
  staff: () => import('../staff/staff-layout.tsx'),
};

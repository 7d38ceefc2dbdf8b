import type { Payments } from '../domain/billing.ts';
import type { LegalPage } from '../domain/club/public-pages.ts';
import type { TaxBehavior } from '../domain/money.ts';

/** The header of API responses with the server's build of the web app. */
export const BUILD_HEADER = 'cellar-door-build';

/** A build of the web app, with the version of the club's settings that its pages contain: 'build.version'. */
export const webAppOf = (build: string): string => build.replace(/\.\d+$/, '');

export const WALLET_PLATFORMS = ['apple', 'google'] as const;
export type WalletPlatform = (typeof WALLET_PLATFORMS)[number];

/** The cookie with the colors chosen on a device, so that pages begin in them before any script has run. */
export const THEME_COOKIE = 'cellar-door-theme';

/** Values of `data-theme` on the document element; without it, the system's colors apply. */
const DOCUMENT_THEMES = ['light', 'dark'] as const;
export type DocumentTheme = (typeof DOCUMENT_THEMES)[number];

export const documentTheme = (name: unknown): DocumentTheme | null =>
  DOCUMENT_THEMES.find((theme) => theme === name) ?? null;

/** Where the demo's page asks it to start over; no other installation has it. */
export const START_OVER_PATH = '/api/demo/start-over';

/** The data that a page needs before its first request; the server writes it into index.html. */
export interface Site {
  /** The page's build of the web app; empty in development, where it changes constantly. */
  build: string;
  club_name: string;
  support_email: string;
  currency: string;
  /** IANA name of the zone in which the venue's days begin. */
  time_zone: string;
  tax_behavior: TaxBehavior;
  demo: boolean;
  start_over: boolean;
  payments: Payments;
  sandbox_url: string | null;
  verify_email: 'off' | 'nudge' | 'required';
  /** Minimum age of members, in years; 0 for none. */
  minimum_age: number;
  terms_url: string | null;
  club_page: boolean;
  /** The legal pages: paths of this site, or the venue's own URLs. */
  legal: Record<LegalPage, string>;
  /** The club's color, '#rrggbb'; null for the product's own. */
  accent: string | null;
  /** The places where glasses are poured, in the order of the pour form; used by the staff pages. */
  places: { id: string; name: string }[];
  /** The captcha of sign-up and password reset; null if none is configured. */
  captcha: { provider: 'turnstile' | 'hcaptcha' | 'recaptcha'; site_key: string } | null;
  providers: { id: string; label: string }[];
  wallets: WalletPlatform[];
}

import type { TaxBehavior } from '../domain/money.ts';

/** The header of the API's answers that names the server's build of the web app. */
export const BUILD_HEADER = 'cellar-door-build';

/** Where a card can be kept on a phone. */
export const WALLET_PLATFORMS = ['apple', 'google'] as const;
export type WalletPlatform = (typeof WALLET_PLATFORMS)[number];

/** Names the colors chosen on a device, so that pages begin in them before any script has run. */
export const THEME_COOKIE = 'cellar-door-theme';

/** On the document element as `data-theme`; without one, the system's colors apply. */
const DOCUMENT_THEMES = ['light', 'dark'] as const;
export type DocumentTheme = (typeof DOCUMENT_THEMES)[number];

/** The theme of that name; null for any other text. */
export const documentTheme = (name: unknown): DocumentTheme | null =>
  DOCUMENT_THEMES.find((theme) => theme === name) ?? null;

/** What the page needs to know before its first request; the server writes it into index.html. */
export interface Site {
  /** The build of the web app that this page belongs to; empty in development, where it changes all the time. */
  build: string;
  club_name: string;
  support_email: string;
  /** The currency of prices: ISO code in lowercase. */
  currency: string;
  /** IANA name of the zone in which the venue's days begin. */
  time_zone: string;
  /** Whether those prices include tax. */
  tax_behavior: TaxBehavior;
  demo: boolean;
  /** Where the sandbox's pages are, for the demo's banner. */
  sandbox_url: string | null;
  verify_email: 'off' | 'nudge' | 'required';
  /** Minimum age of members, in years; 0 for none. */
  minimum_age: number;
  /** Where the club's terms can be read; null where it has none. */
  terms_url: string | null;
  /** The club's color, '#rrggbb'; null for the product's own. */
  accent: string | null;
  /** Where glasses are poured, in the order of the pour form; used by the staff pages. */
  places: { id: string; name: string }[];
  /** Asked for before a password reset email; null where none is configured. */
  captcha: { provider: 'turnstile' | 'hcaptcha' | 'recaptcha'; site_key: string } | null;
  /** Sign-in providers whose accounts can be linked. */
  providers: { id: string; label: string }[];
  /** The wallets for which passes are made. */
  wallets: WalletPlatform[];
}

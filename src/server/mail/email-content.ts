import type { Coordinates } from '../../domain/club/coordinates.ts';
import type { EmailKind, EmailWording } from '../../domain/club/emails.ts';
import type { JoiningTerms } from '../../domain/consent.ts';

export interface Email {
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
}

/** The club's logo at its public URL, sizes in pixels. */
export interface VenueLogo {
  url: string;
  width: number;
  height: number;
}

export interface Venue extends JoiningTerms {
  support_email: string;
  /** Without a trailing slash. */
  public_url: string;
  /** IANA time zone in which dates are written. */
  time_zone: string;
  /** '#rrggbb'; absent or null for the default colors. */
  accent?: string | null;
  /** Where it is, for cards in wallets. */
  place?: Coordinates | null;
  logo?: VenueLogo | null;
  /** The venue's own wording for a kind of email; null if there is none. */
  wordingOf?(kind: EmailKind): EmailWording | null;
}

/** The email's call to action, at most one. */
export interface Button {
  button: string;
  url: string;
}

/** A small table, such as tier, period and amount. */
export interface Facts {
  facts: [label: string, value: string][];
}

/** A string is a paragraph of plain text. */
export type Content = string | Button | Facts;

/** An email's topic, which its footer gives as the reason for sending it. */
export type Topic = 'account' | 'sign-up' | 'application' | 'membership' | 'gift' | 'gift-buyer' | 'staff';

/** The slots of the frame, used by both parts of an email. */
export interface FramedEmail {
  heading: string;
  greeting: string;
  content: Content[];
  why: string;
  /** Where the reader turns emails like this one off; null if they always arrive. */
  unsubscribe: string | null;
}

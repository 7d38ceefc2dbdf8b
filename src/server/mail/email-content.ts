import type { EmailKind, EmailWording } from '../../domain/club/emails.ts';
import type { JoiningTerms } from '../../domain/consent.ts';

/** An email in both of its parts, which say the same. */
export interface Email {
  subject: string;
  text: string;
  html: string;
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
  /** '#rrggbb'; absent or null for the product's own colors. */
  accent?: string | null;
  /** Absent or null without one. */
  logo?: VenueLogo | null;
  /** The venue's own words for a kind of email; null without any. */
  wordingOf?(kind: EmailKind): EmailWording | null;
}

/** The one thing to do next. An email has at most one. */
export interface Button {
  button: string;
  url: string;
}

/** A small table, such as tier, period and amount. */
export interface Facts {
  facts: [label: string, value: string][];
}

/** A text is a paragraph of plain text. */
export type Content = string | Button | Facts;

/** What an email is about. Its footer gives that as the reason why the reader gets it. */
export type Topic = 'account' | 'sign-up' | 'application' | 'membership' | 'gift';

/** The frame's slots, which both parts of an email are made of. */
export interface FramedEmail {
  heading: string;
  greeting: string;
  content: Content[];
  why: string;
}

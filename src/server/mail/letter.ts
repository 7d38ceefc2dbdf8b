import type { LetterKey, LetterWording } from '../../domain/club/letters.ts';
import type { JoiningTerms } from '../../domain/consent.ts';

/** An email in both of its parts, which say the same. */
export interface Email {
  subject: string;
  text: string;
  html: string;
}

/** The club's logo, as anyone can load it. */
export interface VenueLogo {
  url: string;
  /** In pixels. */
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
  /** What the venue writes into a letter; null where it has nothing to add. */
  wordingOf?(letter: LetterKey): LetterWording | null;
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

/** What an email is about, which is why its reader gets it. */
export type Topic = 'account' | 'sign-up' | 'application' | 'membership' | 'gift';

/** What both parts are made of. */
export interface Letter {
  heading: string;
  greeting: string;
  content: Content[];
  why: string;
}

import type { JoiningTerms } from '../../domain/consent.ts';

/** An email in plain text, which reads the same everywhere. */
export interface Email {
  subject: string;
  body: string;
}

export interface Venue extends JoiningTerms {
  support_email: string;
  /** Without a trailing slash. */
  public_url: string;
  /** IANA time zone in which dates are written. */
  time_zone: string;
}

/** 'July 13, 2026', in the venue's zone. */
export function longDate(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(date);
}

/** The frame of every email: greeting, paragraphs, and where to write. */
export function composeEmail(venue: Venue, firstName: string, subject: string, paragraphs: string[]): Email {
  const body = [
    `Hello ${firstName},`,
    ...paragraphs,
    `Questions? Write to ${venue.support_email}.`,
    venue.club_name,
  ].join('\n\n');
  return { subject: `${subject} · ${venue.club_name}`, body };
}

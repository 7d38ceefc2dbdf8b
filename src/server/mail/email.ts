/** What a mail says; plain text, so that it reads the same everywhere. */
export interface Email {
  subject: string;
  body: string;
}

export interface Venue {
  club_name: string;
  support_email: string;
  /** Without a trailing slash. */
  public_url: string;
  /** IANA zone in which dates are written. */
  time_zone: string;
}

/** Cents as dollars with two decimals (spec section 9). */
export const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** 'July 13, 2026', in the venue's zone. */
export function longDate(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(date);
}

/** The letter's frame: greeting, paragraphs, and who to write to. */
export function composeEmail(venue: Venue, firstName: string, subject: string, paragraphs: string[]): Email {
  const body = [
    `Hello ${firstName},`,
    ...paragraphs,
    `Questions? Write to ${venue.support_email}.`,
    venue.club_name,
  ].join('\n\n');
  return { subject: `${subject} · ${venue.club_name}`, body };
}

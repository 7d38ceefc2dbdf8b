import { htmlPart } from './html-part.ts';
import type { Content, Email, Letter, Topic, Venue } from './letter.ts';

export type { Button, Content, Email, Facts, Venue } from './letter.ts';

const BECAUSE: Record<Topic, string> = {
  account: 'it is about your account at',
  'sign-up': 'someone entered your email at',
  application: 'it is about your application at',
  membership: 'it is about your membership at',
  gift: 'someone gave you a membership at',
};

/** 'July 13, 2026', in the venue's zone. */
export function longDate(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(date);
}

/** 'June 20 – July 20, 2026', in the venue's zone. */
export function longDates(start: Date, end: Date, timeZone: string): string {
  const range = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).formatRange(start, end);
  // It has thin spaces, which not every mail program shows.
  return range.replace(/\s/g, ' ');
}

/**
 * An email in the frame that all of them share: heading, greeting, content, why it came, and where to write. Everything
 * in it is taken as plain text; in the HTML, only links to the venue's own pages become links.
 */
export function composeEmail(
  venue: Venue,
  firstName: string,
  subject: string,
  content: Content[],
  topic: Topic = 'account',
): Email {
  const letter: Letter = {
    heading: subject,
    greeting: `Hello ${firstName},`,
    content,
    why: `You get this email because ${BECAUSE[topic]} ${venue.club_name}.`,
  };
  return {
    subject: `${subject} · ${venue.club_name}`,
    text: textPart(venue, letter),
    html: htmlPart(venue, letter),
  };
}

function textPart(venue: Venue, { greeting, content, why }: Letter): string {
  return [
    greeting,
    ...content.map(plain),
    `Questions? Write to ${venue.support_email}.`,
    `${venue.club_name}\n${why}`,
  ].join('\n\n');
}

function plain(piece: Content): string {
  if (typeof piece === 'string') return piece;
  if ('facts' in piece) return piece.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
  return `${piece.button}: ${piece.url}`;
}

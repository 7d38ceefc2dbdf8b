import { fillVariables, type LetterFacts, paragraphsOf } from '../../domain/club/letters.ts';
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

/** Which letter it is, null for one that staff wrote themselves; and to whom, null for who has no name here yet. */
export type LetterHead = (LetterFacts | { letter: null; values?: Record<never, string> }) & {
  first_name: string | null;
};

/**
 * An email in the frame that all of them share: heading, greeting, content, why it came, and where to write; with what the
 * venue writes itself (docs/rules/emails.md, "Wording of emails"). Everything in it is taken as plain text; in the
 * HTML, only links to the venue's own pages become links.
 */
export function composeEmail(
  venue: Venue,
  head: LetterHead,
  subject: string,
  content: Content[],
  topic: Topic = 'account',
): Email {
  const own = ownWords(venue, head);
  const heading = own.subject || subject;
  const letter: Letter = {
    heading,
    greeting: `Hello ${head.first_name ?? 'there'},`,
    content: [...own.opening, ...content, ...own.closing],
    why: `You get this email because ${BECAUSE[topic]} ${venue.club_name}.`,
  };
  return {
    subject: `${heading} · ${venue.club_name}`,
    text: textPart(venue, letter),
    html: htmlPart(venue, letter),
  };
}

interface OwnWords {
  subject: string;
  opening: string[];
  closing: string[];
}

/** The venue's words, filled in. What cannot be filled in is left out: no wording ever stops a letter. */
function ownWords(venue: Venue, { letter, first_name, values }: LetterHead): OwnWords {
  const wording = letter && venue.wordingOf?.(letter);
  if (!wording) return { subject: '', opening: [], closing: [] };
  const { club_name, support_email } = venue;
  const known = { ...(first_name !== null && { first_name }), club_name, support_email, ...values };
  const filled = (text: string) => fillVariables(text, known) ?? '';
  return {
    subject: filled(wording.subject).trim(),
    opening: paragraphsOf(filled(wording.opening)),
    closing: paragraphsOf(filled(wording.closing)),
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

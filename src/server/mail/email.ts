import { fillVariables, paragraphsOf } from '../../domain/club/emails.ts';
import type { Content, Email, FramedEmail, Topic, Venue } from './email-content.ts';
import { type EmailMessage, type Words, wordsOf } from './email-text.ts';
import { htmlPart } from './html-part.ts';

export type { Email, Venue, VenueLogo } from './email-content.ts';

const BECAUSE: Record<Topic, string> = {
  account: 'of your account at',
  'sign-up': 'someone entered your email at',
  application: 'of your application at',
  membership: 'of your membership at',
  gift: 'someone gave you a membership at',
  'gift-buyer': 'of a gift you bought at',
  staff: 'you run',
};

/**
 * Renders an email in the shared frame: heading, greeting, content, reason and contact, with the venue's own wording
 * (docs/rules/emails.md, "Wording of emails"). All content is plain text; in the HTML, only URLs of the venue's own pages
 * become links. `firstName` is null for a reader without a name here; `label` gives a tier's display name;
 * `unsubscribeToken` is the token of a personal email's reader.
 */
export function composeEmail(
  venue: Venue,
  message: EmailMessage,
  firstName: string | null,
  label?: (tier: string) => string,
  unsubscribeToken?: string,
): Email {
  const words = wordsOf(venue, label);
  const wording = ownWords(message, firstName, words);
  const heading = wording.subject || message.subject(words);
  const frame: FramedEmail = {
    heading,
    greeting: `Hello ${firstName ?? 'there'},`,
    content: [...wording.opening, ...message.content(words), ...wording.closing],
    why: `You're receiving this email because ${BECAUSE[message.topic]} ${venue.club_name}.`,
    unsubscribe: message.personal ? words.page('/unsubscribe', unsubscribeToken) : null,
  };
  return {
    subject: `${heading} · ${venue.club_name}`,
    text: textPart(venue, frame),
    html: htmlPart(venue, frame),
    ...(message.personal && unsubscribeToken && { headers: oneClick(words, unsubscribeToken) }),
  };
}

/** Mail programs show their own button (RFC 8058), and send the address as it is: a # would not arrive. */
const oneClick = ({ page }: Words, token: string) => ({
  'List-Unsubscribe': `<${page('/unsubscribe')}?token=${token}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

interface OwnWords {
  subject: string;
  opening: string[];
  closing: string[];
}

/** The venue's wording, filled in. Invalid parts are left out: wording never stops an email. */
function ownWords(message: EmailMessage, firstName: string | null, words: Words): OwnWords {
  const { venue } = words;
  const wording = message.kind && venue.wordingOf?.(message.kind);
  if (!wording) return { subject: '', opening: [], closing: [] };
  const { club_name, support_email } = venue;
  const name = firstName !== null && { first_name: firstName };
  const variables = { ...name, club_name, support_email, ...message.values(words) };
  const filled = (text: string) => fillVariables(text, variables) ?? '';
  return {
    subject: filled(wording.subject).trim(),
    opening: paragraphsOf(filled(wording.opening)),
    closing: paragraphsOf(filled(wording.closing)),
  };
}

function textPart(venue: Venue, { greeting, content, why, unsubscribe }: FramedEmail): string {
  return [
    greeting,
    ...content.map(plain),
    `Questions? Write to ${venue.support_email}.`,
    `${venue.club_name}\n${why}`,
    ...(unsubscribe ? [`Turn off emails like this one: ${unsubscribe}`] : []),
  ].join('\n\n');
}

function plain(piece: Content): string {
  if (typeof piece === 'string') return piece;
  if ('facts' in piece) return piece.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
  return `${piece.button}: ${piece.url}`;
}

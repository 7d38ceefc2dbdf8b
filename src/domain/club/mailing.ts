import { fillVariables, holdsForeignLink, plainTextProblem } from './emails.ts';

// Rules: docs/rules/members.md, "Emails to a list".

/** In characters. */
export const MAX_MAILING_SUBJECT = 100;
export const MAX_MAILING_TEXT = 2000;
export const MAX_MAILING_RECIPIENTS = 5000;
/** Days before the next one, and in which a visit counts as one that followed it. */
export const MAILING_DAYS = 7;
/** How long it can be stopped before the first email goes out. */
export const MAILING_START_SECONDS = 60;

/** Why nothing is sent to a list now. */
export const MAILING_OBSTACLES = ['email_off', 'nobody', 'too_many', 'too_soon'] as const;
export type MailingObstacle = (typeof MAILING_OBSTACLES)[number];

const VARIABLES = ['first_name'];

/** Members on a list, by their answer to the question about personal emails. */
export interface Audience {
  wanted: number;
  unasked: number;
  refused: number;
}

/** The reason nothing can be sent to a list; null if it can. `last`: when the club wrote to a list, other than about its opening. */
export function mailingObstacle(
  facts: { audience: Audience; sendsEmail: boolean; last: Date | null; aboutOpening: boolean },
  now: Date,
): MailingObstacle | null {
  const { audience, sendsEmail, last, aboutOpening } = facts;
  if (!sendsEmail) return 'email_off';
  if (audience.wanted === 0) return 'nobody';
  if (audience.wanted > MAX_MAILING_RECIPIENTS) return 'too_many';
  if (!aboutOpening && last && now < nextMailingAt(last)) return 'too_soon';
  return null;
}

/** The first instant at which the club may write to a list again. */
export const nextMailingAt = (last: Date): Date => new Date(last.getTime() + MAILING_DAYS * 86_400_000);

export interface MailingText {
  subject: string;
  text: string;
}

/** The first problem of a mailing's words, for staff; null if there is none. Links may lead to the club's own pages. */
export function mailingProblem(
  { subject, text }: MailingText,
  siteUrl: string,
): { field: keyof MailingText; text: string } | null {
  const problemOf = (words: string) =>
    plainTextProblem(words, VARIABLES) ??
    (holdsForeignLink(withoutOwnLinks(words, siteUrl))
      ? `Links may only lead to ${siteUrl}. Leave a space after each full stop.`
      : null);
  for (const [field, words] of [
    ['subject', subject],
    ['text', text],
  ] as const) {
    const problem = problemOf(words);
    if (problem) return { field, text: problem };
  }
  return null;
}

/** The text without links to the club's pages. A longer host or a user name before '@' makes it another's. */
function withoutOwnLinks(text: string, siteUrl: string): string {
  const escapedUrl = siteUrl.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return text.replace(
    new RegExp(`(?<!\\S)${escapedUrl}(?:/[\\w\\-./?=&%#]*)?(?=[,;:!?.)]*(?!\\S))`, 'g'),
    ' ',
  );
}

/** The words as one member gets them. Someone without a first name is greeted as 'there'. */
export function mailingFor({ subject, text }: MailingText, firstName: string): MailingText {
  const values = { first_name: firstName || 'there' };
  return {
    subject: fillVariables(subject, values) ?? subject,
    text: fillVariables(text, values) ?? text,
  };
}

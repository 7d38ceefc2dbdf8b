import type { EmailKind, OwnVariable } from '../../domain/club/emails.ts';
import { joiningTerms } from '../../domain/consent.ts';
import { tierLabel } from '../../domain/tiers.ts';
import type { Button, Content, Topic, Venue } from './email-content.ts';

export interface Words {
  venue: Venue;
  /** A page of the web app. A token goes after the #, which keeps it out of logs. */
  page(path: string, token?: string): string;
  label(tier: string): string;
  /** 'July 13, 2026', in the venue's time zone. */
  day(date: Date): string;
  /** 'July 13, 2026 at 2:05 PM', in the venue's time zone. */
  moment(date: Date): string;
  /** The club's minimum age and terms; empty if it has neither. */
  club: string[];
  account(button?: string): Button;
  dashboard: Button;
  household: Button;
}

/** 'July 13, 2026', in the venue's zone. */
function longDate(date: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(date);
}

/** 'July 13, 2026 at 2:05 PM', in the venue's zone. */
function longMoment(date: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    date,
  );
  return text.replace(/\s/g, ' ');
}

/** 'June 20 – July 20, 2026', in the venue's zone. */
export function longDates(start: Date, end: Date, timeZone: string): string {
  const range = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).formatRange(start, end);
  // The formatter uses thin spaces, which some mail programs do not show.
  return range.replace(/\s/g, ' ');
}

export function wordsOf(venue: Venue, label: (tier: string) => string = tierLabel): Words {
  const page = (path: string, token?: string) =>
    `${venue.public_url}${path}${token === undefined ? '' : `#${token}`}`;
  return {
    venue,
    page,
    label,
    day: (date) => longDate(date, venue.time_zone),
    moment: (date) => longMoment(date, venue.time_zone),
    club: [joiningTerms(venue)].filter(Boolean),
    account: (button = 'Open My Account') => ({ button, url: page('/account') }),
    dashboard: { button: 'Open My Dashboard', url: page('/dashboard') },
    household: { button: 'See Your Household', url: page('/household') },
  };
}

type Say<Data, Said> = (data: Data, words: Words) => Said;

type EmailText<Data, Own extends string> = {
  /** The table's topic by default. */
  topic?: Topic;
  /** Readers can turn it off: it is not about what they pay for or how they sign in. */
  personal?: true;
  subject: string | Say<Data, string>;
  content: Say<Data, Content[]>;
  values?: Say<Data, Record<Own, string>>;
} & ([Own] extends [never] ? unknown : { values: Say<Data, Record<Own, string>> }) &
  // Sample data for the preview while staff edit the wording.
  (Data extends null ? { sample?: undefined } : { sample: Data | ((words: Words) => Data) });

/** An email before its venue and reader are known. */
export interface EmailMessage {
  /** Null if staff wrote it themselves. */
  kind: EmailKind | null;
  topic: Topic;
  /** Readers can turn it off. */
  personal: boolean;
  subject(words: Words): string;
  content(words: Words): Content[];
  values(words: Words): Record<string, string>;
}

interface EmailOf<Data> {
  about: (...data: Data extends null ? [] : [Data]) => EmailMessage;
  sample: EmailMessage;
}

/** Emails by kind, each with its text and a sample. `T` maps kinds to their data; null for none. */
export function emails<T extends { [Kind in EmailKind]?: unknown }>(
  topic: Topic,
  texts: { [Kind in keyof T & EmailKind]: EmailText<T[Kind], OwnVariable<Kind>> },
): { [Kind in keyof T & EmailKind]: EmailOf<T[Kind]> } {
  const entries = Object.entries(texts as Record<string, EmailText<unknown, string>>).map(([kind, text]) => {
    const about = (dataOf: (words: Words) => unknown): EmailMessage => ({
      kind: kind as EmailKind,
      topic: text.topic ?? topic,
      personal: text.personal ?? false,
      subject: (words) =>
        typeof text.subject === 'string' ? text.subject : text.subject(dataOf(words), words),
      content: (words) => text.content(dataOf(words), words),
      values: (words) => text.values?.(dataOf(words), words) ?? {},
    });
    const { sample } = text as { sample?: unknown };
    const sampleOf = (words: Words) => (typeof sample === 'function' ? sample(words) : (sample ?? null));
    return [kind, { about: (data?: unknown) => about(() => data ?? null), sample: about(sampleOf) }];
  });
  return Object.fromEntries(entries);
}

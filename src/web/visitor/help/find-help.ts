import type { HandbookGroup } from 'virtual:handbook';
import { LITTLE_WORDS, SAME_MEANING } from './help-words.ts';

interface HelpSection {
  slug: string;
  /** The id of its heading; undefined for what comes before the first one. */
  anchor: string | undefined;
  title: string;
  page: string;
  text: string;
}

const MAX_FOUND = 20;
/** Characters shown before and after the first word found. */
const BEFORE = 50;
const AFTER = 110;

export function sectionsOf(groups: readonly HandbookGroup[]): HelpSection[] {
  return groups.flatMap(({ pages }) =>
    pages.flatMap(({ slug, title: page, html }) => {
      const sections: HelpSection[] = [{ slug, anchor: undefined, title: page, page, text: '' }];
      for (const element of new DOMParser().parseFromString(html, 'text/html').body.children) {
        // Without bold letters, quotation marks tell the name of a field from the words around it.
        for (const name of element.querySelectorAll('strong')) name.textContent = `“${name.textContent}”`;
        const text = element.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
        const last = sections.at(-1);
        if (/^H[23]$/.test(element.tagName)) {
          sections.push({ slug, anchor: element.id, title: text, page, text: '' });
        } else if (last) last.text = `${last.text} ${text}`.trim();
      }
      return sections;
    }),
  );
}

/** The words of a text, in lowercase, without the marks around them. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('\u0027', '’')
    .match(/[\p{L}\p{N}]+(?:[-’'][\p{L}\p{N}]+)*/gu) ?? [];

const ENDINGS = /(?:ies|ied|ing|ed|es|(?<!s)s|y|e)$/;
const SHORTEST_STEM = 3;

/** A word without its ending, so that 'refunded' and 'refunds' are one. */
function stemOf(word: string): string {
  const stem = word.replace(ENDINGS, '');
  return stem.length >= SHORTEST_STEM ? stem : word;
}

const MEANINGS = SAME_MEANING.map((group) => group.map(stemOf));

/** The beginnings of words that mean the same as a typed one, which is itself the first. */
function meaningsOf(word: string): string[] {
  const stem = stemOf(word);
  return [word, ...MEANINGS.filter((group) => group.includes(stem)).flat()];
}

/** The subject of a question: its words without those that say nothing; all of them if nothing else is left. */
function subjectOf(typed: string): string[] {
  const words = wordsOf(typed);
  const telling = words.filter((word) => !LITTLE_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

/** How well a text answers to a word: the word itself counts more than another of the same meaning; 0 for neither. */
function matchOf(words: readonly string[], [typed = '', ...others]: string[]): number {
  if (words.some((word) => word.startsWith(typed))) return 2;
  return words.some((word) => others.some((other) => word.startsWith(other))) ? 1 : 0;
}

const TITLE_WEIGHT = 3;

/**
 * Sections about every word of the subject, in the reader's or another word for it; without any, those about most of it. The
 * best first: a rare word says more than a common one, and a title more than the text below it.
 */
export function findHelp(sections: readonly HelpSection[], typed: string): HelpSection[] {
  const subject = subjectOf(typed).map(meaningsOf);
  const rated = sections.map((section) => {
    const title = wordsOf(section.title);
    const text = wordsOf(`${section.title} ${section.page} ${section.text}`);
    const matches = subject.map((word) => matchOf(text, word) + TITLE_WEIGHT * matchOf(title, word));
    return { section, matches };
  });
  const weights = subject.map((_, index) =>
    Math.log(1 + sections.length / (1 + rated.filter(({ matches }) => matches[index]).length)),
  );
  const about = ({ matches }: (typeof rated)[number]) => matches.filter((it) => it > 0).length;
  const most = Math.max(0, ...rated.map(about));
  if (most === 0 || most < subject.length / 2) return [];
  const score = ({ matches }: (typeof rated)[number]) =>
    matches.reduce((sum, match, index) => sum + match * (weights[index] ?? 0), 0);
  return rated
    .filter((it) => about(it) === most)
    .sort((one, other) => score(other) - score(one))
    .map(({ section }) => section)
    .slice(0, MAX_FOUND);
}

/** The part of the text around the first word found in it; the beginning if none is. */
export function excerptOf(text: string, typed: string): string {
  const lower = text.toLowerCase();
  const places = subjectOf(typed)
    .flatMap(meaningsOf)
    .map((word) => lower.search(new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'u')))
    .filter((place) => place >= 0);
  const at = Math.min(...places, text.length);
  const from = at === text.length || at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1;
  const end = from + BEFORE + AFTER;
  const to = end >= text.length ? text.length : text.lastIndexOf(' ', end);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
}

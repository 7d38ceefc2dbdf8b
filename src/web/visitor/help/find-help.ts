import type { HandbookGroup } from 'virtual:handbook';

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

/** Sections with every typed word: first those with all of them in the title, then in reading order. */
export function findHelp(sections: readonly HelpSection[], typed: string): HelpSection[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const titled = sections.filter(({ title }) => has(title));
  const about = sections.filter(({ title, page, text }) => has(`${title} ${page} ${text}`));
  return [...new Set([...titled, ...about])].slice(0, MAX_FOUND);
}

/** The part of the text around the first typed word in it; the beginning if none is. */
export function excerptOf(text: string, typed: string): string {
  const lower = text.toLowerCase();
  const places = typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0);
  const at = Math.min(...places, text.length);
  const from = at === text.length || at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1;
  const end = from + BEFORE + AFTER;
  const to = end >= text.length ? text.length : text.lastIndexOf(' ', end);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
}

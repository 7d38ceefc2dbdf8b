/** The pages that anyone can read: the club's page, and the legal pages. docs/rules/club.md, "Public pages". */

export const CLUB_PAGE_PATH = '/club';
export const CLUB_PICTURE_PATH = '/club-picture.jpg';

/** The legal pages, in the order of their links. */
export const LEGAL_PAGES = ['terms', 'privacy', 'imprint', 'accessibility'] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];

export const LEGAL_TITLES: Record<LegalPage, string> = {
  terms: 'Terms',
  privacy: 'Privacy',
  imprint: 'Imprint',
  accessibility: 'Accessibility',
};

/** The maximum lengths of the texts. All of them together fit a request. */
export const PAGE_TEXT_LENGTHS = {
  page_heading: 80,
  page_words: 2000,
  page_questions: 6000,
  page_address: 300,
  page_hours: 500,
} as const;
export type PageText = keyof typeof PAGE_TEXT_LENGTHS;
export const MAX_LEGAL_TEXT = 12_000;

/** The settings of the club's page. A null text is the default one. */
export interface ClubPageSettings extends Record<PageText, string | null> {
  page_on: boolean;
  /** What the page shows besides its words. */
  page_tiers: boolean;
  page_wines: boolean;
  page_places: boolean;
}

/** The settings of the legal pages. A null text is the default one; with an address, the page leads there instead. */
export type LegalSettings = Record<`${LegalPage}_text` | `${LegalPage}_url`, string | null>;

export const CLUB_PAGE_FIELDS = [
  'page_on',
  'page_heading',
  'page_words',
  'page_tiers',
  'page_wines',
  'page_places',
  'page_address',
  'page_hours',
  'page_questions',
] as const satisfies (keyof ClubPageSettings)[];

/** The settings of the legal pages without `terms_url`, which is an older setting with a place of its own. */
export const LEGAL_FIELDS = [
  'terms_text',
  'privacy_text',
  'privacy_url',
  'imprint_text',
  'imprint_url',
  'accessibility_text',
  'accessibility_url',
] as const satisfies (keyof LegalSettings)[];

/** Whether a setting is a text of a public page, which can be long. */
export const isPublicText = (field: string): boolean => field in PAGE_TEXT_LENGTHS || field.endsWith('_text');

/** Default texts, and no addresses. `terms_url` has its default from the configuration. */
export const PUBLIC_PAGE_PRESETS: ClubPageSettings & Omit<LegalSettings, 'terms_url'> = {
  page_on: true,
  page_heading: null,
  page_words: null,
  page_tiers: true,
  page_wines: false,
  page_places: false,
  page_address: null,
  page_hours: null,
  page_questions: null,
  terms_text: null,
  privacy_text: null,
  privacy_url: null,
  imprint_text: null,
  imprint_url: null,
  accessibility_text: null,
  accessibility_url: null,
};

/** Where each legal page is: a path of this site, or the venue's own address. */
export const legalLinks = (settings: LegalSettings): Record<LegalPage, string> =>
  Object.fromEntries(LEGAL_PAGES.map((page) => [page, settings[`${page}_url`] ?? `/${page}`])) as Record<
    LegalPage,
    string
  >;

/** The terms that new members accept: the venue's address, else the page here once the venue has written it; else null. */
export function acceptedTerms(
  { terms_url, terms_text }: Pick<LegalSettings, 'terms_url' | 'terms_text'>,
  publicUrl: string,
): string | null {
  return terms_url ?? (terms_text === null ? null : `${publicUrl}/terms`);
}

export type TextBlock = { kind: 'heading' | 'paragraph'; text: string };

/** Reads plain text: a line that begins with # is a heading, and blank lines separate paragraphs. */
export function textBlocks(text: string): TextBlock[] {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  const blocks: TextBlock[] = [];
  let paragraph: string[] = [];
  const end = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', text: paragraph.join('\n') });
    paragraph = [];
  };
  for (const line of lines.map((it) => it.trim())) {
    const heading = /^#+\s*(.*)$/s.exec(line)?.[1];
    if (line === '' || heading !== undefined) end();
    if (heading) blocks.push({ kind: 'heading', text: heading });
    else if (line !== '' && heading === undefined) paragraph.push(line);
  }
  end();
  return blocks;
}

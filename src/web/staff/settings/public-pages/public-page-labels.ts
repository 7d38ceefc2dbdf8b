import type { PublicField } from '../../../../domain/club/public-pages.ts';

/** The names of the settings of the public pages, in the forms and in the audit. */
export const PUBLIC_PAGE_LABELS: Record<PublicField, string> = {
  page_on: 'Club Page',
  page_heading: 'Heading',
  page_words: 'Introduction',
  page_tiers: 'Show the Tiers',
  page_wines: 'Show Tonight’s Wines',
  page_places: 'Show Where You Pour',
  page_address: 'Address',
  page_hours: 'Hours',
  page_questions: 'Questions',
  terms_text: 'Terms',
  privacy_text: 'Privacy Text',
  privacy_url: 'Link to Your Privacy Page',
  imprint_text: 'Imprint',
  imprint_url: 'Link to Your Imprint',
  accessibility_text: 'Accessibility Text',
  accessibility_url: 'Link to Your Accessibility Page',
};

const FORMAT = 'Start a line with # for a heading. A blank line starts a new paragraph.';
const OWN_PAGE = 'If this page is on your own website. Leave blank to use the text here.';

export const PUBLIC_PAGE_HINTS: Record<PublicField, string> = {
  page_on: 'Anyone can read it, and search engines find it.',
  page_heading: 'Leave blank to show only the name of the club.',
  page_words: FORMAT,
  page_tiers: 'The tiers on offer, with their prices.',
  page_wines: 'The wines that are open now.',
  page_places: 'The places of your club, as in Settings.',
  page_address: 'Leave blank to show none.',
  page_hours: 'Leave blank to show none.',
  page_questions:
    'Start a line with # for a question, and write the answer below it. Leave blank to show none.',
  terms_text: FORMAT,
  privacy_text: `${FORMAT} The list of what is stored is added below your text.`,
  privacy_url: OWN_PAGE,
  imprint_text: FORMAT,
  imprint_url: OWN_PAGE,
  accessibility_text: FORMAT,
  accessibility_url: OWN_PAGE,
};

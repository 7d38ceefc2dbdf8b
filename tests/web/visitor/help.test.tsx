import type { HandbookGroup } from 'virtual:handbook';
import { describe, expect, test } from 'vitest';
import { excerptOf, findHelp, sectionsOf } from '../../../src/web/visitor/help/find-help.ts';

const page = (slug: string, title: string, html: string) => ({ slug, title, detail: '', html });
const groups: HandbookGroup[] = [
  {
    title: 'At the bar',
    pages: [
      page(
        'bar',
        'Behind the bar',
        '<p>Before a heading.</p><h2 id="water"><a href="#water">Water</a></h2><p>Offer a glass &amp; wait.</p>',
      ),
    ],
  },
  {
    title: 'For the owner',
    pages: [
      page(
        'money',
        'Refunds',
        '<h2 id="partly"><a href="#partly">Partly</a></h2><ul><li>Press <strong>Give</strong> back water money.</li></ul>',
      ),
    ],
  },
];
const sections = sectionsOf(groups);
const found = (typed: string) =>
  findHelp(sections, typed).map(({ slug, anchor }) => `${slug}#${anchor ?? ''}`);

describe('the search of the handbook', () => {
  test('a page is cut at its headings, with what comes before the first, and names of fields in quotation marks', () => {
    expect(sections.map(({ title, text }) => [title, text])).toEqual([
      ['Behind the bar', 'Before a heading.'],
      ['Water', 'Offer a glass & wait.'],
      ['Refunds', ''],
      ['Partly', 'Press “Give” back water money.'],
    ]);
  });

  test('finds sections with every typed word, those with it in their title first', () => {
    expect(found('WATER')).toEqual(['bar#water', 'money#partly']);
    expect(found('back wat')).toEqual(['money#partly']);
    expect(found('refunds money')).toEqual(['money#partly']);
    expect(found('cork')).toEqual([]);
  });

  test('an excerpt shows the first word found, cut between words', () => {
    const text = `${'Long before it. '.repeat(10)}The cork is here. ${'And long after. '.repeat(20)}`.trim();
    const excerpt = excerptOf(text, 'cork');
    expect(excerpt).toMatch(/^… .*The cork is here\..* …$/);
    expect(excerpt.length).toBeLessThan(180);
    expect(excerptOf('Short.', 'cork')).toBe('Short.');
  });
});

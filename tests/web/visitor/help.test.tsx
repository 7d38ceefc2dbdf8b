import handbook, { type HandbookGroup } from 'virtual:handbook';
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

  test('finds sections about every typed word, those with it in their title first', () => {
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

describe('a question in an owner’s or a member’s own words', () => {
  const real = sectionsOf(handbook);
  /** A reader looks at the first five lines. */
  const first = (typed: string) =>
    findHelp(real, typed)
      .slice(0, 5)
      .map(({ slug, anchor }) => `${slug}#${anchor}`);

  test.each([
    ['skip next month', 'your-membership#can-i-take-a-break'],
    ['vacation', 'your-members#pause'],
    ['stolen card', 'your-card-and-account#i-lost-my-phone'],
    ['print receipt', 'refunds-and-disputes#a-printed-invoice'],
    ['print an invoice for a member', 'refunds-and-disputes#a-printed-invoice'],
    ['newsletter', 'your-front-door#who-gets-what'],
    ['How do I cancel?', 'your-membership#how-do-i-cancel'],
    ['closed in August', 'your-front-door#when-you-close-for-a-while'],
    ['two locations', 'your-front-door#two-locations'],
    ['merge duplicates', 'your-members#two-accounts-of-one-person'],
    ['who owes this month', 'refunds-and-disputes#who-owes-this-month'],
    ['from the venue to a card', 'your-members#from-the-venue-to-a-card'],
    ['member paid cash for the next month', 'your-members#payments-at-the-venue'],
    ['record dues', 'your-members#payments-at-the-venue'],
    ['she was charged twice', 'refunds-and-disputes#how-much-is-fair'],
    ['customer died', 'your-members#delete-an-account-for-someone'],
    ['fire an employee', 'the-team#someone-leaves'],
    ['bartender forgot PIN', 'the-team#a-tablet-for-everyone'],
    ['raise prices', 'tiers-and-prices#change-a-price'],
    ['wifi is down', 'a-busy-evening#the-network-is-down'],
    ['camera does not work', 'when-something-is-wrong#the-scanner-has-no-picture'],
    ['excel for my accountant', 'refunds-and-disputes#what-the-books-show'],
    ['buy a voucher', 'your-members#gifts'],
    ['my wife wants her own card', 'your-members#households-and-guests'],
    ['change my email', 'your-card-and-account#how-do-i-change-my-name-email-or-phone'],
    ['forgot password', 'your-card-and-account#i-cannot-sign-in'],
    ['unused glasses', 'reports#what-is-not-drunk'],
    ['too drunk', 'a-busy-evening#too-much'],
    ['expired credit card', 'your-membership#my-payment-failed-what-now'],
    ['chargeback', 'refunds-and-disputes#a-dispute'],
    ['new phone', 'your-card-and-account#i-lost-my-phone'],
    ['upgrade plan', 'tiers-and-prices#when-a-member-changes-tier'],
    ['switch from my old system', 'moving-in#undefined'],
    ['nut allergy', 'your-members#what-you-can-note'],
    ['poured the wrong glass', 'a-busy-evening#a-wrong-pour'],
    ['how much did we earn', 'reports#did-the-money-come-in'],
    ['delete my data', 'your-card-and-account#how-do-i-delete-my-account'],
  ])('finds “%s”', (typed, section) => expect(first(typed)).toContain(section));
});

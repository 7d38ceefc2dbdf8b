import { expect, test } from 'vitest';
import { pageFinder } from '../../../../src/server/http/pages/page-finder.ts';

const pageAt = pageFinder(['/', '/staff/search', '/staff/customers/$id']);

test.each([
  ['/', '/'],
  ['/staff/search/', '/staff/search'],
  ['/staff/customers/0197b1f0-0000-7000-8000-000000000001', '/staff/customers/$id'],
  ['/staff/customers', null],
  ['/staff/customers/', null],
  ['/staff/customers/1/2', null],
  ['/nowhere', null],
  ['/constructor', null],
])('the page at %s is %s', (path, page) => {
  expect(pageAt(path)).toBe(page);
});

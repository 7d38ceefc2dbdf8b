import { createRouter } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { isPage, PAGES } from '../../../src/contract/pages.ts';
import { routeTree } from '../../../src/web/routeTree.gen.ts';

test('the server knows exactly the pages of the router', () => {
  const { routesByPath } = createRouter({ routeTree });
  const paths = Object.keys(routesByPath).map((path) => (path === '/' ? path : path.replace(/\/$/, '')));
  expect([...new Set(paths)].sort()).toEqual([...PAGES].sort());
});

test.each([
  ['/', true],
  ['/staff/search/', true],
  ['/staff/customers/0197b1f0-0000-7000-8000-000000000001', true],
  ['/staff/customers', false],
  ['/staff/customers/', false],
  ['/staff/customers/1/2', false],
  ['/nowhere', false],
  ['/constructor', false],
])('%s: %s', (path, known) => {
  expect(isPage(path)).toBe(known);
});

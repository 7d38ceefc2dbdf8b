import { createRouter } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import type { SessionUser } from '../../../src/web/api/session.ts';
import { PAGES } from '../../../src/web/app/pages.ts';
import { routeTree } from '../../../src/web/app/routes.ts';
import { landingFor } from '../../../src/web/visitor/landing.ts';

const member: SessionUser = {
  id: 'u1',
  email: 'ada@example.test',
  first_name: 'Ada',
  last_name: 'Vine',
  phone: null,
  role: 'customer',
};

test('every page of the table has a route', () => {
  const { routesByPath } = createRouter({ routeTree });
  expect(Object.keys(routesByPath).sort()).toEqual(Object.keys(PAGES).sort());
});

test('after signing in, a member returns to any page for members', () => {
  const pages = Object.entries(PAGES).flatMap(([path, { side }]) => (side === 'member' ? [path] : []));
  expect(pages.filter((path) => landingFor(member, path) !== path)).toEqual([]);
});

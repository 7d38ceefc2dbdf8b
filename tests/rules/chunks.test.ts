import { expect, test } from 'vitest';
import { sharedChunks } from '../../scripts/web-build/chunks.ts';

const SIDES = ['member', 'staff', 'visitor'] as const;
/** A page's module in the tests: `/staff/search`. */
const sideOf = (id: string) => SIDES.find((side) => id.startsWith(`/${side}/`));
const LARGE = 9_000;

/** Chunks of an app in which each module imports those listed. */
function chunksOf(imports: Record<string, string[]>, sizes: Record<string, number> = {}) {
  return sharedChunks({
    importsOf: (id) => imports[id] ?? [],
    sizeOf: (id) => sizes[id] ?? 100,
    entries: ['/app/src/web/index.html'],
    pages: new Map(
      Object.keys(imports).flatMap((id) => {
        const side = sideOf(id);
        return side ? [[id, side]] : [];
      }),
    ),
  });
}

const react = '/app/node_modules/react/index.js';
const router = '/app/node_modules/router/index.js';
const query = '/app/node_modules/query/index.js';
const chunks = chunksOf(
  {
    '/app/src/web/index.html': ['main'],
    main: [react, router, 'routes', 'session'],
    '/visitor/login': ['field', 'passkey'],
    '/visitor/register': ['field', 'auth-layout', 'select'],
    '/visitor/reset-password': ['field', 'auth-layout'],
    '/member/invitation': [query, 'consent'],
    '/member/layout': ['nav', query, 'passkey'],
    '/member/dashboard': ['field', 'meter', 'greeting', 'consent', 'select', query],
    '/member/qr-code': ['meter', query],
    '/staff/layout': ['nav', query],
    '/staff/search': ['balance', 'nav'],
    '/staff/dashboard': ['balance'],
  },
  { [query]: LARGE },
);

test.each<[module: string, chunk: string | undefined, why: string]>([
  [react, 'shell', 'libraries that every page begins with'],
  ['routes', 'app', 'our code that every page begins with'],
  ['field', 'parts', 'what visitors and users share'],
  ['nav', 'signed-in', 'what members and staff share'],
  [query, 'signed-in', 'a library that they need, and a page that a link opens'],
  ['consent', 'member', 'what members and a page that a link opens share'],
  ['meter', 'member', 'what two pages of members share'],
  ['balance', 'staff', 'what two pages of staff share'],
  ['auth-layout', 'visitor', 'what two pages of visitors share'],
  ['greeting', undefined, 'what one page needs stays with it'],
])('%s: %s, %s', (module, chunk) => {
  expect(chunks.get(module)).toBe(chunk);
});

test('large code that few pages share is a separate chunk, so that no other page loads it', () => {
  const pages = { '/member/dashboard': ['meter', 'x'], '/member/qr-code': ['meter', 'x'] };
  expect(chunksOf(pages, { x: LARGE }).get('x')).toBeUndefined();
  expect(chunksOf(pages).get('x')).toBe('member');
});

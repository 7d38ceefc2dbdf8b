import { expect, test } from 'vitest';
import { sharedChunks } from '../../scripts/web-build/chunks.ts';

const page = (route: string) => `/app/src/web/routes/${route}.lazy.tsx`;
const LARGE = 9_000;

/** Chunks of an app in which each module imports those listed. */
function chunksOf(imports: Record<string, string[]>, sizes: Record<string, number> = {}) {
  const ids = [...new Set([...Object.keys(imports), ...Object.values(imports).flat()])];
  return sharedChunks({
    ids,
    importsOf: (id) => imports[id] ?? [],
    sizeOf: (id) => sizes[id] ?? 100,
    entries: ['/app/src/web/index.html'],
  });
}

const react = '/app/node_modules/react/index.js';
const router = '/app/node_modules/router/index.js';
const query = '/app/node_modules/query/index.js';
const chunks = chunksOf(
  {
    '/app/src/web/index.html': ['main'],
    main: [react, router, 'routes', 'session'],
    [page('login')]: ['field', 'passkey'],
    [page('register')]: ['field', 'auth-layout', 'select'],
    [page('reset-password')]: ['field', 'auth-layout'],
    [page('invitation')]: [query, 'consent'],
    [page('_member')]: ['nav', query, 'passkey'],
    [page('_member/dashboard')]: ['field', 'meter', 'greeting', 'consent', 'select', query],
    [page('_member/qr-code')]: ['meter', query],
    [page('_staff')]: ['nav', query],
    [page('_staff/staff.search')]: ['balance', 'nav'],
    [page('_staff/staff.dashboard')]: ['balance'],
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
  const pages = { [page('_member/dashboard')]: ['meter', 'x'], [page('_member/qr-code')]: ['meter', 'x'] };
  expect(chunksOf(pages, { x: LARGE }).get('x')).toBeUndefined();
  expect(chunksOf(pages).get('x')).toBe('member');
});

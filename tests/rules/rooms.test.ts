import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Rooms from the lowest to the highest: each imports only lower ones. Two on one line never import each other. */
const ORDER = {
  server:
    `config lan db platform audit pictures deliveries mail push wines pours membership taste webhooks reports card
    wallet summary auth billing imports privacy realtime monitoring api http`
      .split(/\s+/)
      .map((room) => [room]),
  web: [['api'], ['ui'], ['format', 'brand'], ['visitor'], ['account'], ['member', 'staff'], ['app']],
};

/** Rooms inside billing, likewise. Its own files are below them all. */
const BILLING =
  `state customers setup notices sync refunds subscription acts checkout gifts reconcile adoption smoke
  upkeep`.split(/\s+/);

/** The one room of the server that imports a library. */
const LIBRARIES: [library: RegExp, room: string][] = [
  [/^(hono|@hono)(\/|$)/, 'http'],
  [/^(better-auth|@better-auth)(\/|$)/, 'auth'],
  [/^stripe(\/|$)/, 'billing'],
  [/^(@prometheus-io|@opentelemetry)\//, 'monitoring'],
  [/^passkit-generator(\/|$)/, 'wallet'],
  [/^sharp(\/|$)/, 'pictures'],
];

/** Files beside the rooms, which stand above them, and the rooms that import one all the same. */
const ABOVE: Record<string, string[]> = {
  'context.ts': ['api', 'http'],
  'compose.ts': [],
  'main.ts': [],
};

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"]+)\1/g;

/** The inner room's place in the order; -1 for a file of billing's own. */
const floorInBilling = (path: string) => BILLING.indexOf(/\/billing\/([a-z]+)\//.exec(path)?.[1] ?? '');

/** Describes each import by which a file leaves its room for one it must not know. `path` begins with src/. */
function breaches(path: string, code: string): string[] {
  const [, side = '', room = ''] = /^src\/(server|web)\/([a-z]+)\//.exec(path) ?? [];
  if (!room) return [];
  const order = ORDER[side as keyof typeof ORDER];
  const floorOf = (name: string) => order.findIndex((floor) => floor.includes(name));
  const allowed = (specifier: string): boolean => {
    const owner = LIBRARIES.find(([library]) => library.test(specifier))?.[1];
    if (side === 'server' && owner) return room === owner;
    if (!specifier.startsWith('.')) return true;
    const [target = '', inside] = join(path, '..', specifier).split(`src/${side}/`)[1]?.split('/') ?? [];
    if (target === 'billing' && room === 'billing')
      return floorInBilling(join(path, '..', specifier)) <= floorInBilling(path);
    if (target === room) return true;
    if (inside === undefined) return ABOVE[target]?.includes(room) ?? true;
    return floorOf(target) < floorOf(room);
  };
  return [...code.matchAll(IMPORT)]
    .map(([, , specifier = '']) => specifier)
    .filter((specifier) => !allowed(specifier))
    .map((specifier) => `${path} imports ${specifier}`);
}

const files = globSync('src/{server,web}/*/**/*.{ts,tsx}', { cwd: root });

test('a room imports only the rooms below it, and the libraries that are its own', () => {
  const found = files.flatMap((path) => breaches(path, readFileSync(join(root, path), 'utf8')));
  expect(found).toEqual([]);
});

test.each(['server', 'web'] as const)('every room of the %s has its place in the order', (side) => {
  const rooms = new Set(
    files.map((path) => path.split('/')).flatMap(([, it, room]) => (it === side ? [room] : [])),
  );
  expect([...rooms].sort()).toEqual(ORDER[side].flat().sort());
});

test('every room inside billing has its place in the order', () => {
  const rooms = files.map((path) => /^src\/server\/billing\/([a-z]+)\//.exec(path)?.[1]);
  expect([...new Set(rooms)].filter((room) => room !== undefined).sort()).toEqual([...BILLING].sort());
});

describe('an import against the order is found', () => {
  test.each([
    ['src/server/db/a.ts', `export { x } from '../http/app.ts';`],
    ['src/server/auth/sessions/a.ts', `export { x } from '../../billing/catalog.ts';`],
    ['src/server/billing/acts/a.ts', `export { x } from '../upkeep/sweeper.ts';`],
    ['src/server/billing/catalog.ts', `export { x } from './state/acts.ts';`],
    ['src/server/mail/a.ts', `const { x } = await import('../push/keys.ts');`],
    ['src/server/pours/a.ts', `import type { X } from '../context.ts';`],
    ['src/server/auth/sessions/b.ts', `export { x } from '../../context.ts';`],
    ['src/server/billing/a.ts', `export { x } from '../compose.ts';`],
    ['src/server/http/a.ts', `import '../main.ts';`],
    ['src/server/auth/a.ts', `import type { Context } from 'hono';`],
    ['src/server/api/a.ts', `import {\n  APIError,\n} from 'better-auth/api';`],
    ['src/server/billing/b.ts', `export { Gauge } from '@prometheus-io/client';`],
    ['src/web/format/a.ts', `export { x } from '../brand/crest.tsx';`],
    ['src/web/member/card/a.ts', `export { x } from '../../staff/scanner/x.ts';`],
    ['src/web/staff/pours/a.ts', `export { x } from '../../member/card/x.ts';`],
    ['src/web/ui/a.tsx', `export { x } from '../format/money.ts';`],
  ])('%s: %s', (path, code) => {
    expect(breaches(path, code)).toHaveLength(1);
  });

  test.each([
    ['src/server/http/a.ts', `export { Hono } from 'hono';\nexport { x } from '../context.ts';`],
    [
      'src/server/billing/upkeep/a.ts',
      `export { x } from '../acts/pause.ts';\nexport { y } from '../catalog.ts';`,
    ],
    ['src/server/billing/sync/a.ts', `export { default } from 'stripe';\nexport { x } from '../context.ts';`],
    [
      'src/server/auth/a.ts',
      `export { x } from '../db/client.ts';\nexport { y } from '../../domain/card.ts';`,
    ],
    ['src/web/staff/pours/a.ts', `export { x } from '../../account/sign-out-button.tsx';`],
  ])('one with it is not, in %s: %s', (path, code) => {
    expect(breaches(path, code)).toEqual([]);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Code that checks for a test run: NODE_ENV, or a variable set by test runners. */
const ASKS = [
  /node_?env\b['"]?\]?\)?\s*[!=]==?\s*['"`]test['"`]/i,
  /['"`]test['"`]\s*[!=]==?\s*[\w.]*node_?env/i,
  /NODE_ENV\b[^\n]{0,60}\[[^\]\n]*['"`]test['"`]/,
  /\benv(?:\.|\[['"])(?:TEST|VITEST|JEST_WORKER_ID)\b/,
  /\bimport\.meta\.(?:vitest|env\.MODE)\b/,
  /\bisTest\(\)/,
];
const asksForTest = (text: string) => ASKS.some((pattern) => pattern.test(text));

function files(folder: string, endings: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : files(path, endings);
    return endings.test(entry.name) ? [path] : [];
  });
}

const asking = (paths: string[]) =>
  paths.filter((path) => asksForTest(readFileSync(path, 'utf8'))).map((path) => path.slice(root.length + 1));

it.each([
  `if (process.env.NODE_ENV === 'test') skip();`,
  `const real = "test" != env.NODE_ENV;`,
  `NODE_ENV: optional(z.enum(['development', 'production', 'test']).default('development')),`,
  `if (env.TEST) skip();`,
  `if (process.env['VITEST']) skip();`,
  `const origin = isTest() ? true : false;`,
])('code that checks for a test run is found: %s', (line) => {
  expect(asksForTest(line)).toBe(true);
});

it('no code of ours behaves differently in a test run', () => {
  const ours = ['src', 'scripts', 'sandbox'].flatMap((folder) =>
    files(join(root, folder), /\.(ts|tsx|mjs)$/),
  );
  const configs = readdirSync(root).filter((name) => /^vite\..*\.ts$|^vite\.config\.ts$/.test(name));
  expect(asking([...ours, ...configs.map((name) => join(root, name))])).toEqual([]);
});

/**
 * Every file of the production packages that checks, and why it changes nothing here. Another one needs an option that
 * decides for it, like `disableOriginCheck` in src/server/auth/better-auth.ts.
 */
const LIBRARIES = {
  'better-auth/dist/context/create-context.mjs':
    'the origin check: disableOriginCheck is set. The length of the secret: config/env.ts checks it',
  '@better-auth/core/dist/env/env-impl.mjs': 'defines what the others ask',
  '@better-auth/core/dist/utils/ip.mjs': 'an IP for requests without one: http/app.ts gives each its own',
  '@better-auth/telemetry/dist/index.mjs': 'telemetry is off',
  '@better-auth/telemetry/dist/node.mjs': 'telemetry is off',
};

it('no library in production does either, unless an option of ours answers for it', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  const production = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(root, path)))
    .map(([path]) => path);
  expect(production).toContain('node_modules/better-auth');
  const found = production.flatMap((path) => asking(files(join(root, path), /\.(js|mjs|cjs)$/)));
  expect(found.map((path) => path.replace('node_modules/', '')).sort()).toEqual(
    Object.keys(LIBRARIES).sort(),
  );
});

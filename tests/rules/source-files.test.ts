import { existsSync, globSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const generated = /\/migrations\/|\/payments\/schema\//;
const sources = globSync('{src,sandbox,scripts,tests,bench,torture}/**/*.{ts,tsx,css}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !generated.test(file));

test('the checks find source files', () => {
  expect(existsSync(resolve(root, 'src'))).toBe(true);
  expect(sources.length).toBeGreaterThan(0);
});

test('no two files under src/server share a name, except index.ts', () => {
  const names = sources
    .filter((file) => file.startsWith('src/server/'))
    .map((file) => basename(file))
    .filter((name) => name !== 'index.ts');
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('src/server itself holds main, compose and context', () => {
  const top = sources.filter((file) => /^src\/server\/[^/]+$/.test(file)).map((file) => basename(file));
  expect(top.sort()).toEqual(['compose.ts', 'context.ts', 'main.ts']);
});

/** A module is imported under its file's name, so imports need no check. */
test('no file or folder has a catch-all name such as utils', () => {
  const names = /^(?:utils?|helpers?|misc|common)(?:\.|$)/i;
  const catchAll = (files: string[]) => files.filter((file) => file.split('/').some((it) => names.test(it)));
  const refused = [
    'src/server/utils.ts',
    'src/domain/common/money.ts',
    'src/web/ui/misc.tsx',
    'x/Helper.d.ts',
  ];
  expect(catchAll([...refused, 'src/domain/common-law.ts', 'src/web/utility.ts'])).toEqual(refused);
  expect(catchAll(sources)).toEqual([]);
});

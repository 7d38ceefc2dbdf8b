import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const generated = /routeTree\.gen\.ts$|\/migrations\/|\/payments\/schema\//;
const sources = globSync('{src,sandbox,scripts,tests,bench}/**/*.{ts,tsx,css}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !generated.test(file));

test('the checks find source files', () => {
  expect(existsSync(resolve(root, 'src'))).toBe(true);
  expect(sources.length).toBeGreaterThan(0);
});

test('no file in src has more than 300 lines', () => {
  const long = sources
    .filter((file) => file.startsWith('src/'))
    .map((file) => ({ file, lines: readFileSync(resolve(root, file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > 300);
  expect(long).toEqual([]);
});

test('no file or folder has a catch-all name such as utils', () => {
  const names = /^(?:utils?|helpers?|misc|common)(?:\.|$)/i;
  const catchAll = sources.filter((file) => file.split('/').some((part) => names.test(basename(part))));
  expect(catchAll).toEqual([]);
});

import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';
import { leastMs, longTexts } from '../support/texts/long-texts.ts';
import { checksOf, TEXT_FIELDS } from '../support/texts/text-fields.ts';

const root = resolve(import.meta.dirname, '../..');
/** Milliseconds for 8 KB: a linear pattern takes less than one, a quadratic one thirty. */
const LIMIT = 12;

const sourceFiles = (folders: string) =>
  globSync(`src/${folders}/**/*.ts`, { cwd: root }).map((file) => ({
    file: file.replaceAll('\\', '/'),
    source: readFileSync(resolve(root, file), 'utf8'),
  }));

/** The regular expressions that a file writes, each set to search the whole text. */
function patternsOf(source: string): RegExp[] {
  const patterns: RegExp[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex) patterns.push(new RegExp(regex.pattern, `g${regex.flags.replaceAll(/[gy]/g, '')}`));
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(source, { lang: 'ts' }));
  return patterns;
}

const texts = longTexts(8000);
const isSlow = (pattern: RegExp) =>
  texts.some((text) => leastMs(() => text.replace(pattern, ''), LIMIT) >= LIMIT);

it('the time of each pattern of the server grows with the length of the text, not with its square', {
  timeout: 120_000,
}, () => {
  const patterns = sourceFiles('{contract,domain,server}').flatMap(({ file, source }) =>
    patternsOf(source).map((pattern) => ({ file, pattern })),
  );
  expect(patterns.length).toBeGreaterThan(180);
  const slow = patterns.filter(({ pattern }) => isSlow(pattern));
  expect(slow.map(({ file, pattern }) => `${file}: ${pattern}`)).toEqual([]);
});

it('so does the time of each pattern that a text of a call has, also of those put together or from the library', () => {
  const patterns = TEXT_FIELDS.flatMap(({ schema }) => checksOf(schema)).flatMap((check) =>
    check.check === 'string_format' && check.pattern ? [check.pattern] : [],
  );
  const different = new Map(patterns.map((it) => [String(it), new RegExp(it.source, it.flags)]));
  expect(different.size).toBeGreaterThan(20);
  expect([...different].filter(([, pattern]) => isSlow(pattern)).map(([source]) => source)).toEqual([]);
});

it.each([
  [String.raw`const ends = /\s+$/;`],
  [String.raw`const email = /[^\s@]+@[^\s@]+/;`],
  [String.raw`const link = /(?<!@\S*)\w\.[a-z]{2}(?!\S*@)/;`],
])('it would name %s', (source) => {
  expect(patternsOf(source).map(isSlow)).toEqual([true]);
});

/** Schemas of requests that are not calls, such as a token request or a phone's registration, are written there. */
it('a text of a request begins with its length outside of the contract, too', () => {
  const unbounded = sourceFiles('server/{auth,http}').filter(({ source }) =>
    /\bz\.(?:string|email|url|uuid|iso|coerce|any|unknown)\b(?<!\.check\(z\.\w+)/.test(source),
  );
  expect(unbounded.map(({ file }) => file)).toEqual([]);
});

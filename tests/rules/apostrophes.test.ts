import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const COMMENTS = /(?<=^|\s|\{)\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const STRAIGHT = /[\p{L}\d}]'(?:s|t|re|ve|ll|d|m)\b.*/gu;

const straightIn = (source: string) =>
  [...source.replace(COMMENTS, '').matchAll(STRAIGHT)].map(([text]) => text);

test('texts on screens have curly apostrophes', () => {
  const source = [
    "// A member's pours.",
    "/** The club's\n * own words. */",
    'const text = "You\'re offline";',
    "<b>{name}'s membership</b>",
    "  We don't",
    "const fine = ['a', 's'].join('t') + '’s';",
  ];
  expect(straightIn(source.join('\n'))).toEqual(['u\'re offline";', "}'s membership</b>", "n't"]);

  const files = globSync('src/{web,domain}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.endsWith('.gen.ts'),
  );
  expect(files.length).toBeGreaterThan(0);
  expect(
    files.flatMap((file) =>
      straightIn(readFileSync(resolve(root, file), 'utf8')).map((text) => `${file}: ${text}`),
    ),
  ).toEqual([]);
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import subsetFont from 'subset-font';

// Makes the app's fonts from those of the packages: all their characters, in files that a browser loads as a page needs
// them, but only the weights that src/web/styles uses, and titles in one optical size. Run it when one of them changes:
// npx node scripts/assets/fonts.ts

const target = resolve(import.meta.dirname, '../../src/web/fonts');
const require = createRequire(import.meta.url);

const FACES = [
  { name: 'title', font: 'fraunces', axes: 'opsz', kept: { wght: 430, opsz: 30 } },
  { name: 'text', font: 'figtree', axes: 'wght', kept: { wght: { min: 400, max: 700 } } },
] as const;

/** What English text, prices and times need; every page loads it. As in src/web/styles/fonts.css. */
const ENGLISH =
  'U+0000-00A0, U+00A3, U+00B7, U+00D7, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD';

/** The characters of a CSS unicode-range. */
function charactersOf(range: string): string {
  const texts = range.split(',').map((part) => {
    const [from = 0, to = from] = part
      .trim()
      .slice(2)
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('');
  });
  return texts.join('');
}

mkdirSync(target, { recursive: true });
for (const { name, font, axes, kept } of FACES) {
  const folder = join(require.resolve(`@fontsource-variable/${font}/package.json`), '..');
  const ranges: Record<string, string> = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8'));
  const english = new Set(charactersOf(ENGLISH));
  const latin = charactersOf(ranges.latin ?? '');
  const files = [
    { script: 'latin', file: 'english', characters: [...english].join('') },
    { script: 'latin', file: 'latin', characters: [...latin].filter((it) => !english.has(it)).join('') },
    { script: 'latin-ext', file: 'latin-ext', characters: charactersOf(ranges['latin-ext'] ?? '') },
  ];
  for (const { script, file, characters } of files) {
    const source = readFileSync(join(folder, `files/${font}-${script}-${axes}-normal.woff2`));
    const made = await subsetFont(source, characters, { targetFormat: 'woff2', variationAxes: kept });
    writeFileSync(join(target, `${name}-${file}.woff2`), made);
    console.log(`${name}-${file}.woff2: ${made.length} bytes`);
  }
}

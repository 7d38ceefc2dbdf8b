import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import subsetFont from 'subset-font';

// Makes the app's fonts from the fonts of the packages: each file with the characters listed in src/web/styles/fonts.css,
// only the weights that src/web/styles uses, and titles in one optical size. Run it when one of them changes:
//
//     npx node scripts/assets/fonts.ts

const target = resolve(import.meta.dirname, '../../src/web/fonts');
const require = createRequire(import.meta.url);

const FACES = [
  { name: 'title', font: 'fraunces', axes: 'opsz', kept: { wght: 430, opsz: 30 } },
  { name: 'text', font: 'figtree', axes: 'wght', kept: { wght: { min: 400, max: 700 } } },
] as const;

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

function rangesIn(css: string): Map<string, string> {
  const faces = css.matchAll(/fonts\/([\w-]+)\.woff2[^}]*?unicode-range:\s*([^;]+);/g);
  return new Map([...faces].map(([, file = '', range = '']) => [file, range]));
}

mkdirSync(target, { recursive: true });
const ranges = rangesIn(readFileSync(join(target, '../styles/fonts.css'), 'utf8'));
for (const [file, range] of ranges) {
  const face = FACES.find(({ name }) => file.startsWith(`${name}-`));
  if (!face) throw new Error(`src/web/styles/fonts.css names ${file}, which is cut from no font`);
  const { font, axes, kept } = face;
  const folder = join(require.resolve(`@fontsource-variable/${font}/package.json`), '..');
  const script = file.endsWith('-latin-ext') ? 'latin-ext' : 'latin';
  const source = readFileSync(join(folder, `files/${font}-${script}-${axes}-normal.woff2`));
  const subset = await subsetFont(source, charactersOf(range), {
    targetFormat: 'woff2',
    variationAxes: kept,
  });
  writeFileSync(join(target, `${file}.woff2`), subset);
  console.log(`${file}.woff2: ${subset.length} bytes`);
}

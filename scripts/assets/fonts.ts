import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import subsetFont from 'subset-font';

// Makes the app's fonts from the packages': all their characters, but only the weights and optical sizes that
// src/web/styles uses. Run it when one of them changes: node scripts/assets/fonts.ts

const target = resolve(import.meta.dirname, '../../src/web/fonts');
const require = createRequire(import.meta.url);

const FACES = [
  { name: 'title', font: 'fraunces', axes: 'opsz', kept: { wght: 430, opsz: { min: 14, max: 72 } } },
  { name: 'text', font: 'figtree', axes: 'wght', kept: { wght: { min: 400, max: 700 } } },
] as const;

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
  for (const script of ['latin', 'latin-ext']) {
    const source = readFileSync(join(folder, `files/${font}-${script}-${axes}-normal.woff2`));
    const made = await subsetFont(source, charactersOf(ranges[script] ?? ''), {
      targetFormat: 'woff2',
      variationAxes: kept,
    });
    writeFileSync(join(target, `${name}-${script}.woff2`), made);
    console.log(`${name}-${script}.woff2: ${made.length} bytes, of ${source.length}`);
  }
}

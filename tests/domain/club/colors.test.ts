import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  accentStylesheet,
  accentTokens,
  COLOR,
  colorProblem,
  contrast,
  DRAWING_CONTRAST,
  leastContrast,
  luminance,
  nearestReadable,
  type Scheme,
  SURROUNDINGS,
  TEXT_CONTRAST,
} from '../../../src/domain/club/colors.ts';

const SCHEMES = ['light', 'dark'] as const;
const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((it) => `#${it.toString(16).padStart(6, '0')}`);

describe('contrast is WCAG’s', () => {
  // Known pairs: those of WCAG's own techniques and of its definition.
  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#0000ff', '#ffffff', 8.59],
    ['#ff0000', '#ffffff', 4],
  ])('of %s and %s: %f', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 1);
    expect(contrast(other, one)).toBe(contrast(one, other));
  });

  test('luminance goes from black to white', () => {
    expect(luminance('#000000')).toBe(0);
    expect(luminance('#ffffff')).toBeCloseTo(1, 10);
  });
});

test('the backgrounds used for contrast are those of the web app', () => {
  const css = readFileSync(resolve(import.meta.dirname, '../../../src/web/styles/tokens.css'), 'utf8');
  for (const [index, scheme] of SCHEMES.entries()) {
    for (const [name, color] of Object.entries(SURROUNDINGS[scheme])) {
      const pair = new RegExp(`--color-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(css);
      expect([name, pair?.[index + 1]]).toEqual([name, color]);
    }
  }
});

test.each([
  ['#6b182c', null],
  ['#1f4e5f', null],
  ['#000000', null],
  ['#ff0000', 'darker'],
  ['#d4af37', 'darker'],
  ['#ffffff', 'darker'],
])('%s as the club’s color: %s', (color, wrong) => {
  const problem = colorProblem(color);
  expect(problem ? 'darker' : null).toBe(wrong);
  if (!problem) return;
  expect(problem.contrast).toBeLessThan(TEXT_CONTRAST);
  expect(luminance(problem.nearest)).toBeLessThan(luminance(color));
});

it('offers the nearest that passes: one step lighter would not', () => {
  fc.assert(
    fc.property(anyColor, (color) => {
      const offered = nearestReadable(color);
      expect(offered).toMatch(COLOR);
      expect(colorProblem(offered)).toBeNull();
      if (offered === color) return;
      expect(leastContrast(offered)).toBeLessThan(TEXT_CONTRAST + 0.35);
    }),
  );
});

const papers = (scheme: Scheme) => {
  const { background, surface, 'surface-raised': raised, 'surface-sunken': sunken } = SURROUNDINGS[scheme];
  return [background, surface, raised, sunken];
};

it('whatever color passes, everything derived from it is readable, light and dark', () => {
  fc.assert(
    fc.property(anyColor, (chosen) => {
      const color = nearestReadable(chosen);
      for (const scheme of SCHEMES) {
        const made = accentTokens(scheme, color);
        const { ink, 'ink-muted': muted } = SURROUNDINGS[scheme];
        const texts: [string, string][] = [
          ...papers(scheme).map((paper): [string, string] => [made['accent-text'], paper]),
          [made['accent-ink'], made.accent],
          [made['accent-ink'], made['accent-hover']],
          ...[made['accent-text'], ink, muted].map((text): [string, string] => [text, made['accent-soft']]),
        ];
        for (const [text, paper] of texts) {
          expect([scheme, color, contrast(text, paper) >= TEXT_CONTRAST]).toEqual([scheme, color, true]);
        }
        for (const paper of papers(scheme)) {
          expect(contrast(made.wine, paper)).toBeGreaterThanOrEqual(DRAWING_CONTRAST);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('the stylesheet has both schemes of each token, and nothing else', () => {
  const css = accentStylesheet('#1f4e5f');
  expect(css).toMatch(
    /^@supports \(color:light-dark\(#000,#fff\)\)\{:root\{(--color-[a-z-]+:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\);?){6}\}\}\n$/,
  );
  expect(css).toContain('--color-accent:light-dark(#1f4e5f,');
});

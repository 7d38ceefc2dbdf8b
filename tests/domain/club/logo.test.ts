import { describe, expect, it, test } from 'vitest';
import { isWordmark, logoStylesheet, plateIn, plateOf } from '../../../src/domain/club/logo.ts';

// docs/rules/club.md, "Logo".

type Pixel = [red: number, green: number, blue: number, alpha: number];
const CLEAR: Pixel = [0, 0, 0, 0];
const INK: Pixel = [30, 20, 18, 255];
const WHITE: Pixel = [255, 255, 255, 255];
const GOLD: Pixel = [184, 134, 50, 255];
const of = (...parts: [count: number, pixel: Pixel][]) =>
  Uint8Array.from(parts.flatMap(([count, pixel]) => Array.from({ length: count }, () => pixel).flat()));

describe('the plate of a logo', () => {
  it.each([
    ['dark on clear: light', of([60, CLEAR], [40, INK]), 'light'],
    ['white on clear: dark', of([60, CLEAR], [40, WHITE]), 'dark'],
    ['dark with a little gold: light', of([60, CLEAR], [30, INK], [10, GOLD]), 'light'],
    ['gold on clear, which is seen on both: none', of([60, CLEAR], [40, GOLD]), null],
    ['with a background of its own: none', of([60, WHITE], [40, INK]), null],
    ['clear at the corners only: none', of([1, CLEAR], [99, INK]), null],
    ['nothing at all: none', of([100, CLEAR]), null],
  ])('%s', (_, pixels, plate) => {
    expect(plateOf(pixels)).toBe(plate);
  });

  it('is the same for a large picture, of which not every pixel is checked', () => {
    expect(plateOf(of([60_000, CLEAR], [40_000, INK]))).toBe('light');
  });

  it('is shown where the background is of the other scheme', () => {
    expect(plateIn('light', { plate: 'light' })).toBe('transparent');
    expect(plateIn('dark', { plate: 'light' })).toBe('#f6f0e4');
    expect(plateIn('light', { plate: 'dark' })).toBe('#171110');
    expect(plateIn('dark', { plate: null })).toBe('transparent');
  });
});

test('a logo at least twice as wide as high is assumed to contain the name', () => {
  expect(isWordmark({ width: 400, height: 200 })).toBe(true);
  expect(isWordmark({ width: 399, height: 200 })).toBe(false);
});

describe('the stylesheet', () => {
  const logo = { version: 'v1', width: 600, height: 150, plate: null } as const;

  it('reserves the logo’s space before it loads, and requests it by its version', () => {
    const css = logoStylesheet(logo);
    expect(css).toContain('aspect-ratio:600/150');
    expect(css).toContain('url("/club-logo.png?v=v1")');
    expect(css).not.toContain('--plate');
  });

  it('draws the plate behind it in the other scheme, and always on a tier’s card', () => {
    const css = logoStylesheet({ ...logo, plate: 'light' });
    expect(css).toContain('--plate:light-dark(transparent,#f6f0e4)');
    expect(css).toContain('.crest.on-tier{--plate:#f6f0e4;');
  });

  it('hides the name beside a wordmark visually, but not from screen readers', () => {
    expect(logoStylesheet(logo)).toMatch(/\.nav-brand,\.side-brand\) \.crest\+span\{.*clip-path/);
    expect(logoStylesheet({ ...logo, width: 200, height: 200 })).not.toContain('.nav-brand');
  });
});

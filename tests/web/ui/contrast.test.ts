import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const css = readFileSync(resolve(import.meta.dirname, '../../../src/web/styles/tokens.css'), 'utf8');

type Scheme = 'light' | 'dark';

/** The value of a color token: one for both schemes, or light-dark(light, dark). */
function colour(token: string, scheme: Scheme): string {
  const both = new RegExp(`--color-${token}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(css);
  const one = new RegExp(`--color-${token}: (#\\w{6});`).exec(css);
  const value = both ? both[scheme === 'light' ? 1 : 2] : one?.[1];
  if (!value) throw new Error(`No colour token ${token}`);
  return value;
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string, scheme: Scheme): number {
  const [darker, lighter] = [colour(one, scheme), colour(other, scheme)].map(luminance).sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

const papers = ['background', 'surface', 'surface-raised', 'surface-sunken'];
const tiers = ['select', 'premier', 'elite', 'household'];

const texts: [text: string, paper: string][] = [
  ...['ink', 'ink-muted', 'accent-text', 'brass-text', 'positive', 'warning', 'danger'].flatMap((text) =>
    papers.map((paper): [string, string] => [text, paper]),
  ),
  ['accent-ink', 'accent'],
  ['accent-ink', 'accent-hover'],
  ['fill-ink', 'positive-fill'],
  ['fill-ink', 'danger-fill'],
  ['accent-text', 'accent-soft'],
  ...['brass', 'positive', 'warning', 'danger'].map((tone): [string, string] => [
    tone === 'brass' ? 'brass-text' : tone,
    `${tone}-soft`,
  ]),
  ...['neutral', 'accent', 'brass', 'positive', 'warning', 'danger'].flatMap((tone): [string, string][] => [
    ['ink', `${tone}-soft`],
    ['ink-muted', `${tone}-soft`],
  ]),
  ...tiers.map((tier): [string, string] => [`${tier}-ink`, tier]),
];

const drawings: [drawing: string, paper: string][] = [
  ...['line-strong', 'wine', 'brass', 'focus'].flatMap((drawing) =>
    ['background', 'surface', 'surface-raised'].map((paper): [string, string] => [drawing, paper]),
  ),
  ...tiers.map((tier): [string, string] => [`${tier}-line`, tier]),
];

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  test.each(texts)('text %s is readable on %s', (text, paper) => {
    expect(contrast(text, paper, scheme)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(drawings)('%s is visible on %s', (drawing, paper) => {
    expect(contrast(drawing, paper, scheme)).toBeGreaterThanOrEqual(3);
  });
});

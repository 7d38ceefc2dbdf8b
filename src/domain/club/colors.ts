/**
 * The club's color, and everything derived from it: docs/rules/club.md, "Color". Colors are '#rrggbb'. The club
 * chooses one, as seen on parchment; the dark scheme is derived from it, so that text is readable in both.
 */

/** The backgrounds and foregrounds of the color, as in src/web/styles/tokens.css: tests/domain/club/colors.test.ts. */
export const SURROUNDINGS = {
  light: {
    background: '#f6f0e4',
    surface: '#fcf8f0',
    'surface-raised': '#fffdf9',
    'surface-sunken': '#ede4d3',
    ink: '#2b1d1a',
    'ink-muted': '#68564d',
    'accent-ink': '#fdf5ea',
  },
  dark: {
    background: '#171110',
    surface: '#201817',
    'surface-raised': '#2a201e',
    'surface-sunken': '#100b0a',
    ink: '#f4eadc',
    'ink-muted': '#bcab9b',
    'accent-ink': '#fff4ec',
  },
} as const;
export type Scheme = keyof typeof SURROUNDINGS;

/** WCAG 2.2 AA contrast: for text on its background, and for graphics. */
export const TEXT_CONTRAST = 4.5;
export const DRAWING_CONTRAST = 3;

export const COLOR = /^#[0-9a-f]{6}$/;

type Channels = readonly [red: number, green: number, blue: number];

const channelsOf = (color: string): Channels =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)) as unknown as Channels;
const colorOf = (channels: readonly number[]) =>
  `#${channels.map((it) => Math.round(it).toString(16).padStart(2, '0')).join('')}`;

/** Relative luminance as WCAG 2.2 defines it, 0 to 1. */
export function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((it) => {
    const share = it / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colors by WCAG 2.2: 1 to 21, in either order. */
export function contrast(color: string, other: string): number {
  const [a, b] = [luminance(color), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Mixes a share of `other` into `color`: 0 for none, 1 for all. */
function mixed(color: string, other: string, share: number): string {
  const [from, to] = [channelsOf(color), channelsOf(other)];
  return colorOf(from.map((it, at) => it + ((to[at] ?? it) - it) * share));
}

const STEPS = 256;

/** Mixes in the smallest share of `target` with which the color passes; all of it if none does. */
function nearest(color: string, target: string, passes: (color: string) => boolean): string {
  for (let step = 0; step < STEPS; step++) {
    const candidate = mixed(color, target, step / STEPS);
    if (passes(candidate)) return candidate;
  }
  return target;
}

const readsOn = (text: string, papers: readonly string[]) =>
  papers.every((paper) => contrast(text, paper) >= TEXT_CONTRAST);

/** The colors derived from the club's color in one scheme, named like the tokens. */
export interface AccentTokens {
  accent: string;
  'accent-hover': string;
  'accent-ink': string;
  'accent-text': string;
  wine: string;
  'accent-soft': string;
}

const papersOf = (scheme: Scheme) => {
  const { background, surface, 'surface-raised': raised, 'surface-sunken': sunken } = SURROUNDINGS[scheme];
  return [background, surface, raised, sunken];
};

/** A tint for panels on which ink, quieter ink and text in the club's color are readable. */
function softOf(scheme: Scheme, accent: string, text: string): string {
  const { surface, ink, 'ink-muted': muted } = SURROUNDINGS[scheme];
  const passes = (soft: string) => [ink, muted, text].every((it) => readsOn(it, [soft]));
  return nearest(mixed(surface, accent, scheme === 'light' ? 0.12 : 0.25), surface, passes);
}

function lightTokens(accent: string): AccentTokens {
  return {
    accent,
    'accent-hover': mixed(accent, '#000000', 0.2),
    'accent-ink': SURROUNDINGS.light['accent-ink'],
    'accent-text': accent,
    wine: accent,
    'accent-soft': softOf('light', accent, accent),
  };
}

/** The same hue for dark paper: as deep as the button's text needs, and as light as text and graphics need. */
function darkTokens(color: string): AccentTokens {
  const papers = papersOf('dark');
  const ink = SURROUNDINGS.dark['accent-ink'];
  const hoverOf = (fill: string) => mixed(fill, '#ffffff', 0.08);
  // A color close to black would make an invisible button on black.
  const seen = nearest(color, '#ffffff', (it) => contrast(it, SURROUNDINGS.dark.surface) >= 1.6);
  const accent = nearest(seen, '#000000', (it) => readsOn(ink, [it, hoverOf(it)]));
  const text = nearest(color, '#ffffff', (it) => readsOn(it, papers));
  return {
    accent,
    'accent-hover': hoverOf(accent),
    'accent-ink': ink,
    'accent-text': text,
    wine: nearest(color, '#ffffff', (it) => papers.every((paper) => contrast(it, paper) >= DRAWING_CONTRAST)),
    'accent-soft': softOf('dark', accent, text),
  };
}

export const accentTokens = (scheme: Scheme, color: string): AccentTokens =>
  scheme === 'light' ? lightTokens(color) : darkTokens(color);

/** The requirements on parchment: readable as text on every paper, and behind a button's text. */
const passesLight = (color: string) =>
  readsOn(color, [...papersOf('light'), SURROUNDINGS.light['accent-ink']]);

/** The color's lowest contrast with the papers and the button's text, which should reach TEXT_CONTRAST. */
export function leastContrast(color: string): number {
  const backgrounds = [...papersOf('light'), SURROUNDINGS.light['accent-ink']];
  return Math.min(...backgrounds.map((other) => contrast(color, other)));
}

/** The color itself if it is readable, otherwise the nearest darker one that is. */
export const nearestReadable = (color: string): string => nearest(color, '#000000', passesLight);

/** The contrast of an unreadable color and the nearest readable one; null if the color is fine. */
export function colorProblem(color: string): { contrast: number; nearest: string } | null {
  if (passesLight(color)) return null;
  return { contrast: leastContrast(color), nearest: nearestReadable(color) };
}

/** The problem in words; null if the color is fine. */
export function colorText(color: string): string | null {
  const problem = colorProblem(color);
  return (
    problem &&
    `${color} is too hard to read: its contrast is ${problem.contrast.toFixed(1)}, and text needs ${TEXT_CONTRAST}. The nearest color that works is ${problem.nearest}.`
  );
}

/** The stylesheet that replaces the product's color with the club's. Browsers without light-dark() keep the product's. */
export function accentStylesheet(color: string): string {
  const [light, dark] = [accentTokens('light', color), accentTokens('dark', color)];
  const names = Object.keys(light) as (keyof AccentTokens)[];
  const rules = names.map((name) => `--color-${name}:light-dark(${light[name]},${dark[name]})`);
  return `@supports (color:light-dark(#000,#fff)){:root{${rules.join(';')}}}\n`;
}

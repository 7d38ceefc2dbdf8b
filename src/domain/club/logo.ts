import type { PictureShape } from '../picture.ts';
import { contrast, type Scheme, SURROUNDINGS } from './colors.ts';

/** The club's logo: docs/rules/club.md, "Logo". */

/** PNG, because some mail programs and all wallets cannot show WebP. Three times as large as on most pages. */
export const LOGO_SHAPE: PictureShape = { width: 600, height: 200, fit: 'inside', format: 'png' };

/** The stored data about a logo besides its pixels. Sizes in pixels. */
export interface LogoFacts {
  version: string;
  width: number;
  height: number;
  /** The background plate that the logo needs; null if it is visible on any paper or has its own background. */
  plate: Scheme | null;
}

/** The public path of the logo. Any version in the URL returns the current logo. */
export const LOGO_PATH = '/club-logo.png';
/** The path of the logo on its plate, for emails and passes, which cannot draw a plate. */
export const PLATED_LOGO_PATH = '/club-logo-plate.png';

/** A logo at least this wide is assumed to contain the club's name, so the name is not shown beside it. */
const WORDMARK = 2;
export const isWordmark = ({ width, height }: Pick<LogoFacts, 'width' | 'height'>): boolean =>
  width >= WORDMARK * height;

export const plateColor = (scheme: Scheme): string => SURROUNDINGS[scheme].background;

const LOOKED_AT = 4000;
/** The share of transparent pixels from which a picture has no background of its own. */
const CLEAR = 0.02;
/** A pixel stands out from paper with this contrast; a logo does when this share of its pixels does. */
const VISIBLE_CONTRAST = 1.8;
const MOST = 0.9;

/** The plate that a picture needs behind it, from its RGBA pixels: see LogoFacts. */
export function plateOf(pixels: Uint8Array | Uint8ClampedArray): Scheme | null {
  const count = pixels.length / 4;
  const step = Math.max(1, Math.ceil(count / LOOKED_AT));
  const counts = { light: 0, dark: 0 };
  let [clearCount, drawnCount] = [0, 0];
  for (let at = 0; at < count; at += step) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at * 4, at * 4 + 4);
    if (alpha < 128) {
      clearCount += 1;
      continue;
    }
    drawnCount += 1;
    const color = `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`;
    if (contrast(color, plateColor('light')) >= VISIBLE_CONTRAST) counts.light += 1;
    if (contrast(color, plateColor('dark')) >= VISIBLE_CONTRAST) counts.dark += 1;
  }
  if (drawnCount === 0 || clearCount / (clearCount + drawnCount) < CLEAR) return null;
  if (counts.light >= MOST * drawnCount && counts.dark >= MOST * drawnCount) return null;
  return counts.light >= counts.dark ? 'light' : 'dark';
}

export const plateIn = (scheme: Scheme, { plate }: Pick<LogoFacts, 'plate'>): string =>
  plate === null || plate === scheme ? 'transparent' : plateColor(plate);

/** The margin of a plate around its logo: on a page, and in pixels of LOGO_SHAPE. */
export const PLATE_EDGE = '5px';
export const PLATE_EDGE_PIXELS = 20;

const HIDDEN =
  'position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap';

/** Shows the logo instead of the crest, at its height, with the width known before the picture has loaded. */
export function logoStylesheet(logo: LogoFacts): string {
  const { version, width, height, plate } = logo;
  const rules = [
    `.crest{aspect-ratio:${width}/${height};max-width:100%;border-radius:3px;background:url("${LOGO_PATH}?v=${version}") center/contain no-repeat;-webkit-print-color-adjust:exact;print-color-adjust:exact}`,
    '.crest>*{display:none}',
    // A club without a logo shows nothing in its place.
    '.crest.only-logo{display:block}',
  ];
  if (isWordmark(logo)) rules.push(`:is(.nav-brand,.side-brand) .crest+span{${HIDDEN}}`);
  if (plate) {
    const background = `light-dark(${plateIn('light', logo)},${plateIn('dark', logo)})`;
    rules.push(
      `.crest{--plate:${background};background-color:var(--plate);box-shadow:0 0 0 ${PLATE_EDGE} var(--plate)}`,
      // A card has the color of its tier, in both schemes.
      `.crest.on-tier{--plate:${plateColor(plate)};margin:${PLATE_EDGE}}`,
    );
  }
  return rules.join('\n');
}

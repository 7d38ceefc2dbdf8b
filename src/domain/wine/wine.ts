/** Wines, open bottles and the glasses left in them: docs/rules/wines.md, "Wines". */

export const WINE_COLORS = ['red', 'white', 'rose', 'orange', 'sparkling', 'fortified'] as const;
export type WineColor = (typeof WINE_COLORS)[number];

export const WINE_COLOR_LABELS: Record<WineColor, string> = {
  red: 'Red',
  white: 'White',
  rose: 'Rosé',
  orange: 'Orange',
  sparkling: 'Sparkling',
  fortified: 'Fortified',
};

/** The traits of a wine, from 1 (little) to 5 (much). */
export const WINE_TRAITS = ['sweetness', 'body', 'tannin', 'acidity'] as const;
export type WineTrait = (typeof WINE_TRAITS)[number];
export const TRAIT_MIN = 1;
export const TRAIT_MAX = 5;

export const TRAIT_WORDS: Record<WineTrait, readonly [string, string, string, string, string]> = {
  sweetness: ['Dry', 'Off-dry', 'Medium', 'Sweet', 'Very sweet'],
  body: ['Light', 'Medium light', 'Medium', 'Medium full', 'Full'],
  tannin: ['None', 'Soft', 'Medium', 'Firm', 'Grippy'],
  acidity: ['Soft', 'Mild', 'Fresh', 'Crisp', 'Racy'],
};

/** How a wine of that color usually tastes, with which the form begins. */
export const USUAL_TASTE: Record<WineColor, Record<WineTrait, number>> = {
  red: { sweetness: 1, body: 4, tannin: 3, acidity: 3 },
  white: { sweetness: 1, body: 2, tannin: 1, acidity: 4 },
  rose: { sweetness: 1, body: 2, tannin: 1, acidity: 3 },
  orange: { sweetness: 1, body: 3, tannin: 3, acidity: 3 },
  sparkling: { sweetness: 1, body: 2, tannin: 1, acidity: 5 },
  fortified: { sweetness: 4, body: 5, tannin: 2, acidity: 3 },
};

/** open: exactly one bottle is open. coming: not yet at the bar. gone: no longer. */
export const WINE_STATES = ['open', 'coming', 'gone'] as const;
export type WineState = (typeof WINE_STATES)[number];

export const MAX_WINES = 500;
export const MAX_WINE_NAME = 120;
export const MAX_WINE_WORD = 80;
export const MAX_WINE_NOTES = 600;
export const MAX_GLASSES_A_BOTTLE = 40;
/** Glasses of 12.5 cl from a bottle of 75 cl. */
export const USUAL_GLASSES_A_BOTTLE = 6;
export const MIN_VINTAGE = 1900;
export const MAX_VINTAGE = 2100;
export const MAX_COST_CENTS = 10_000_000;

/** 'Barolo Bussia 2018'; a wine without a vintage is its name. */
export function wineTitle({ name, vintage }: { name: string; vintage: number | null }): string {
  return vintage === null ? name : `${name} ${vintage}`;
}

/** A key that is equal for the same wine: name, producer and vintage, regardless of spelling variants. */
export function wineKey(wine: { name: string; producer: string; vintage: number | null }): string {
  const plain = (text: string) => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
  return JSON.stringify([plain(wine.name), plain(wine.producer), wine.vintage]);
}

export interface BottlePour {
  quantity: number;
  voided: boolean;
}

/** What is left of a bottle of `capacity` glasses. Negative if more was poured: no bottle makes a pour refused. */
export function glassesLeft(capacity: number, pours: readonly BottlePour[]): number {
  return pours.reduce(
    (remaining, { quantity, voided }) => (voided ? remaining : remaining - quantity),
    capacity,
  );
}

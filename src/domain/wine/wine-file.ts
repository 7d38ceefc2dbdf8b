import { readCell } from '../imports/import-values.ts';
import { parseAmount, toMajorUnits } from '../money.ts';
import {
  MAX_COST_CENTS,
  MAX_GLASSES_A_BOTTLE,
  MAX_VINTAGE,
  MAX_WINE_NAME,
  MAX_WINE_NOTES,
  MAX_WINE_WORD,
  MIN_VINTAGE,
  TRAIT_MAX,
  TRAIT_MIN,
  TRAIT_WORDS,
  USUAL_GLASSES_A_BOTTLE,
  WINE_COLOR_LABELS,
  WINE_COLORS,
  WINE_TRAITS,
  type WineColor,
  type WineTrait,
  wineKey,
} from './wine.ts';

// docs/rules/wines.md, "Wines". The same columns are written and read.

export const WINE_COLUMNS = {
  name: 'Name',
  producer: 'Producer',
  region: 'Region',
  country: 'Country',
  grape: 'Grape',
  vintage: 'Vintage',
  color: 'Color',
  sweetness: 'Sweetness',
  body: 'Body',
  tannin: 'Tannin',
  acidity: 'Acidity',
  notes: 'Notes',
  glasses_per_bottle: 'Glasses per bottle',
  cost: 'Cost per bottle',
} as const;
type WineColumn = keyof typeof WINE_COLUMNS;
const COLUMNS = Object.keys(WINE_COLUMNS) as WineColumn[];
const NEEDED: WineColumn[] = ['name', 'color', ...WINE_TRAITS];

/** A wine in a row of a file; missing values are empty texts or null. */
export interface WineOfFile extends Record<WineTrait, number> {
  name: string;
  producer: string;
  region: string;
  country: string;
  grape: string;
  vintage: number | null;
  color: WineColor;
  notes: string;
  glasses_per_bottle: number;
  /** In the currency's smallest unit. */
  cost_cents?: number | null;
}

/** A row of a file, with its problem in words, if any. `row_no` counts from 1, without the header. */
export type WineRow = { row_no: number; name: string } & (
  | { wine: WineOfFile; problems: [] }
  | { wine: null; problems: string[] }
);

const key = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The position of each column; missing ones are left out. */
function placesOf(columns: readonly string[]): Partial<Record<WineColumn, number>> {
  const keys = columns.map(key);
  return Object.fromEntries(
    COLUMNS.flatMap((column) => {
      const at = keys.indexOf(key(WINE_COLUMNS[column]));
      return at < 0 ? [] : [[column, at]];
    }),
  );
}

/** The reason a file is not a list of wines, in words; null if it is one. */
export function wineFileProblem(columns: readonly string[]): string | null {
  const places = placesOf(columns);
  const missingNames = NEEDED.filter((column) => places[column] === undefined).map((it) => WINE_COLUMNS[it]);
  if (missingNames.length === 0) return null;
  return `The first row has no ${missingNames.map((it) => `“${it}”`).join(', ')}. Download the list to see the columns.`;
}

/** Reads the rows of a file. A wine already listed, or in an earlier row, is a problem of its row. */
export function readWineRows(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  wines: readonly { name: string; producer: string; vintage: number | null }[],
  currency: string,
): WineRow[] {
  const places = placesOf(columns);
  const keys = new Set(wines.map(wineKey));
  const earlierKeys = new Set<string>();
  return rows.map((cells, index) => {
    const text = (column: WineColumn) => readCell(cells[places[column] ?? -1] ?? '').trim();
    const problems: string[] = [];
    if (cells.length > columns.length) {
      problems.push(
        'It has more cells than column names. A text with a comma needs quotation marks around it.',
      );
    }
    const wine = readWine(text, currency, problems);
    const key = wineKey(wine);
    if (wine.name && keys.has(key))
      problems.push('It’s already on the list, with the same name, producer and vintage.');
    else if (wine.name && earlierKeys.has(key)) problems.push('An earlier row has the same wine.');
    earlierKeys.add(key);
    const row = { row_no: index + 1, name: wine.name };
    return problems.length === 0 ? { ...row, wine, problems: [] } : { ...row, wine: null, problems };
  });
}

function readWine(text: (column: WineColumn) => string, currency: string, problems: string[]): WineOfFile {
  const short = (column: WineColumn, max: number) => {
    const value = text(column);
    if (value.length > max) problems.push(`${WINE_COLUMNS[column]} can have at most ${max} characters.`);
    return value;
  };
  const whole = (column: WineColumn, min: number, max: number, fallback: number | null) => {
    const value = text(column);
    if (value === '') return fallback;
    const number = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    problems.push(`${WINE_COLUMNS[column]} must be a whole number from ${min} to ${max}.`);
    return null;
  };
  const name = short('name', MAX_WINE_NAME);
  if (name === '') problems.push('The name is missing.');
  const color = colorOf(text('color'));
  if (!color) {
    problems.push(`Color must be one of: ${WINE_COLORS.map((it) => WINE_COLOR_LABELS[it]).join(', ')}.`);
  }
  const cost = text('cost');
  const cost_cents = cost === '' ? null : parseAmount(cost, currency);
  if (cost !== '' && (cost_cents === null || cost_cents > MAX_COST_CENTS)) {
    problems.push('Cost per bottle must be an amount such as 24 or 24.50.');
  }
  const traits = Object.fromEntries(
    WINE_TRAITS.map((trait) => {
      const step = stepOf(trait, text(trait));
      if (step === null) {
        problems.push(
          `${WINE_COLUMNS[trait]} must be ${TRAIT_MIN} to ${TRAIT_MAX}, or one of: ${TRAIT_WORDS[trait].join(', ')}.`,
        );
      }
      return [trait, step ?? TRAIT_MIN];
    }),
  ) as Record<WineTrait, number>;
  return {
    name,
    producer: short('producer', MAX_WINE_NAME),
    region: short('region', MAX_WINE_WORD),
    country: short('country', MAX_WINE_WORD),
    grape: short('grape', MAX_WINE_NAME),
    vintage: whole('vintage', MIN_VINTAGE, MAX_VINTAGE, null),
    color: color ?? 'red',
    ...traits,
    notes: short('notes', MAX_WINE_NOTES),
    glasses_per_bottle:
      whole('glasses_per_bottle', 1, MAX_GLASSES_A_BOTTLE, USUAL_GLASSES_A_BOTTLE) ?? USUAL_GLASSES_A_BOTTLE,
    cost_cents,
  };
}

const colorOf = (text: string): WineColor | undefined =>
  WINE_COLORS.find((it) => it === text.toLowerCase() || key(WINE_COLOR_LABELS[it]) === key(text));

function stepOf(trait: WineTrait, text: string): number | null {
  if (/^[1-5]$/.test(text)) return Number(text);
  const at = TRAIT_WORDS[trait].findIndex((word) => key(word) === key(text));
  return at < 0 ? null : at + TRAIT_MIN;
}

/** The list as rows of a file: the header, then a row for each wine. */
export function writeWineRows(wines: readonly WineOfFile[], currency: string): (string | number)[][] {
  const rows = wines.map((wine) =>
    COLUMNS.map((column) => {
      if (column === 'color') return WINE_COLOR_LABELS[wine.color];
      if (column === 'cost')
        return typeof wine.cost_cents !== 'number' ? '' : toMajorUnits(wine.cost_cents, currency);
      return wine[column] ?? '';
    }),
  );
  return [Object.values(WINE_COLUMNS), ...rows];
}

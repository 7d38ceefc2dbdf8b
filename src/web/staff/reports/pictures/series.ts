/** One series of a chart. `key` is the name of its value in each point. */
export interface Series {
  key: string;
  label: string;
  /** A color of tokens.css. */
  color: string;
}

/** A point of a chart: its label, and a value for each series. */
export interface Point {
  name: string;
  [key: string]: string | number;
}

/** The colors differ in lightness as well as in hue, for every kind of color vision, and for print. */
const COLORS = [1, 2, 3, 4, 5, 6].map((number) => `var(--color-chart-${number})`);

export const colorOf = (place: number): string => COLORS[place % COLORS.length] ?? 'var(--color-chart-1)';

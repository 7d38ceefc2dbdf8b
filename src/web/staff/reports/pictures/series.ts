/** One color of a picture. `key` finds its value in each point. */
export interface Series {
  key: string;
  label: string;
  /** A color of tokens.css. */
  color: string;
}

/** A point of a picture: its name below, and a value for each series. */
export interface Point {
  name: string;
  [key: string]: string | number;
}

/** Apart in lightness as well as in hue, so that they differ for every kind of color vision, and in print. */
const COLORS = [1, 2, 3, 4, 5, 6].map((number) => `var(--color-chart-${number})`);

export const colorOf = (place: number): string => COLORS[place % COLORS.length] ?? 'var(--color-chart-1)';

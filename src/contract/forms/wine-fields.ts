import * as z from 'zod/mini';
import {
  MAX_GLASSES_A_BOTTLE,
  MAX_VINTAGE,
  MAX_WINE_NAME,
  MAX_WINE_NOTES,
  MAX_WINE_WORD,
  MIN_VINTAGE,
  TRAIT_MAX,
  TRAIT_MIN,
  WINE_COLORS,
} from '../../domain/wine/wine.ts';
import { requiredField, trimmedField } from './text-field.ts';

const name = z.optional(trimmedField(MAX_WINE_NAME));
const word = z.optional(trimmedField(MAX_WINE_WORD));
const trait = z
  .number('Choose one')
  .check(z.int('Choose one'), z.gte(TRAIT_MIN, 'Choose one'), z.lte(TRAIT_MAX, 'Choose one'));
const vintage = z
  .number('Enter a year, or nothing')
  .check(
    z.int('Enter a year, or nothing'),
    z.gte(MIN_VINTAGE, `Enter a year from ${MIN_VINTAGE}, or nothing`),
    z.lte(MAX_VINTAGE, `Enter a year up to ${MAX_VINTAGE}, or nothing`),
  );

/** The cost is typed as an amount of money, which the form itself reads. */
export const wineFields = {
  name: requiredField(MAX_WINE_NAME, 'Enter the name of the wine'),
  producer: name,
  region: word,
  country: word,
  grape: name,
  vintage: z.optional(vintage),
  color: z.enum(WINE_COLORS, 'Choose a color'),
  sweetness: trait,
  body: trait,
  tannin: trait,
  acidity: trait,
  notes: z.optional(trimmedField(MAX_WINE_NOTES)),
  glasses_per_bottle: z
    .number('Enter how many glasses a bottle gives')
    .check(
      z.int('Enter whole glasses'),
      z.gte(1, 'Enter 1 or more'),
      z.lte(MAX_GLASSES_A_BOTTLE, `A bottle gives at most ${MAX_GLASSES_A_BOTTLE} glasses`),
    ),
};

import { RATING_MAX, RATING_MIN, SURVEY_RATINGS, type SurveyRating } from '../../../domain/application.ts';

export type RatingErrors = Partial<Record<SurveyRating, string>>;

/**
 * Why a rating cannot be saved, in the default messages of the validation library: docs/rules/pages.md, "Forms". The server
 * gives the same messages; plain code here keeps the library out of the browser.
 */
export function ratingError(value: unknown): string | null {
  if (value === undefined || value === null) return 'Required';
  if (typeof value !== 'number' || Number.isNaN(value)) return 'Expected number, received nan';
  if (!Number.isInteger(value)) return 'Expected integer, received float';
  if (value < RATING_MIN) return `Number must be greater than or equal to ${RATING_MIN}`;
  if (value > RATING_MAX) return `Number must be less than or equal to ${RATING_MAX}`;
  return null;
}

export function ratingErrors(ratings: Partial<Record<SurveyRating, unknown>>): RatingErrors {
  const found: RatingErrors = {};
  for (const rating of SURVEY_RATINGS) {
    const error = ratingError(ratings[rating]);
    if (error) found[rating] = error;
  }
  return found;
}

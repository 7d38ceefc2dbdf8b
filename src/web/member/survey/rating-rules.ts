import type { SurveyRating } from '../../../domain/application.ts';
import { RATING_MAX, RATING_MIN, SURVEY_RATINGS } from '../../../domain/application.ts';

export type RatingProblems = Partial<Record<SurveyRating, string>>;

/**
 * Why a rating cannot be saved, in the default words of the validation library (spec section 5). The server
 * says the same; here it is plain code, so that the library stays out of the browser.
 */
export function ratingProblem(value: unknown): string | null {
  if (value === undefined || value === null) return 'Required';
  if (typeof value !== 'number' || Number.isNaN(value)) return 'Expected number, received nan';
  if (!Number.isInteger(value)) return 'Expected integer, received float';
  if (value < RATING_MIN) return `Number must be greater than or equal to ${RATING_MIN}`;
  if (value > RATING_MAX) return `Number must be less than or equal to ${RATING_MAX}`;
  return null;
}

export function ratingProblems(ratings: Partial<Record<SurveyRating, unknown>>): RatingProblems {
  const found: RatingProblems = {};
  for (const rating of SURVEY_RATINGS) {
    const problem = ratingProblem(ratings[rating]);
    if (problem) found[rating] = problem;
  }
  return found;
}

import { surveyRating } from '../../../contract/forms/survey-fields.ts';
import { SURVEY_RATINGS, type SurveyRating } from '../../../domain/application.ts';

export type RatingErrors = Partial<Record<SurveyRating, string>>;

/** Why ratings cannot be saved, in the messages of the call: docs/rules/pages.md, "Forms". */
export function ratingErrors(ratings: Partial<Record<SurveyRating, unknown>>): RatingErrors {
  const errors: RatingErrors = {};
  for (const rating of SURVEY_RATINGS) {
    const [issue] = surveyRating.safeParse(ratings[rating]).error?.issues ?? [];
    if (issue) errors[rating] = issue.message;
  }
  return errors;
}

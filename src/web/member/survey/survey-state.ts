import type { Application, SurveyPreferences } from '../../../contract/applications.ts';
import type { SurveyRating } from '../../../domain/application.ts';
import { RATING_DEFAULT, SURVEY_RATINGS, SURVEY_STEPS } from '../../../domain/application.ts';
import type { RatingErrors } from './rating-rules.ts';

export interface SurveyState {
  step: number;
  ratings: SurveyPreferences;
  /** Of the saved application; later saves go to the same one. */
  applicationId: string | undefined;
  errors: RatingErrors;
}

export type SurveyAction =
  | { type: 'rated'; rating: SurveyRating; value: number }
  | { type: 'refused'; errors: RatingErrors }
  | { type: 'saved'; applicationId: string }
  | { type: 'stepped'; step: number };

type Saved = Pick<Application, 'id' | 'is_complete' | 'current_step' | 'preferences'>;

/** The saved step and answers of a pending application; without one the first step, every answer in the middle. */
export function surveyFrom(application: Saved | null): SurveyState {
  const saved = application?.preferences;
  const ratings = Object.fromEntries(
    SURVEY_RATINGS.map((rating) => [rating, saved?.[rating] ?? RATING_DEFAULT]),
  ) as SurveyPreferences;
  // With the survey finished and nothing paid, the user is back for the payment.
  const step = application?.is_complete ? SURVEY_STEPS : (application?.current_step ?? 1);
  return {
    step: Math.min(Math.max(step, 1), SURVEY_STEPS),
    ratings,
    applicationId: application?.id,
    errors: {},
  };
}

export function surveyReducer(state: SurveyState, action: SurveyAction): SurveyState {
  switch (action.type) {
    case 'rated': {
      const { [action.rating]: _answered, ...errors } = state.errors;
      return { ...state, ratings: { ...state.ratings, [action.rating]: action.value }, errors };
    }
    case 'refused':
      return { ...state, errors: action.errors };
    case 'saved':
      return { ...state, applicationId: action.applicationId, errors: {} };
    case 'stepped':
      return { ...state, step: Math.min(Math.max(action.step, 1), SURVEY_STEPS) };
  }
}

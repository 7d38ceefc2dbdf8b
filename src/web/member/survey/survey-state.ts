import type { Application, SurveyPreferences } from '../../../contract/applications.ts';
import type { SurveyRating } from '../../../domain/application.ts';
import { RATING_DEFAULT, SURVEY_RATINGS, SURVEY_STEPS } from '../../../domain/application.ts';
import type { RatingErrors } from './rating-rules.ts';

export interface SurveyState {
  step: number;
  ratings: SurveyPreferences;
  /** The ratings that the member set, now or before; the others kept their defaults. */
  rated: SurveyRating[];
  applicationId: string | undefined;
  errors: RatingErrors;
}

export type SurveyAction =
  | { type: 'rated'; rating: SurveyRating; value: number }
  | { type: 'refused'; errors: RatingErrors }
  | { type: 'saved'; applicationId: string }
  | { type: 'stepped'; step: number };

type Saved = Pick<Application, 'id' | 'is_complete' | 'current_step' | 'preferences' | 'rated'>;

/** The member's taste from sources other than a pending application. */
export interface KnownTaste {
  /** The answers of an earlier membership. */
  last: Partial<SurveyPreferences> | null;
  /** The sliders moved on this device and not saved yet. */
  draft: Partial<SurveyPreferences>;
}

const givenIn = (answers: Partial<SurveyPreferences>) =>
  SURVEY_RATINGS.filter((rating) => answers[rating] !== undefined);

/**
 * Starts at the saved step with the saved answers, or at step 1 with those of an earlier membership. Slider moves not
 * saved yet come on top; everything else is in the middle.
 */
export function surveyFrom(
  application: Saved | null,
  { last, draft }: KnownTaste = { last: null, draft: {} },
): SurveyState {
  const before = application ? (application.preferences ?? {}) : (last ?? {});
  const saved = { ...before, ...draft };
  const rated = new Set([...(application?.rated ?? givenIn(before)), ...givenIn(draft)]);
  const ratings = Object.fromEntries(
    SURVEY_RATINGS.map((rating) => [rating, saved[rating] ?? RATING_DEFAULT]),
  ) as SurveyPreferences;
  // If the survey is finished but unpaid, the user has come back to pay.
  const step = application?.is_complete ? SURVEY_STEPS : (application?.current_step ?? 1);
  return {
    step: Math.min(Math.max(step, 1), SURVEY_STEPS),
    ratings,
    rated: SURVEY_RATINGS.filter((rating) => rated.has(rating)),
    applicationId: application?.id,
    errors: {},
  };
}

export function surveyReducer(state: SurveyState, action: SurveyAction): SurveyState {
  switch (action.type) {
    case 'rated': {
      const { [action.rating]: _answered, ...errors } = state.errors;
      return {
        ...state,
        ratings: { ...state.ratings, [action.rating]: action.value },
        rated: state.rated.includes(action.rating) ? state.rated : [...state.rated, action.rating],
        errors,
      };
    }
    case 'refused':
      return { ...state, errors: action.errors };
    case 'saved':
      return { ...state, applicationId: action.applicationId, errors: {} };
    case 'stepped':
      return { ...state, step: Math.min(Math.max(action.step, 1), SURVEY_STEPS) };
  }
}

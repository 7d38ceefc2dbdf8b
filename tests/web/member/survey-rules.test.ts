import { describe, expect, test } from 'vitest';
import { SURVEY_RATINGS, type SurveyRating } from '../../../src/domain/application.ts';
import { inWords, QUESTIONS } from '../../../src/web/member/survey/questions.ts';
import { ratingErrors } from '../../../src/web/member/survey/rating-rules.ts';
import { surveyFrom, surveyReducer } from '../../../src/web/member/survey/survey-state.ts';

const middle = {
  wine_knowledge: 5,
  drinking_frequency: 5,
  red_wine_preference: 5,
  white_wine_preference: 5,
  adventurousness: 5,
};
const saved = {
  id: 'a1',
  is_complete: false,
  current_step: 2,
  preferences: { ...middle, wine_knowledge: 9 },
  rated: null as SurveyRating[] | null,
};

describe('where the survey begins', () => {
  test('with nothing saved: first step, five times 5', () => {
    expect(surveyFrom(null)).toEqual({
      step: 1,
      ratings: middle,
      rated: [],
      applicationId: undefined,
      errors: {},
    });
  });

  test('resumed at the saved step with the saved answers', () => {
    expect(surveyFrom(saved)).toMatchObject({
      step: 2,
      applicationId: 'a1',
      ratings: { ...middle, wine_knowledge: 9 },
    });
  });

  test('missing answers, and keys of another form, are ignored', () => {
    const preferences = { red_wine_preference: 8, comments: 'by the window' };
    expect(surveyFrom({ ...saved, preferences }).ratings).toEqual({ ...middle, red_wine_preference: 8 });
    expect(surveyFrom({ ...saved, preferences: null, current_step: 7 })).toMatchObject({
      step: 2,
      ratings: middle,
    });
  });

  test('with a former member’s last answers, and the sliders moved since', () => {
    const last = { ...middle, wine_knowledge: 8 };
    expect(surveyFrom(null, { last, draft: { adventurousness: 2 } })).toMatchObject({
      step: 1,
      ratings: { ...middle, wine_knowledge: 8, adventurousness: 2 },
    });
    expect(surveyFrom(saved, { last, draft: {} }).ratings, 'the saved ones win').toEqual(saved.preferences);
  });

  test('only moved sliders count as given; in an older application, every answer does', () => {
    expect(surveyFrom({ ...saved, rated: ['wine_knowledge'] }).rated).toEqual(['wine_knowledge']);
    expect(surveyFrom(saved).rated).toEqual(SURVEY_RATINGS);
    const moved = { last: null, draft: { adventurousness: 5 } };
    expect(surveyFrom(null, moved).rated).toEqual(['adventurousness']);
  });

  test('a finished survey without a payment opens at the tiers', () => {
    expect(surveyFrom({ ...saved, is_complete: true, current_step: 1 }).step).toBe(2);
  });
});

test('a save keeps the id for later ones; steps stay within the two', () => {
  let state = surveyReducer(surveyFrom(null), { type: 'saved', applicationId: 'a2' });
  state = surveyReducer(state, { type: 'stepped', step: 2 });
  expect(state).toMatchObject({ applicationId: 'a2', step: 2 });
  expect(surveyReducer(state, { type: 'stepped', step: 3 }).step).toBe(2);
  expect(surveyReducer(state, { type: 'stepped', step: 0 }).step).toBe(1);
});

test('a new answer takes away the error of the old one', () => {
  const refused = surveyReducer(surveyFrom(null), {
    type: 'refused',
    errors: { wine_knowledge: 'Required', adventurousness: 'Required' },
  });
  const rated = surveyReducer(refused, { type: 'rated', rating: 'wine_knowledge', value: 3 });
  expect(rated.ratings.wine_knowledge).toBe(3);
  expect(rated.errors).toEqual({ adventurousness: 'Required' });
});

test.each([
  [undefined, 'Required'],
  [0, 'Number must be greater than or equal to 1'],
  [11, 'Number must be less than or equal to 10'],
  [Number.NaN, 'Expected number, received nan'],
  [2.5, 'Expected integer, received float'],
  [1, undefined],
  [10, undefined],
])('a rating of %s: %s', (value, error) => {
  expect(ratingErrors({ ...middle, adventurousness: value }).adventurousness).toBe(error);
});

test('every rating is checked', () => {
  expect(ratingErrors(middle)).toEqual({});
  expect(Object.keys(ratingErrors({}))).toHaveLength(5);
});

test('every answer has words, from the lowest to the highest', () => {
  expect(QUESTIONS).toHaveLength(5);
  for (const question of QUESTIONS) {
    const words = Array.from({ length: 10 }, (_, index) => inWords(question, index + 1));
    expect(new Set(words).size).toBe(5);
    expect(words[0]).toBe(question.words[0]);
    expect(words[9]).toBe(question.words[4]);
  }
});

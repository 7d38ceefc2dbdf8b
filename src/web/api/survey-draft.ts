import { RATING_MAX, RATING_MIN, SURVEY_RATINGS, type SurveyRating } from '../../domain/application.ts';
import { readLocal, removeLocal, writeLocal } from './local-storage.ts';

export type SurveyDraft = Partial<Record<SurveyRating, number>>;

const KEY = 'cellar-door:survey';

export function readSurveyDraft(userId: string): SurveyDraft {
  const entry = readLocal(KEY) as { user_id?: unknown; ratings?: Record<string, unknown> } | null;
  if (entry?.user_id !== userId || !entry.ratings) return {};
  const draft: SurveyDraft = {};
  for (const rating of SURVEY_RATINGS) {
    const value = entry.ratings[rating];
    if (Number.isInteger(value) && Number(value) >= RATING_MIN && Number(value) <= RATING_MAX) {
      draft[rating] = Number(value);
    }
  }
  return draft;
}

export function keepInSurveyDraft(userId: string, rating: SurveyRating, value: number): void {
  writeLocal(KEY, { user_id: userId, ratings: { ...readSurveyDraft(userId), [rating]: value } });
}

export function deleteSurveyDraft(): void {
  removeLocal(KEY);
}

import { DEFAULT_TIER } from './tiers.ts';

export const APPLICATION_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number];

/** The five ratings of the survey, each 1 to 10. docs/rules/membership.md, "Applications". */
export const SURVEY_RATINGS = [
  'wine_knowledge',
  'drinking_frequency',
  'red_wine_preference',
  'white_wine_preference',
  'adventurousness',
] as const;
export type SurveyRating = (typeof SURVEY_RATINGS)[number];
export const RATING_MIN = 1;
export const RATING_MAX = 10;
export const RATING_DEFAULT = 5;
export const SURVEY_STEPS = 2;

export function canReview(status: ApplicationStatus): boolean {
  return status === 'pending';
}

/** The tier of the membership that an approval creates. */
export function approvedTier(selectedTier: string | null): string {
  return selectedTier ?? DEFAULT_TIER;
}

export const APPROVAL_NEWS_DAYS = 14;

/** A staff decision on an application. A payment also approves one, but is not a decision. */
export interface Decision {
  status: ApplicationStatus;
  reviewed_at: Date;
}

/** Whether the dashboard shows the latest decision: docs/rules/membership.md, "Applications". */
export function showsDecision(
  { status, reviewed_at }: Decision,
  user: { isMember: boolean; isApplying: boolean },
  now: Date,
): boolean {
  if (status === 'rejected') return !user.isMember && !user.isApplying;
  const age = now.getTime() - reviewed_at.getTime();
  return status === 'approved' && user.isMember && age < APPROVAL_NEWS_DAYS * 86_400_000;
}

/** Whether the applicant of a pending application stopped before choosing a tier. */
export function isUnfinished({
  status,
  is_complete,
}: {
  status: ApplicationStatus;
  is_complete: boolean;
}): boolean {
  return status === 'pending' && !is_complete;
}

/** Whether the application is complete. Only the database knows whether its tier is on offer. */
export function readyToPay(application: { is_complete: boolean; selected_tier: string | null }): boolean {
  return application.is_complete && application.selected_tier !== null;
}

export interface Answers<T> {
  answers: T;
  given_at: Date;
}

/** The later ratings, from the latest application or the member's own change. docs/rules/wines.md, "Taste". */
export function newestAnswers<T extends object>(
  application: Answers<T> | null,
  change: Answers<T> | null,
): Answers<T> | null {
  if (!application || !change) return application ?? change;
  if (application.given_at > change.given_at) return application;
  return { answers: { ...application.answers, ...change.answers }, given_at: change.given_at };
}

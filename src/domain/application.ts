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

/** Only a pending application can be approved or rejected. */
export function canReview(status: ApplicationStatus): boolean {
  return status === 'pending';
}

/** The tier of the membership that an approval creates. */
export function approvedTier(selectedTier: string | null): string {
  return selectedTier ?? DEFAULT_TIER;
}

/** For how many days the dashboard says that the application was approved. */
export const APPROVAL_NEWS_DAYS = 14;

/** What staff decided about an application. A payment also approves one, but is not a decision. */
export interface Decision {
  status: ApplicationStatus;
  reviewed_at: Date;
}

/**
 * Whether the dashboard tells of the latest decision: docs/rules/membership.md, "Applications". A rejection stands
 * until the user applies again or is a member, an approval for its first days.
 */
export function showsDecision(
  { status, reviewed_at }: Decision,
  user: { isMember: boolean; isApplying: boolean },
  now: Date,
): boolean {
  if (status === 'rejected') return !user.isMember && !user.isApplying;
  const age = now.getTime() - reviewed_at.getTime();
  return status === 'approved' && user.isMember && age < APPROVAL_NEWS_DAYS * 86_400_000;
}

/** A pending application whose applicant stopped before choosing a tier. */
export function isUnfinished({
  status,
  is_complete,
}: {
  status: ApplicationStatus;
  is_complete: boolean;
}): boolean {
  return status === 'pending' && !is_complete;
}

/** Whether the application is complete. Whether its tier is on offer is known to the database only. */
export function readyToPay(application: { is_complete: boolean; selected_tier: string | null }): boolean {
  return application.is_complete && application.selected_tier !== null;
}

/** What was answered, and when. */
export interface Answers<T> {
  answers: T;
  given_at: Date;
}

/**
 * The answers that count: the later ratings, from the latest application or the member's own change. The
 * application's answers in words stay beside ratings changed since. docs/rules/wines.md, "Taste".
 */
export function newestAnswers<T extends object>(
  applied: Answers<T> | null,
  changed: Answers<T> | null,
): Answers<T> | null {
  if (!applied || !changed) return applied ?? changed;
  if (applied.given_at > changed.given_at) return applied;
  return { answers: { ...applied.answers, ...changed.answers }, given_at: changed.given_at };
}

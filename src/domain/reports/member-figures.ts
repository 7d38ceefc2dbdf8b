/** Billed at the venue, a gift, on the house, or by card: renewing, set to end, paused, or with an overdue payment. */
export const STANDINGS_OVER_TIME = [
  'venue',
  'gift',
  'house',
  'renewing',
  'ending',
  'paused',
  'overdue',
] as const;
export type StandingOverTime = (typeof STANDINGS_OVER_TIME)[number];

export const STANDING_LABELS: Record<StandingOverTime, string> = {
  venue: 'Billed at the venue',
  gift: 'A gift',
  house: 'On the house',
  renewing: 'Paid by card',
  ending: 'Set to end',
  paused: 'Paused',
  overdue: 'Payment overdue',
};

/**
 * Members lost in a month as a share of those at its beginning, 0 to 1: the customer churn rate of the SaaS Metrics
 * Standards Board. Null without members at the beginning. docs/rules/reports.md, "Reports".
 */
export function churnRate({ opening, lost }: { opening: number; lost: number }): number | null {
  return opening === 0 ? null : lost / opening;
}

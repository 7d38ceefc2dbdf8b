import type { DuesObstacle, PaidMethod } from '../../../domain/membership/dues.ts';

export const METHOD_WORDS: Record<PaidMethod, string> = {
  cash: 'Cash',
  card_machine: 'Card machine',
  transfer: 'Transfer',
  online: 'Online',
};

/** '1 month', '12 months' */
export const monthsText = (months: number): string => `${months} ${months === 1 ? 'month' : 'months'}`;

export const DUES_OBSTACLE_TEXT: Record<DuesObstacle, string> = {
  not_active: 'There is no active membership.',
  by_card: 'The membership is paid by card, a gift, or on the house.',
  amount: 'That is more than 120 months of the price.',
  day: 'That day is ahead of today, or more than a year ago.',
  too_early: 'That month is over.',
  counted: 'Payments are already recorded.',
  voided: 'This payment was voided before.',
  online: 'This payment was made online: refund it under Payments.',
  paid_ahead: 'More than twelve months are paid already.',
  paused: 'The membership is paused.',
  difference: 'A dearer tier was paid for online in this year: refund that first, under Payments.',
  ending: 'The membership ends before that. To go on, keep it first.',
};

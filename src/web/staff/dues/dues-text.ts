import type { BankPayment } from '../../../contract/bank-payment.ts';
import type { RefusalData } from '../../../contract/refusals.ts';
import { localDate } from '../../../domain/calendar.ts';
import {
  DUES_METHODS,
  type DuesObstacle,
  type PaidMethod,
  YEAR_MONTHS,
} from '../../../domain/membership/dues.ts';
import { formatAmount } from '../../../domain/money.ts';
import type { TierChangeObstacle } from '../../../domain/tier-change.ts';
import { site } from '../../api/site.ts';
import { shortDay } from '../../format/dates.ts';
import { duesPrice } from '../../format/money.ts';
import { venueToday } from '../../format/venue-today.ts';
import { formatDateTime } from '../venue-dates.ts';

export const METHOD_WORDS: Record<PaidMethod, string> = {
  cash: 'Cash',
  card_machine: 'Card machine',
  transfer: 'Transfer',
  online: 'Online',
};

/** The ways of paying at the till, to choose from. */
export const METHODS = DUES_METHODS.map((value) => ({ value, label: METHOD_WORDS[value] }));

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
  difference: 'A dearer tier was paid for in this year: void that first, or refund it if it was paid online.',
  ending: 'The membership ends before that. To go on, keep it first.',
};

export const TIER_OBSTACLE_TEXT: Partial<Record<TierChangeObstacle, string>> = {
  same_tier: 'The member has this tier.',
  payment_open: 'A payment is overdue: record that first.',
  ending: 'The membership ends. Keep it first.',
  change_pending: 'Another tier is about to start. Take it back first.',
  change_under_way:
    'The member pays online right now, or their bank has not answered yet. Please wait for that.',
  paused: 'The membership is paused, or about to be.',
};

/** A payment that someone recorded meanwhile: 'Noor recorded $69.00 for 1 month, ...'. */
export function changeTitle({ by, at, amount_cents, months }: RefusalData['DUES_CHANGED']): string {
  if (by === null || at === null || amount_cents === null || months === null)
    return 'The payments have changed meanwhile';
  const payment = `${formatAmount(amount_cents, site.currency)} for ${monthsText(months)}`;
  return `${by} recorded ${payment}, ${formatDateTime(at)}`;
}

/** 'A bank payment of $390 for a year has been on its way since Nov 28' */
export function bankPaymentText({ months, amount_cents, since }: BankPayment): string {
  const what = months === YEAR_MONTHS ? 'a year' : 'a dearer tier';
  const day = shortDay(localDate(new Date(since), site.time_zone), venueToday());
  return `A bank payment of ${duesPrice(amount_cents)} for ${what} has been on its way since ${day}`;
}

import type { DuesMethod } from '../../../domain/membership/dues.ts';

export const METHOD_WORDS: Record<DuesMethod, string> = {
  cash: 'Cash',
  card_machine: 'Card machine',
  transfer: 'Transfer',
};

/** '1 month', '12 months' */
export const monthsText = (months: number): string => `${months} ${months === 1 ? 'month' : 'months'}`;

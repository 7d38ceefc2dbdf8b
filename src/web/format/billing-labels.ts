import type { Subscription } from '../../contract/functions.ts';
import type { Tone } from '../ui/badge.tsx';

export function statusTone({ status }: Pick<Subscription, 'status'>): Tone {
  if (status === 'active' || status === 'trialing') return 'positive';
  return status === 'past_due' ? 'warning' : 'danger';
}

/** 4, 2031 -> '04/2031' */
export function cardExpiry(month: number, year: number): string {
  return `${String(month).padStart(2, '0')}/${year}`;
}

import type { Subscription } from '../../contract/functions.ts';
import type { Tone } from '../ui/badge.tsx';

/** 3900 -> '$39.00' */
export const formatCents = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** 3900 -> '$39.00 per month' */
export function amountPerMonth(cents: number): string {
  return `${formatCents(cents)} per month`;
}

/** 'past_due' -> 'Past due' */
export function statusLabel(status: string): string {
  const words = status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function statusTone({ status }: Pick<Subscription, 'status'>): Tone {
  if (status === 'active' || status === 'trialing') return 'positive';
  return status === 'past_due' ? 'warning' : 'danger';
}

const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** 'visa' -> 'Visa', with the names that capitals alone do not make. */
export function cardBrand(brand: string): string {
  return brands[brand] ?? statusLabel(brand);
}

/** 4, 2031 -> '04/2031' */
export function cardExpiry(month: number, year: number): string {
  return `${String(month).padStart(2, '0')}/${year}`;
}

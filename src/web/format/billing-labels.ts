import type { Subscription } from '../../contract/functions.ts';
import type { Tone } from '../ui/badge.tsx';

/** A status or brand as Stripe spells it: 'past_due' -> 'Past due' */
export function statusLabel(status: string): string {
  const spaced = status.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function statusTone({ status }: Pick<Subscription, 'status'>): Tone {
  if (status === 'active' || status === 'trialing') return 'positive';
  return status === 'past_due' ? 'warning' : 'danger';
}

// Brands that need more than a capital first letter.
const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** 'visa' -> 'Visa' */
export function cardBrand(brand: string): string {
  return BRANDS[brand] ?? statusLabel(brand);
}

// Wallets and methods that need more than a capital first letter.
const METHODS: Record<string, string> = {
  amazon_pay: 'Amazon Pay',
  apple_pay: 'Apple Pay',
  cashapp: 'Cash App Pay',
  google_pay: 'Google Pay',
  paypal: 'PayPal',
  samsung_pay: 'Samsung Pay',
  sepa_debit: 'SEPA Direct Debit',
  us_bank_account: 'Bank account',
};

/** 'Visa •••• 4242', with its wallet 'Visa •••• 4242 (Apple Pay)'; other methods by name only, such as 'Link'. */
export function paymentMethodLabel({
  type,
  brand,
  last4,
  wallet,
}: NonNullable<Subscription['payment_method']>): string {
  const name = (method: string) => METHODS[method] ?? statusLabel(method);
  if (!brand || !last4) return name(type);
  return `${cardBrand(brand)} •••• ${last4}${wallet ? ` (${name(wallet)})` : ''}`;
}

/** 4, 2031 -> '04/2031' */
export function cardExpiry(month: number, year: number): string {
  return `${String(month).padStart(2, '0')}/${year}`;
}

import type { Subscription } from '../../contract/functions.ts';
import type { TierDefinition } from '../../contract/tiers.ts';
import * as money from '../../domain/money.ts';
import { monthsFreeText } from '../../domain/tiers.ts';
import { site } from '../api/site.ts';

/** A tier's price from the API, in the venue's currency: 39 -> '$39', 39.5 -> '$39.50' */
export function tierPrice(monthlyPrice: number): string {
  return money.formatPrice(money.toMinorUnits(monthlyPrice, site.currency), site.currency);
}

/** What a membership at the venue costs a month, in the venue's currency: 3900 -> '$39' */
export const duesPrice = (price_cents: number): string => money.formatPrice(price_cents, site.currency);

/** The monthly charge for a tier: 39 -> '$39.00', with tax '$39.00 plus tax' */
export function tierCharge(monthlyPrice: number): string {
  const amount = money.toMinorUnits(monthlyPrice, site.currency);
  return money.amountWithTax(amount, site.currency, site.tax_behavior);
}

/** A tier's price of a year in cents; null if it is sold by the month only. */
export const yearCents = ({ yearly_price }: Pick<TierDefinition, 'yearly_price'>): number | null =>
  yearly_price === null ? null : money.toMinorUnits(yearly_price, site.currency);

/** A year's price beside a month's, in cents: '$390 for a year, 2 months free', or with tax '$390 plus tax for a year'. */
export function yearPrice(year: number, month: number): string {
  const saved = monthsFreeText(year, month);
  const price = [money.formatPrice(year, site.currency), money.taxWords(site.tax_behavior)]
    .filter(Boolean)
    .join(' ');
  return `${price} for a year${saved && `, ${saved}`}`;
}

/** The offer of a tier's year: '$390 for a year, 2 months free. Ends by itself.' Null if it is sold by the month only. */
export function yearOffer(tier: Pick<TierDefinition, 'monthly_price' | 'yearly_price'>): string | null {
  const year = yearCents(tier);
  return year === null
    ? null
    : `${yearPrice(year, money.toMinorUnits(tier.monthly_price, site.currency))}. Ends by itself.`;
}

/** The price of one glass of a tier: 69 for 8 -> '$8.63'; null for a tier without glasses. */
export function glassPrice(monthlyPrice: number, monthlyPours: number): string | null {
  const amount = money.pricePerGlass(money.toMinorUnits(monthlyPrice, site.currency), monthlyPours);
  return amount === null ? null : money.formatAmount(amount, site.currency);
}

/** The words beside a tier's price: 'plus tax', 'tax included', or '' if no tax is calculated. */
export const priceNote = money.taxWords(site.tax_behavior);

type Money = Pick<Subscription, 'currency' | 'tax_behavior'>;

/** One charge of a subscription: '$39.00', or with tax '$39.00 plus tax'. */
export const withTax = (amount: number, { currency, tax_behavior }: Money): string =>
  money.amountWithTax(amount, currency, tax_behavior);

/** A coming charge in short: '$39', '$39.50', or '$39 plus tax'. An amount with tax included is all that is charged. */
export function shortCharge(amount: number, { currency, tax_behavior }: Money): string {
  const price = money.formatPrice(amount, currency);
  return tax_behavior === 'exclusive' ? `${price} ${money.taxWords(tax_behavior)}` : price;
}

/** The price of a subscription: '$39.00 per month', or with tax '$39.00 plus tax per month'. */
export function perMonth(amount: number, { currency, tax_behavior }: Money): string {
  return money.amountPerMonth(amount, currency, tax_behavior);
}

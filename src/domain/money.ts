/** Amounts are whole numbers of the currency's smallest unit; _cents means it too: cents of a dollar, whole yen. */

/** Stripe's currencies without decimals (docs.stripe.com/currencies). */
const ZERO_DECIMALS: ReadonlySet<string> = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
);

/** Currencies in which Stripe accepts only specially rounded amounts. The product does not support them. */
const UNSUPPORTED: ReadonlySet<string> = new Set('bhd iqd jod kwd lyd omr tnd isk ugx'.split(' '));

/** How a price relates to tax, in Stripe's terms. Unspecified while no tax is calculated. */
export const TAX_BEHAVIORS = ['unspecified', 'exclusive', 'inclusive'] as const;
export type TaxBehavior = (typeof TAX_BEHAVIORS)[number];

/** The reason a currency, in lowercase, cannot be used; null if it can. */
export function currencyProblem(currency: string): string | null {
  if (!/^[a-z]{3}$/.test(currency) || !Intl.supportedValuesOf('currency').includes(currency.toUpperCase()))
    return 'is not the code of a currency, such as usd or eur';
  if (UNSUPPORTED.has(currency))
    return 'is a currency with three decimals, or one that Stripe rounds in its own way; use another one';
  return null;
}

/** Decimals of a currency: 2 for usd, 0 for jpy. */
function decimalsOf(currency: string): number {
  return ZERO_DECIMALS.has(currency.toLowerCase()) ? 0 : 2;
}

/** 3900, 'usd' -> 39; 3900, 'jpy' -> 3900 */
export function toMajorUnits(amount: number, currency: string): number {
  return amount / 10 ** decimalsOf(currency);
}

/** 39.5, 'usd' -> 3950; 3900, 'jpy' -> 3900 */
export function toMinorUnits(amount: number, currency: string): number {
  return Math.round(amount * 10 ** decimalsOf(currency));
}

/** Reads a price as typed, such as '39', '39.50' or '39,50'; null if it is not a price or has too many decimals. */
export function parseAmount(text: string, currency: string): number | null {
  const match = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text);
  const decimals = decimalsOf(currency);
  if (!match || (match[2]?.length ?? 0) > decimals) return null;
  return toMinorUnits(Number(text.replace(',', '.')), currency);
}

function format(amount: number, currency: string, decimals: number): string {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(toMajorUnits(amount, currency));
}

/** An amount charged, with all its decimals: 3900, 'usd' -> '$39.00'; 3900, 'jpy' -> '¥3,900' */
export function formatAmount(amount: number, currency: string): string {
  return format(amount, currency, decimalsOf(currency));
}

/** A tier's price, without decimals if they are zero: 3900, 'usd' -> '$39'; 3950, 'usd' -> '$39.50' */
export function formatPrice(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return format(amount, currency, amount % 10 ** decimals === 0 ? 0 : decimals);
}

/** The price of each glass of a month, rounded to the smallest unit: 3900 for 4 -> 975; null for no glasses. */
export function pricePerGlass(amount: number, glasses: number): number | null {
  return glasses > 0 ? Math.round(amount / glasses) : null;
}

/** 3900 -> '$39.00', with tax '$39.00 plus tax' or '$39.00 (tax included)' */
export function amountWithTax(amount: number, currency: string, tax: TaxBehavior): string {
  const words = taxWords(tax);
  const note = tax === 'inclusive' ? `(${words})` : words;
  return `${formatAmount(amount, currency)}${note && ' '}${note}`;
}

/** 3900 -> '$39.00 per month', with tax '$39.00 plus tax per month' */
export function amountPerMonth(amount: number, currency: string, tax: TaxBehavior): string {
  return `${amountWithTax(amount, currency, tax)} per month`;
}

/** The text beside a price: '' without tax, else 'plus tax' or 'tax included'. */
export function taxWords(behavior: TaxBehavior): '' | 'plus tax' | 'tax included' {
  if (behavior === 'unspecified') return '';
  return behavior === 'exclusive' ? 'plus tax' : 'tax included';
}

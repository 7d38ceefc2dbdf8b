import type { Invoice, InvoiceLine, Subscription, TaxRate } from '../http/wire.ts';
import type { World } from '../store/world.ts';

type Tax = NonNullable<InvoiceLine['taxes']>[number];

/** The smallest amount that Stripe charges, in the currency's smallest unit (docs.stripe.com/currencies). */
const MINIMUM_CHARGE: Record<string, number> = {
  aed: 200,
  czk: 1500,
  dkk: 250,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  mxn: 1000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1000,
};

/**
 * The charged part of an amount, and the balance after it: a credit, or an amount below the minimum, carries over to the
 * next invoice.
 */
export function charged(debt: number, currency: string): { due: number; balance: number } {
  const due = debt >= (MINIMUM_CHARGE[currency] ?? 50) ? debt : 0;
  return { due, balance: debt - due };
}

/** The automatic tax on an amount, at the sandbox's one rate; a price without a tax behavior counts as exclusive. */
export function taxOn(world: World, amount: number, behavior: string | null | undefined): Tax {
  return taxAt(world.state.settings.tax_percent, amount, behavior === 'inclusive', null);
}

/** `details` names the tax rate that someone created; null for automatic tax. */
function taxAt(percent: number, amount: number, inclusive: boolean, details: Tax['tax_rate_details']): Tax {
  const rate = percent / 100;
  const tax = Math.round(inclusive ? amount - amount / (1 + rate) : amount * rate) || 0;
  return {
    amount: tax,
    tax_behavior: inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: details,
    taxability_reason: details ? 'not_available' : 'standard_rated',
    taxable_amount: inclusive ? amount - tax : amount,
    type: 'tax_rate_details',
  };
}

/** The rates of a line: those of its item, otherwise the subscription's. */
function ratesOf({ items, default_tax_rates }: Subscription, line: InvoiceLine): TaxRate[] {
  const id = line.parent?.subscription_item_details?.subscription_item;
  const rates = items.data.find((item) => item.id === id)?.tax_rates ?? [];
  return rates.length > 0 ? rates : (default_tax_rates ?? []);
}

function taxesOn(world: World, subscription: Subscription, line: InvoiceLine): Tax[] {
  if (!subscription.automatic_tax.enabled)
    return ratesOf(subscription, line).map(({ id, percentage, inclusive }) =>
      taxAt(percentage, line.amount, inclusive, { tax_rate: id }),
    );
  const price = world.state.prices[line.pricing?.price_details?.price ?? ''];
  return [taxOn(world, line.amount, price?.tax_behavior)];
}

/** Puts the tax on each line: automatic tax, or that of the tax rates. Returns the invoice's sums. */
export function taxedTotals(world: World, subscription: Subscription, lines: InvoiceLine[]): Totals {
  for (const line of lines) line.taxes = taxesOn(world, subscription, line);
  return totalsOf(lines);
}

type Totals = Pick<
  Invoice,
  'subtotal' | 'subtotal_excluding_tax' | 'total' | 'total_excluding_tax' | 'total_taxes'
>;

/** An invoice's sums, from its taxed lines. */
export function totalsOf(lines: InvoiceLine[]): Totals {
  const taxes = lines.flatMap((line) => line.taxes ?? []);
  const sum = (behavior: Tax['tax_behavior']) => {
    const matches = taxes.filter((tax) => tax.tax_behavior === behavior);
    return matches.reduce((total, tax) => total + tax.amount, 0);
  };
  const subtotal = lines.reduce((total, line) => total + line.amount, 0);
  const withoutTax = subtotal - sum('inclusive');
  const kinds = Map.groupBy(taxes, (tax) => `${tax.tax_behavior} ${tax.tax_rate_details?.tax_rate ?? ''}`);
  return {
    subtotal,
    subtotal_excluding_tax: withoutTax,
    total: subtotal + sum('exclusive'),
    total_excluding_tax: withoutTax,
    total_taxes: [...kinds.values()].flatMap(([first, ...rest]) =>
      first ? [rest.reduce(sumOf, structuredClone(first))] : [],
    ),
  };
}

function sumOf(total: Tax, tax: Tax): Tax {
  const taxable_amount = (total.taxable_amount ?? 0) + (tax.taxable_amount ?? 0);
  return { ...total, amount: total.amount + tax.amount, taxable_amount };
}

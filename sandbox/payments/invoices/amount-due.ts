import type { Invoice, InvoiceLine, Subscription } from '../http/wire.ts';
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
export function charged(owed: number, currency: string): { due: number; balance: number } {
  const due = owed >= (MINIMUM_CHARGE[currency] ?? 50) ? owed : 0;
  return { due, balance: owed - due };
}

/** The tax on an amount at the sandbox's one rate; a price without a tax behavior counts as exclusive. */
export function taxOn(world: World, amount: number, behavior: string | null | undefined): Tax {
  const rate = world.state.settings.tax_percent / 100;
  const inclusive = behavior === 'inclusive';
  const tax = Math.round(inclusive ? amount - amount / (1 + rate) : amount * rate) || 0;
  return {
    amount: tax,
    tax_behavior: inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: null,
    taxability_reason: 'standard_rated',
    taxable_amount: inclusive ? amount - tax : amount,
    type: 'tax_rate_details',
  };
}

/** Puts the tax on each line if the subscription has automatic tax, and returns the invoice's sums. */
export function taxedTotals(
  world: World,
  { automatic_tax }: Subscription,
  lines: InvoiceLine[],
): Pick<Invoice, 'subtotal' | 'subtotal_excluding_tax' | 'total' | 'total_excluding_tax' | 'total_taxes'> {
  for (const line of lines) {
    const price = world.state.prices[line.pricing?.price_details?.price ?? ''];
    line.taxes = automatic_tax.enabled ? [taxOn(world, line.amount, price?.tax_behavior)] : [];
  }
  const taxes = lines.flatMap((line) => line.taxes ?? []);
  const sum = (behavior: Tax['tax_behavior']) => {
    const ours = taxes.filter((tax) => tax.tax_behavior === behavior);
    return ours.reduce((total, tax) => total + tax.amount, 0);
  };
  const subtotal = lines.reduce((total, line) => total + line.amount, 0);
  const withoutTax = subtotal - sum('inclusive');
  const kinds = (['exclusive', 'inclusive'] as const).filter((kind) =>
    taxes.some((tax) => tax.tax_behavior === kind),
  );
  return {
    subtotal,
    subtotal_excluding_tax: withoutTax,
    total: subtotal + sum('exclusive'),
    total_excluding_tax: withoutTax,
    total_taxes: kinds.map((kind) => ({
      amount: sum(kind),
      tax_behavior: kind,
      tax_rate_details: null,
      taxability_reason: 'standard_rated',
      taxable_amount: withoutTax,
      type: 'tax_rate_details',
    })),
  };
}

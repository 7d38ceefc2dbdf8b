/** A step of a tiered price: up to and including this quantity; null for the last. Cents, which may be fractions. */
export interface PriceStep {
  up_to: number | null;
  unit_cents: number;
  flat_cents: number;
}

/** volume: the step that the quantity reaches is for all of it. graduated: each step is for the units within it. */
export type PriceSteps = { mode: 'volume' | 'graduated'; steps: PriceStep[] };

/**
 * Whole cents that a quantity of a tiered price costs; 0 without a step for it. Rounded half up
 * (docs.stripe.com/products-prices/pricing-models#tiered-pricing).
 */
export function amountOfSteps({ mode, steps }: PriceSteps, quantity: number): number {
  if (mode === 'volume') {
    const step = steps.find(({ up_to }) => up_to === null || quantity <= up_to);
    return step ? Math.round(step.flat_cents + quantity * step.unit_cents) : 0;
  }
  let [amount, floor] = [0, 0];
  for (const { up_to, unit_cents, flat_cents } of steps) {
    if (floor >= quantity) break;
    const until = Math.min(quantity, up_to ?? quantity);
    amount += flat_cents + (until - floor) * unit_cents;
    floor = until;
  }
  return Math.round(amount);
}

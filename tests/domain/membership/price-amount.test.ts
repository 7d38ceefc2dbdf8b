import { describe, expect, test } from 'vitest';
import { amountOfSteps, type PriceStep } from '../../../src/domain/membership/price-amount.ts';

// docs.stripe.com/products-prices/pricing-models, "Tiered pricing": its table of volume and graduated tiers.

const STEPS: PriceStep[] = [
  { up_to: 5, unit_cents: 700, flat_cents: 0 },
  { up_to: 10, unit_cents: 650, flat_cents: 0 },
  { up_to: null, unit_cents: 600, flat_cents: 0 },
];

describe('a quantity', () => {
  test.each([
    [1, 700],
    [5, 3500],
    [6, 3900],
    [20, 12_000],
  ])('of %i costs %i cents in the step that it reaches', (quantity, cents) => {
    expect(amountOfSteps({ mode: 'volume', steps: STEPS }, quantity)).toBe(cents);
  });

  test.each([
    [1, 700],
    [5, 3500],
    [6, 4150],
    [20, 12_750],
  ])('of %i costs %i cents in the steps on the way', (quantity, cents) => {
    expect(amountOfSteps({ mode: 'graduated', steps: STEPS }, quantity)).toBe(cents);
  });
});

test('a flat amount is added for each step that is reached', () => {
  const steps = STEPS.map((step) => ({ ...step, flat_cents: 100 }));
  expect(amountOfSteps({ mode: 'graduated', steps }, 6)).toBe(4350);
  expect(amountOfSteps({ mode: 'volume', steps }, 6)).toBe(4000);
});

test('fractions of a cent are rounded once, at the end', () => {
  expect(
    amountOfSteps({ mode: 'volume', steps: [{ up_to: null, unit_cents: 0.25, flat_cents: 0 }] }, 3),
  ).toBe(1);
});

test('a quantity beyond the last step costs nothing in volume tiers', () => {
  expect(amountOfSteps({ mode: 'volume', steps: STEPS.slice(0, 2) }, 11)).toBe(0);
});

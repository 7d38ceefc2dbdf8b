import { expect, it } from 'vitest';
import { tiersByProduct } from '../../../src/server/billing/state/known-tiers.ts';

const price = (stripe_product_id: string, tier_name: string) => ({ stripe_product_id, tier_name });

it.each([
  ['of one tier names it', [price('prod', 'select'), price('prod', 'select')], 'select'],
  ['of two tiers names none', [price('prod', 'select'), price('prod', 'elite')], undefined],
  [
    'of two tiers names none in any order',
    [price('prod', 'select'), price('prod', 'elite'), price('prod', 'select')],
    undefined,
  ],
])('a product with prices %s', (_, prices, tier) => {
  expect(tiersByProduct(['select', 'elite'], prices).get('prod')).toBe(tier);
});

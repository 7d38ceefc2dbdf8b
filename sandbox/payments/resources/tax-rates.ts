import type Stripe from 'stripe';
import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { TaxRate } from '../http/wire.ts';
import { changed, emit, finder, newId, timeOf, type World } from '../store/world.ts';

const findTaxRate = finder('tax rate', (state) => state.tax_rates);

/** Ids of tax rates in a request. */
export const taxRateIds = p.clearable(p.listOf(p.text));

/** The tax rates of a request. Throws 400 for an unknown id. */
export function taxRatesOf(world: World, ids: string[] | null | undefined, param: string): TaxRate[] {
  return (ids ?? []).map((id, index) => findTaxRate(world, id, `${param}[${index}]`));
}

const fields = {
  active: p.flag,
  country: p.text,
  description: p.text,
  display_name: p.text,
  jurisdiction: p.text,
  metadata: p.metadata,
  state: p.text,
  tax_type: p.word<Stripe.TaxRateCreateParams.TaxType>(),
};

export const taxRateRoutes: Route[] = [
  route(
    'POST',
    '/v1/tax_rates',
    {
      ...fields,
      display_name: p.needed(p.text),
      inclusive: p.needed(p.flag),
      percentage: p.needed(p.decimal),
    },
    ({ world, params }) => {
      const { metadata, percentage, ...plain } = params;
      if (percentage < 0 || percentage > 100)
        throw invalid('Invalid percentage: must be between 0 and 100.', 'percentage');
      const rate: TaxRate = {
        ...blank('tax_rate'),
        active: true,
        ...plain,
        id: newId('txr'),
        created: timeOf(world),
        effective_percentage: percentage,
        metadata: p.mergedMetadata({}, metadata),
        percentage,
        rate_type: 'percentage',
      };
      world.state.tax_rates[rate.id] = rate;
      emit(world, 'tax_rate.created', rate);
      return rate;
    },
  ),
  list('/v1/tax_rates', (state) => state.tax_rates, { active: p.flag, inclusive: p.flag }),
  route('GET', '/v1/tax_rates/:id', {}, ({ world, id }) => findTaxRate(world, id)),
  route('POST', '/v1/tax_rates/:id', fields, ({ world, id, params }) => {
    const rate = findTaxRate(world, id);
    changed(world, 'tax_rate.updated', rate, () => p.applyFields(rate, params));
    return rate;
  }),
];

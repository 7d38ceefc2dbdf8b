import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { Coupon } from '../http/wire.ts';
import { finder, newId, timeOf } from '../store/world.ts';

const fields = {
  id: p.text,
  amount_off: p.integer,
  currency: p.text,
  duration: p.oneOf('forever', 'once', 'repeating'),
  duration_in_months: p.integer,
  name: p.text,
  percent_off: p.decimal,
};

export const findCoupon = finder('coupon', (state) => state.coupons);

function refuseWhatCannotBe({
  amount_off,
  currency,
  duration,
  duration_in_months,
  percent_off,
}: p.Params<typeof fields>): void {
  if ((amount_off === undefined) === (percent_off === undefined))
    throw invalid('You must specify either percent_off or amount_off.', 'percent_off');
  if (percent_off !== undefined && (percent_off <= 0 || percent_off > 100))
    throw invalid('Invalid percent_off: must be between 0 and 100.', 'percent_off');
  if (amount_off !== undefined && amount_off <= 0)
    throw invalid('Invalid positive integer', 'amount_off', 'parameter_invalid_integer');
  if (amount_off !== undefined && !currency)
    throw invalid('You must pass currency when passing amount_off', 'currency', 'parameter_missing');
  if ((duration === 'repeating') !== (duration_in_months ?? 0) > 0)
    throw invalid('duration_in_months must be positive if duration is repeating.', 'duration_in_months');
}

export const couponRoutes: Route[] = [
  route('POST', '/v1/coupons', fields, ({ world, params }) => {
    refuseWhatCannotBe(params);
    const id = params.id ?? newId('co', 8).slice(3);
    if (world.state.coupons[id]) throw invalid('Coupon already exists.', 'id', 'resource_already_exists');
    const coupon: Coupon = {
      ...blank('coupon'),
      metadata: {},
      id,
      amount_off: params.amount_off ?? null,
      created: timeOf(world),
      currency: params.amount_off === undefined ? null : (params.currency ?? null),
      duration: params.duration ?? 'once',
      duration_in_months: params.duration_in_months ?? null,
      name: params.name ?? null,
      percent_off: params.percent_off ?? null,
      times_redeemed: 0,
      valid: true,
    };
    world.state.coupons[id] = coupon;
    return coupon;
  }),
  list('/v1/coupons', (state) => state.coupons, {}),
  route('GET', '/v1/coupons/:id', {}, ({ world, id }) => findCoupon(world, id)),
];

import { invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { Coupon, Discount, Invoice, Subscription } from '../http/wire.ts';
import { charged } from '../invoices/amount-due.ts';
import { newId } from '../store/ids.ts';
import { timeOf, type World } from '../store/world.ts';

/** One discount of a request: a coupon to redeem, or a discount that the subscription has already. */
export const wantedDiscounts = p.clearable(p.listOf(p.record({ coupon: p.text, discount: p.text })));
export type WantedDiscounts = ReturnType<(typeof wantedDiscounts)['read']>;

function findCoupon(world: World, id: string, param?: string): Coupon {
  const found = world.state.coupons[id];
  if (!found) throw missing('coupon', id, param ?? 'id', param ? 400 : 404);
  return found;
}

function createCoupon(world: World, input: { id?: string; percent_off: number; name?: string }): Coupon {
  const id = input.id ?? newId('co', 8).slice(3);
  if (world.state.coupons[id]) throw invalid('Coupon already exists.', 'id', 'resource_already_exists');
  if (input.percent_off <= 0 || input.percent_off > 100)
    throw invalid('Invalid percent_off: must be between 0 and 100.', 'percent_off');
  const coupon: Coupon = {
    id,
    object: 'coupon',
    amount_off: null,
    created: timeOf(world),
    currency: null,
    duration: 'forever',
    duration_in_months: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    name: input.name ?? null,
    percent_off: input.percent_off,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  };
  world.state.coupons[id] = coupon;
  return coupon;
}

/** Redeems coupons for a subscription and keeps the discounts named by their ids. Returns the ids of all. */
export function redeem(world: World, subscription: Subscription, wanted: WantedDiscounts): string[] {
  return (wanted ?? []).map(({ coupon: wish, discount: kept }, index) => {
    const param = `discounts[${index}]`;
    if (!wish === !kept) throw invalid('Name either a coupon or a discount.', param);
    if (kept) {
      if (!subscription.discounts.includes(kept)) throw missing('discount', kept, `${param}[discount]`, 400);
      return kept;
    }
    const coupon = findCoupon(world, wish ?? '', `${param}[coupon]`);
    coupon.times_redeemed += 1;
    const discount: Discount = {
      id: newId('di'),
      object: 'discount',
      checkout_session: null,
      customer: subscription.customer,
      customer_account: null,
      end: null,
      invoice: null,
      invoice_item: null,
      promotion_code: null,
      source: { coupon: coupon.id, type: 'coupon' },
      start: timeOf(world, subscription.test_clock),
      subscription: subscription.id,
      subscription_item: null,
    };
    world.state.discounts[discount.id] = discount;
    return discount.id;
  });
}

function percentOff(world: World, discount: string): number {
  const coupon = world.state.discounts[discount]?.source.coupon;
  return world.state.coupons[coupon ?? '']?.percent_off ?? 0;
}

/** An amount of a subscription net of its discounts, not rounded. Prorations are billed net. */
export function netOf(world: World, subscription: string, amount: number): number {
  const discounts = world.state.subscriptions[subscription]?.discounts ?? [];
  return discounts.reduce((net, id) => net * (1 - percentOff(world, id) / 100), amount);
}

/** Subtracts the subscription's discounts from the invoice's regular lines and its total. */
export function discountInvoice(world: World, invoice: Invoice, { discounts }: Subscription): void {
  const totals = new Map<string, number>();
  for (const line of invoice.lines.data.filter(({ discountable }) => discountable)) {
    let net = line.amount;
    line.discount_amounts = discounts.map((discount) => {
      const amount = Math.round((net * percentOff(world, discount)) / 100);
      net -= amount;
      totals.set(discount, (totals.get(discount) ?? 0) + amount);
      return { amount, discount };
    });
    line.discounts = [...discounts];
  }
  invoice.discounts = [...discounts];
  invoice.total_discount_amounts = [...totals].map(([discount, amount]) => ({ amount, discount }));
  const off = [...totals.values()].reduce((sum, amount) => sum + amount, 0);
  invoice.total -= off;
  invoice.total_excluding_tax = (invoice.total_excluding_tax ?? 0) - off;
  invoice.amount_due = charged(invoice.total + invoice.starting_balance, invoice.currency).due;
  invoice.amount_remaining = invoice.amount_due;
}

export const couponRoutes: Route[] = [
  route(
    'POST',
    '/v1/coupons',
    {
      id: p.text,
      duration: p.needed(p.oneOf('forever')),
      name: p.text,
      percent_off: p.needed(p.integer),
    },
    ({ world, params }) => createCoupon(world, params),
  ),
  route('GET', '/v1/coupons/:id', {}, ({ world, id }) => findCoupon(world, id)),
];

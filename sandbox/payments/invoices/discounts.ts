import { blank } from '../http/blank.ts';
import { invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import type { Coupon, Discount, Invoice, InvoiceLine, Subscription } from '../http/wire.ts';
import { findCoupon } from '../resources/coupons.ts';
import { changed, emit, newId, timeOf, type World } from '../store/world.ts';
import { boundary } from '../subscriptions/periods.ts';
import { charged } from './amount-due.ts';

/** A discount in a request: a coupon to redeem, or a discount that the subscription already has. */
export const wantedDiscounts = p.clearable(p.listOf(p.record({ coupon: p.text, discount: p.text })));
export type WantedDiscounts = ReturnType<(typeof wantedDiscounts)['read']>;

/** Redeems coupons for a subscription and keeps the discounts named by their ids. Returns the ids of all. */
export function redeem(world: World, subscription: Subscription, wishes: WantedDiscounts): string[] {
  return (wishes ?? []).map(({ coupon: wish, discount: discountId }, index) => {
    const param = `discounts[${index}]`;
    if (!wish === !discountId) throw invalid('Name either a coupon or a discount.', param);
    if (discountId) {
      if (!subscription.discounts.includes(discountId))
        throw missing('discount', discountId, `${param}[discount]`, 400);
      return discountId;
    }
    const coupon = findCoupon(world, wish ?? '', `${param}[coupon]`);
    if (coupon.currency && coupon.currency !== subscription.currency)
      throw invalid(
        `The coupon \`${coupon.id}\` has currency ${coupon.currency}, but the subscription ${subscription.currency}.`,
        `${param}[coupon]`,
      );
    coupon.times_redeemed += 1;
    return newDiscount(world, subscription, coupon).id;
  });
}

function newDiscount(world: World, subscription: Subscription, coupon: Coupon): Discount {
  const start = timeOf(world, subscription.test_clock);
  const months = { interval: 'month', interval_count: 1 };
  const discount: Discount = {
    ...blank('discount'),
    id: newId('di'),
    customer: subscription.customer,
    end: coupon.duration_in_months === null ? null : boundary(start, months, coupon.duration_in_months),
    source: { coupon: coupon.id, type: 'coupon' },
    start,
    subscription: subscription.id,
  };
  world.state.discounts[discount.id] = discount;
  return discount;
}

function couponOf(world: World, discount: string): Coupon | undefined {
  return world.state.coupons[world.state.discounts[discount]?.source.coupon ?? ''];
}

function running(world: World, discounts: string[], at: number): string[] {
  return discounts.filter((id) => (world.state.discounts[id]?.end ?? Number.POSITIVE_INFINITY) > at);
}

/** The reduction of each amount by one coupon; earlier coupons have already reduced the amounts. */
function reductions(coupon: Coupon | undefined, amounts: number[]): number[] {
  if (!coupon) return amounts.map(() => 0);
  if (coupon.amount_off === null)
    return amounts.map((amount) => Math.round((amount * (coupon.percent_off ?? 0)) / 100));
  let remaining = coupon.amount_off;
  return amounts.map((amount) => {
    const share = Math.min(Math.max(amount, 0), remaining);
    remaining -= share;
    return share;
  });
}

/** The amount of an item net of the subscription's discounts. Prorations are billed net. */
export function netOf(world: World, subscription: string, amount: number): number {
  const { discounts = [], test_clock = null } = world.state.subscriptions[subscription] ?? {};
  return running(world, discounts, timeOf(world, test_clock)).reduce((net, id) => {
    const coupon = couponOf(world, id);
    if (coupon?.amount_off) return Math.max(0, net - coupon.amount_off);
    return net * (1 - (coupon?.percent_off ?? 0) / 100);
  }, amount);
}

/** The amount charged for a line, after its discounts. */
export function netAmount({ amount, discount_amounts }: InvoiceLine): number {
  return (discount_amounts ?? []).reduce((net, discount) => net - discount.amount, amount);
}

/** Subtracts the discounts that apply at `at` (seconds) from the invoice's regular lines and its total. */
export function discountInvoice(
  world: World,
  invoice: Invoice,
  subscription: Subscription,
  at: number,
): void {
  const discounts = running(world, subscription.discounts, at);
  const lines = invoice.lines.data.filter(({ discountable }) => discountable);
  for (const line of lines) Object.assign(line, { discount_amounts: [], discounts: [...discounts] });
  const totals = discounts.map((discount) => {
    const offs = reductions(couponOf(world, discount), lines.map(netAmount));
    for (const [index, line] of lines.entries())
      line.discount_amounts?.push({ amount: offs[index] ?? 0, discount });
    return { amount: offs.reduce((sum, amount) => sum + amount, 0), discount };
  });
  invoice.discounts = discounts;
  invoice.total_discount_amounts = totals;
  const amount = totals.reduce((sum, { amount }) => sum + amount, 0);
  invoice.total -= amount;
  invoice.total_excluding_tax = (invoice.total_excluding_tax ?? 0) - amount;
  invoice.amount_due = charged(invoice.total + invoice.starting_balance, invoice.currency).due;
  invoice.amount_remaining = invoice.amount_due;
}

/** Removes discounts that apply to one invoice only, once there was one with something to charge. */
export function spendOnceDiscounts(world: World, subscription: Subscription, invoice: Invoice): void {
  if (invoice.subtotal <= 0) return;
  dropDiscounts(world, subscription, (id) => couponOf(world, id)?.duration === 'once');
}

/** The first end of a discount of a subscription, in seconds; null if none ends. */
export function discountEnd(world: World, { discounts }: Subscription): number | null {
  const ends = discounts.map((id) => world.state.discounts[id]?.end ?? Number.POSITIVE_INFINITY);
  const first = Math.min(...ends);
  return Number.isFinite(first) ? first : null;
}

export function endDiscounts(world: World, subscription: Subscription): void {
  const ids = running(world, subscription.discounts, timeOf(world, subscription.test_clock));
  dropDiscounts(world, subscription, (id) => !ids.includes(id));
}

function dropDiscounts(world: World, subscription: Subscription, isOver: (id: string) => boolean): void {
  const ids = subscription.discounts.filter(isOver);
  if (ids.length === 0) return;
  changed(world, 'customer.subscription.updated', subscription, () => {
    subscription.discounts = subscription.discounts.filter((id) => !ids.includes(id));
  });
  for (const id of ids) emit(world, 'customer.discount.deleted', world.state.discounts[id] ?? { id });
}

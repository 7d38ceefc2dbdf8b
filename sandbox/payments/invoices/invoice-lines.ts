import { blank } from '../http/blank.ts';
import type { InvoiceLine, Price, SubscriptionItem } from '../http/wire.ts';
import { day, every, money } from '../resources/money.ts';
import { billedQuantity, costOf } from '../resources/price-lookup.ts';
import type { World } from '../store/world.ts';
import { newId } from '../store/world.ts';
import { intervalEnding, MONTHLY } from '../subscriptions/periods.ts';
import { netAmount, netOf } from './discounts.ts';

interface LineDetails {
  amount: number;
  description: string;
  price: Price;
  quantity: number;
  period: { start: number; end: number };
  subscription: string;
  item: string;
}

function baseLine(details: LineDetails): InvoiceLine {
  return {
    ...blank('line_item'),
    discount_amounts: [],
    pretax_credit_amounts: [],
    taxes: [],
    id: newId('il'),
    amount: details.amount,
    currency: details.price.currency,
    description: details.description,
    discountable: true,
    period: details.period,
    pricing: {
      price_details: { price: details.price.id, product: details.price.product },
      type: 'price_details',
      unit_amount_decimal: details.price.unit_amount_decimal,
    },
    quantity: details.quantity,
    quantity_decimal: String(details.quantity),
    subscription: details.subscription,
    subtotal: details.amount,
  };
}

function productName(world: World, price: Price): string {
  return world.state.products[price.product]?.name ?? price.nickname ?? price.id;
}

/** The line of an item for a whole period; with `isFree`, of its trial. */
export function cycleLine(
  world: World,
  subscription: string,
  item: { id: string; price: Price; quantity?: number },
  period: { start: number; end: number },
  isFree = false,
): InvoiceLine {
  const quantity = billedQuantity(item);
  const cost = costOf(world, item);
  const unit = item.price.unit_amount ?? cost;
  const name = productName(world, item.price);
  const line = baseLine({
    amount: isFree ? 0 : cost,
    description: isFree
      ? `Free trial for ${quantity} × ${name}`
      : `${quantity} × ${name} (at ${money(unit, item.price.currency)} / ${every(item.price.recurring ?? { interval: 'month', interval_count: 1 })})`,
    price: item.price,
    quantity,
    period,
    subscription,
    item: item.id,
  });
  line.parent = {
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: null,
      proration: false,
      proration_details: { credited_items: null },
      subscription,
      subscription_item: item.id,
    },
    type: 'subscription_item_details',
  };
  return line;
}

/** A line whose invoice item came from the change of a subscription item; so its parent is that item. */
function prorationLine(details: LineDetails, credits: InvoiceLine | null): InvoiceLine {
  const line = baseLine(details);
  line.discountable = false;
  line.parent = {
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: newId('ii'),
      proration: true,
      proration_details: {
        credited_items: credits?.invoice
          ? { invoice: credits.invoice, invoice_line_items: [credits.id] }
          : null,
      },
      subscription: details.subscription,
      subscription_item: details.item,
    },
    type: 'subscription_item_details',
  };
  return line;
}

/** The last line that charged for an item, which a credit refunds in part. */
function lastDebit(world: World, subscription: string, price: string): InvoiceLine | null {
  for (const invoice of Object.values(world.state.invoices).toReversed()) {
    if (invoice.parent?.subscription_details?.subscription !== subscription) continue;
    const line = invoice.lines.data.find(
      (entry) => entry.amount >= 0 && entry.pricing?.price_details?.price === price,
    );
    if (line) return line;
  }
  return null;
}

/** The credit for an item's period from `at` on, to the cent: a share of what was charged, as in flexible billing. */
export function unusedLine(
  world: World,
  subscription: string,
  item: SubscriptionItem,
  at: number,
): InvoiceLine {
  const end = item.current_period_end;
  const debit = lastDebit(world, subscription, item.price.id);
  const charge = debit?.period.end === end && debit.period.start <= at ? debit : null;
  const anchor = world.state.subscriptions[subscription]?.billing_cycle_anchor ?? item.current_period_start;
  const { start } = charge?.period ?? intervalEnding(anchor, item.price.recurring ?? MONTHLY, end);
  const price = charge ? netAmount(charge) : netOf(world, subscription, costOf(world, item));
  return prorationLine(
    {
      amount: -Math.round((price * (end - at)) / (end - start)) || 0,
      description: `Unused time on ${productName(world, item.price)} after ${day(at)}`,
      price: item.price,
      quantity: billedQuantity(item),
      period: { start: at, end },
      subscription,
      item: item.id,
    },
    debit,
  );
}

/** The charge for an item from `at` to the end of the current period, rounded to the cent. */
export function remainingLine(
  world: World,
  subscription: string,
  item: { id: string; price: Price; quantity?: number },
  period: { start: number; end: number },
  at: number,
): InvoiceLine {
  const price = netOf(world, subscription, costOf(world, item));
  return prorationLine(
    {
      amount: Math.round((price * (period.end - at)) / (period.end - period.start)),
      description: `Remaining time on ${productName(world, item.price)} after ${day(at)}`,
      price: item.price,
      quantity: billedQuantity(item),
      period: { start: at, end: period.end },
      subscription,
      item: item.id,
    },
    null,
  );
}

import { currentTransaction } from '../balance/transactions.ts';
import { cardSource } from '../resources/card-sources.ts';
import { lineItemsOf } from '../resources/checkout-sessions.ts';
import type { World } from '../store/world.ts';
import { invalid, StripeFault } from './errors.ts';
import { whole } from './wire.ts';

type Json = Record<string, unknown>;

/** Finds an object by its id, whose prefix names the table. Undefined for any other text. */
function lookUp(world: World, id: string): object | undefined {
  const s = world.state;
  const tables: [string, Record<string, object>][] = [
    ['cus_', s.customers],
    ['prod_', s.products],
    ['price_', s.prices],
    ['cs_', s.sessions],
    ['pm_', s.payment_methods],
    ['sub_sched_', s.schedules],
    ['sub_', s.subscriptions],
    ['in_', s.invoices],
    ['cn_', s.credit_notes],
    ['ii_', s.invoice_items],
    ['inpay_', s.invoice_payments],
    ['pi_', s.payment_intents],
    ['ch_', s.charges],
    ['re_', s.refunds],
    ['du_', s.disputes],
    ['po_', s.payouts],
    ['di_', s.discounts],
    ['bpc_', s.portal_configurations],
    ['clock_', s.test_clocks],
    ['txr_', s.tax_rates],
  ];
  const table = tables.find(([prefix]) => id.startsWith(prefix))?.[1];
  const object = table && Object.hasOwn(table, id) ? table[id] : undefined;
  if (object) return object;
  // Stripe accounts can choose the ids of their products and coupons.
  for (const table of [s.products, s.coupons]) if (Object.hasOwn(table, id)) return table[id];
  return s.deleted_customers[id] ?? cardSource(world, id) ?? currentTransaction(world, id);
}

/** A price of the sandbox has one currency. */
function ownCurrency({ state }: World, id: string): object {
  const price = state.prices[id];
  if (!price) return {};
  const { custom_unit_amount, tax_behavior, unit_amount, unit_amount_decimal } = price;
  return { [price.currency]: { custom_unit_amount, tax_behavior, unit_amount, unit_amount_decimal } };
}

/** A list that an object contains only when it is expanded. Undefined for any other name. */
function includable(world: World, owner: Json, name: string): object | undefined {
  const id = String(owner.id);
  const lists: Record<string, () => object> = {
    'price.tiers': () => world.state.price_tiers[id] ?? [],
    'price.currency_options': () => ownCurrency(world, id),
    'checkout.session.line_items': () => lineItemsOf(world, id),
    'invoice.payments': () =>
      whole(
        Object.values(world.state.invoice_payments).filter((payment) => payment.invoice === id),
        `/v1/invoice_payments?invoice=${id}`,
      ),
  };
  return lists[`${String(owner.object)}.${name}`]?.();
}

/**
 * Copies a response with the given references replaced by their objects; without any, returns it as it is. Paths have at
 * most four levels, and start with `data` on a list. Throws 400 for a path that does not exist.
 */
export function expanded(world: World, response: object, paths: string[]): object {
  if (paths.length === 0) return response;
  const copy = structuredClone(response);
  for (const path of paths) {
    const levels = path.split('.');
    if (levels.length > 4)
      throw new StripeFault(400, {
        type: 'invalid_request_error',
        code: 'property_expansion_max_depth',
        message: `You cannot expand more than 4 levels of a property. Property: ${path}`,
      });
    follow(world, copy, levels, path);
  }
  return copy;
}

function follow(world: World, node: unknown, levels: string[], path: string): void {
  const [name, ...rest] = levels;
  if (name === undefined || node === null || node === undefined) return;
  if (Array.isArray(node)) {
    for (const entry of node) follow(world, entry, levels, path);
    return;
  }
  if (typeof node !== 'object') throw notExpandable(path);
  const owner = node as Json;
  // A deleted customer has only its id; expanding other fields of it is still allowed.
  if (owner.deleted === true) return;
  if (owner[name] === undefined) {
    const list = includable(world, owner, name);
    if (!list) throw notExpandable(path);
    owner[name] = structuredClone(list);
  } else if (typeof owner[name] === 'string') {
    const object = name === 'id' ? undefined : lookUp(world, owner[name]);
    if (!object) throw notExpandable(path);
    owner[name] = structuredClone(object);
  } else if (Array.isArray(owner[name]) && rest.length === 0 && name !== 'data') {
    owner[name] = owner[name].map((entry) =>
      typeof entry === 'string' ? (lookUp(world, entry) ?? entry) : entry,
    );
  } else if (owner[name] !== null && rest.length === 0 && typeof owner[name] !== 'object') {
    throw notExpandable(path);
  }
  follow(world, owner[name], rest, path);
}

function notExpandable(path: string): StripeFault {
  return invalid(
    `This property cannot be expanded (${path}). You may want to try expanding another property, or check the API documentation for which properties are expandable.`,
    'expand',
  );
}

import type Stripe from 'stripe';
import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { CheckoutSession, LineItem, List } from '../http/wire.ts';
import { pageInOrder, whole } from '../http/wire.ts';
import { taxOn } from '../invoices/amount-due.ts';
import { emit, finder, type World } from '../store/world.ts';
import { createSession, sessionFields } from './checkout-session-create.ts';

const findSession = finder('checkout.session', (state) => state.sessions);

/** Expires an open session. Emits `checkout.session.expired`. */
export function expireSession(world: World, session: CheckoutSession): void {
  session.status = 'expired';
  session.url = null;
  const cart = world.state.carts[session.id];
  if (cart) cart.challenge = null;
  emit(world, 'checkout.session.expired', session);
}

/** The line items of a session, in the order given; for `expand[]=line_items` and for their own list. */
export function lineItemsOf(world: World, id: string): List<LineItem> {
  const items = (world.state.carts[id]?.items ?? []).map((item): LineItem => {
    const price = world.state.prices[item.price] ?? null;
    const amount = (price?.unit_amount ?? 0) * item.quantity;
    const tax = world.state.carts[id]?.automatic_tax ? taxOn(world, amount, price?.tax_behavior) : null;
    const taxAmount = tax?.tax_behavior === 'exclusive' ? tax.amount : 0;
    return {
      ...blank('item'),
      id: item.id,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: tax?.amount ?? 0,
      amount_total: amount + taxAmount,
      currency: price?.currency ?? 'usd',
      description: (price && world.state.products[price.product]?.name) ?? null,
      metadata: {},
      price,
      quantity: item.quantity,
    };
  });
  return whole(items, `/v1/checkout/sessions/${id}/line_items`);
}

export const sessionRoutes: Route[] = [
  route('POST', '/v1/checkout/sessions', sessionFields, ({ world, params }) => createSession(world, params)),
  list('/v1/checkout/sessions', (state) => state.sessions, {
    customer: p.text,
    status: p.word<Stripe.Checkout.SessionListParams.Status>(),
  }),
  route('GET', '/v1/checkout/sessions/:id', {}, ({ world, id }) => findSession(world, id)),
  route('GET', '/v1/checkout/sessions/:id/line_items', p.paging, ({ world, id, params }) => {
    const { data, url } = lineItemsOf(world, findSession(world, id).id);
    return pageInOrder(data, params, url);
  }),
  route('POST', '/v1/checkout/sessions/:id/expire', {}, ({ world, id }) => {
    const session = findSession(world, id);
    if (session.status !== 'open')
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    expireSession(world, session);
    return session;
  }),
];

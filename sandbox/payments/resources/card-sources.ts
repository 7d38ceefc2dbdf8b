import { blank } from '../http/blank.ts';
import { cardDeclined, invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { Customer, PaymentMethod, SourceCard } from '../http/wire.ts';
import { changed, emit, newId, timeOf, type World } from '../store/world.ts';
import { bankDecline, TEST_CARDS } from './cards.ts';
import { findCustomer } from './customers.ts';
import { createPaymentMethod } from './payment-methods.ts';

/** Stripe's test tokens. */
const TOKENS: Record<string, string> = {
  tok_visa: '4242424242424242',
  tok_mastercard: '5555555555554444',
  tok_chargeDeclined: '4000000000000002',
  tok_chargeCustomerFail: '4000000000000341',
};

/** A card as the older Sources API shows it, by its id; undefined if it is not one. */
export function cardSource(world: World, id: string): SourceCard | undefined {
  const method = id.startsWith('card_') ? world.state.payment_methods[id] : undefined;
  if (!method?.card) return undefined;
  const { brand, country, exp_month, exp_year, fingerprint = null, funding, last4 } = method.card;
  return {
    ...blank('card'),
    id,
    brand: brand === 'visa' ? 'Visa' : 'MasterCard',
    country,
    customer: method.customer,
    cvc_check: 'pass',
    exp_month,
    exp_year,
    fingerprint,
    funding,
    last4,
    metadata: {},
    name: method.billing_details.name,
  };
}

/** Stores the card behind a token. The first one, or one that is asked to, becomes the customer's default source. */
export function addSource(
  world: World,
  customer: Customer,
  token: string,
  isDefault: boolean,
): PaymentMethod {
  const card = TEST_CARDS.find(({ number }) => number === TOKENS[token]);
  if (!card) throw missing('token', token, 'source', 400);
  const decline = card.kind === 'fails_later' ? null : bankDecline({ kind: card.kind, authenticated: false });
  if (decline) throw cardDeclined(decline);
  const year = new Date(timeOf(world) * 1000).getUTCFullYear() + 3;
  const method = createPaymentMethod(world, { ...card, month: 12, year }, newId('card'));
  method.customer = customer.id;
  emit(world, 'customer.source.created', cardSource(world, method.id) ?? method);
  if (isDefault || customer.default_source === null) customer.default_source = method.id;
  return method;
}

/** Throws 400 unless the card is a source of the customer. */
export function refuseForeignSource(world: World, customer: string, id: string): void {
  if (cardSource(world, id)?.customer === customer) return;
  throw invalid(`No such source: '${id}'`, 'default_source', 'resource_missing');
}

export const cardSourceRoutes: Route[] = [
  route('POST', '/v1/customers/:id/sources', { source: p.needed(p.text) }, ({ world, id, params }) => {
    const customer = findCustomer(world, id);
    let card: object = {};
    changed(world, 'customer.updated', customer, () => {
      const method = addSource(world, customer, params.source, false);
      card = cardSource(world, method.id) ?? card;
    });
    return card;
  }),
];

import { createHash } from 'node:crypto';
import { blank } from '../http/blank.ts';
import { cardDeclined, invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { PaymentMethod } from '../http/wire.ts';
import { page } from '../http/wire.ts';
import { changed, emit, finder, newId, timeOf, type World } from '../store/world.ts';
import { bankDecline, type CardBehavior, TEST_CARDS } from './cards.ts';
import { findCustomer, NO_ADDRESS } from './customers.ts';

export interface NewCard {
  number: string;
  month: number;
  year: number;
  kind: CardBehavior['kind'];
  brand: string;
  name?: string | null;
  email?: string | null;
}

/** Stripe's names for test cards, for tests without a card form. */
const READY: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequired: '4000002760003184',
};

export const findPaymentMethod = finder('PaymentMethod', (state) => state.payment_methods);

/** Throws 400 in Stripe's words unless the payment method is attached to the customer. */
export function refuseForeignMethod(world: World, customer: string, id: string, param: string): void {
  if (findPaymentMethod(world, id, param).customer === customer) return;
  throw invalid(
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    param,
    'resource_missing',
  );
}

/** Creates a card without a customer. Only its last four digits are stored. */
export function createPaymentMethod(world: World, card: NewCard, id = newId('pm')): PaymentMethod {
  const method: PaymentMethod = {
    ...blank('payment_method'),
    metadata: {},
    id,
    allow_redisplay: 'limited',
    billing_details: {
      address: { ...NO_ADDRESS },
      email: card.email ?? null,
      name: card.name ?? null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: card.month,
      exp_year: card.year,
      fingerprint: createHash('sha256').update(card.number).digest('hex').slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: timeOf(world),
    type: 'card',
  };
  world.state.payment_methods[method.id] = method;
  world.state.cards[method.id] = { kind: card.kind, authenticated: false };
  return method;
}

export function attach(world: World, method: PaymentMethod, customer: string): void {
  method.customer = customer;
  emit(world, 'payment_method.attached', method);
}

/** Creates a card for a name such as `pm_card_visa`, or finds a card by its id. */
function resolveCard(world: World, id: string, param?: string): PaymentMethod {
  const number = READY[id];
  const card = TEST_CARDS.find((card) => card.number === number);
  if (!card) return findPaymentMethod(world, id, param);
  const year = new Date(timeOf(world) * 1000).getUTCFullYear() + 3;
  return createPaymentMethod(world, { ...card, month: 12, year });
}

export const paymentMethodRoutes: Route[] = [
  route(
    'GET',
    '/v1/payment_methods',
    { ...p.paging, customer: p.text, type: p.text },
    ({ world, params }) => {
      if (params.customer) findCustomer(world, params.customer, 'customer');
      const methods = Object.values(world.state.payment_methods).filter(
        (method) =>
          method.customer !== null &&
          (params.customer === undefined || method.customer === params.customer) &&
          (params.type === undefined || method.type === params.type),
      );
      return page(methods, params, '/v1/payment_methods');
    },
  ),
  route('GET', '/v1/payment_methods/:id', {}, ({ world, id }) => findPaymentMethod(world, id)),
  route('POST', '/v1/payment_methods/:id/attach', { customer: p.needed(p.text) }, ({ world, id, params }) => {
    const customer = findCustomer(world, params.customer, 'customer');
    const method = resolveCard(world, id);
    if (method.customer && method.customer !== customer.id)
      throw invalid('The payment method you provided has already been attached to a customer.', 'id');
    const behavior = world.state.cards[method.id];
    const decline = behavior && behavior.kind !== 'fails_later' ? bankDecline(behavior) : null;
    if (decline) throw cardDeclined(decline);
    if (!method.customer) attach(world, method, customer.id);
    return method;
  }),
  route('POST', '/v1/payment_methods/:id/detach', {}, ({ world, id }) => {
    const method = findPaymentMethod(world, id);
    if (!method.customer)
      throw invalid(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      );
    const owner = world.state.customers[method.customer];
    changed(world, 'payment_method.detached', method, () => {
      method.customer = null;
    });
    if (owner?.invoice_settings.default_payment_method === id)
      changed(world, 'customer.updated', owner, () => {
        owner.invoice_settings.default_payment_method = null;
      });
    for (const subscription of Object.values(world.state.subscriptions))
      if (subscription.default_payment_method === id) subscription.default_payment_method = null;
    return method;
  }),
];

import { defaultConfiguration, findConfiguration } from '../account/portal-configurations.ts';
import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { PaymentMethod, PortalSession } from '../http/wire.ts';
import { changed, newId, timeOf, type World } from '../store/world.ts';
import { bankDecline, type CardEntry, readCard, requiresAuthentication } from './cards.ts';
import { type CheckoutProblems, isCard } from './checkout-payment.ts';
import { findCustomer } from './customers.ts';
import { attach, createPaymentMethod } from './payment-methods.ts';

const sessionFields = {
  customer: p.needed(p.text),
  return_url: p.url,
  configuration: p.text,
  flow_data: p.needed(
    p.record({
      type: p.needed(p.oneOf('payment_method_update')),
      after_completion: p.record({
        type: p.needed(p.oneOf('redirect')),
        redirect: p.record({ return_url: p.needed(p.url) }),
      }),
    }),
  ),
};

/** Opens the page for changing the payment method, the only one of the portal that the sandbox has. */
function createSession(world: World, params: p.Params<typeof sessionFields>): PortalSession {
  const customer = findCustomer(world, params.customer, 'customer');
  const configuration = params.configuration
    ? findConfiguration(world, params.configuration, 'configuration')
    : defaultConfiguration(world);
  const { type, after_completion } = params.flow_data;
  if (!configuration.active)
    throw invalid(`The portal configuration ${configuration.id} is not active.`, 'configuration');
  if (!configuration.features[type].enabled)
    throw invalid(
      `This flow needs ${type}, which the portal configuration ${configuration.id} does not enable.`,
      'flow_data[type]',
    );
  const id = newId('bps');
  const session: PortalSession = {
    ...blank('billing_portal.session'),
    id,
    configuration: configuration.id,
    created: timeOf(world),
    customer: customer.id,
    flow: {
      after_completion: {
        hosted_confirmation: null,
        redirect: after_completion?.redirect ?? null,
        type: after_completion?.type ?? 'portal_homepage',
      },
      customer_update: null,
      subscription_cancel: null,
      subscription_pause: null,
      subscription_update: null,
      subscription_update_confirm: null,
      type,
    },
    return_url: params.return_url ?? null,
    url: `${world.publicUrl}/p/session/${id}`,
  };
  world.state.portal_sessions[id] = session;
  return session;
}

export type CardChange =
  | { kind: 'saved' }
  | { kind: 'authenticate' }
  | { kind: 'declined'; problems: CheckoutProblems };

/** Saves a card entered in the portal. Cards that would be declined are declined here too, except 0341. */
export function enterCard(world: World, session: PortalSession, entry: CardEntry): CardChange {
  const card = readCard(entry, timeOf(world));
  if (!isCard(card)) return { kind: 'declined', problems: card };
  const behavior = { kind: card.kind, authenticated: false };
  const decline = card.kind === 'fails_later' ? null : bankDecline(behavior);
  if (decline)
    return { kind: 'declined', problems: { form: `${decline.message} Please try a different card.` } };
  const customer = world.state.customers[session.customer];
  const method = createPaymentMethod(world, { ...card, name: entry.name.trim(), email: customer?.email });
  if (requiresAuthentication(behavior)) {
    world.state.portal_challenges[session.id] = { token: newId('auth'), payment_method: method.id };
    return { kind: 'authenticate' };
  }
  adoptCard(world, session.customer, method);
  return { kind: 'saved' };
}

/** Completes the bank's page for a card entered in the portal. */
export function confirmCard(
  world: World,
  session: PortalSession,
  token: string,
  isPassed: boolean,
): CardChange {
  const challenge = world.state.portal_challenges[session.id];
  delete world.state.portal_challenges[session.id];
  const method = challenge && world.state.payment_methods[challenge.payment_method];
  if (!challenge || !method || challenge.token !== token || !isPassed)
    return {
      kind: 'declined',
      problems: { form: 'We are unable to authenticate your payment method. Please try a different card.' },
    };
  const behavior = world.state.cards[method.id];
  if (behavior) behavior.authenticated = true;
  adoptCard(world, session.customer, method);
  return { kind: 'saved' };
}

/** Makes the card the customer's default only, as Stripe does: a subscription's own method still wins. */
function adoptCard(world: World, id: string, method: PaymentMethod): void {
  const customer = findCustomer(world, id);
  attach(world, method, id);
  changed(world, 'customer.updated', customer, () => {
    customer.invoice_settings.default_payment_method = method.id;
  });
}

export const portalRoutes: Route[] = [
  route('POST', '/v1/billing_portal/sessions', sessionFields, ({ world, params }) =>
    createSession(world, params),
  ),
];

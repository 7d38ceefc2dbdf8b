import type { CheckoutSession, PaymentIntent, PaymentMethod } from '../http/wire.ts';
import { createPostPaymentInvoice } from '../invoices/post-payment-invoice.ts';
import { changed, clockOf, emit, newId, timeOf, type World } from '../store/world.ts';
import { startSubscription } from '../subscriptions/subscription-create.ts';
import {
  bankDecline,
  type CardEntry,
  type CardField,
  DECLINED,
  type EnteredCard,
  offeredWallets,
  putInto,
  readCard,
  requiresAuthentication,
} from './cards.ts';
import { leaveUnderWay } from './charging.ts';
import { lineItemsOf } from './checkout-sessions.ts';
import { createCustomer, NO_ADDRESS } from './customers.ts';
import { attach, createPaymentMethod } from './payment-methods.ts';
import { createIntent, recordCharge } from './payment-records.ts';
import { recurringPrice } from './price-lookup.ts';

export interface CheckoutEntry extends CardEntry {
  email: string;
  /** The wallet to pay with instead of the card form; empty for the form. */
  wallet?: string;
}
export type CheckoutProblems = Partial<Record<CardField | 'email' | 'form', string>>;

export type CheckoutResult =
  | { kind: 'complete' }
  | { kind: 'closed' }
  | { kind: 'authenticate'; token: string }
  | { kind: 'declined'; problems: CheckoutProblems };

/**
 * Submits the payment page; submitting twice pays once. A declined payment leaves it open, with nothing created; one that
 * requires 3-D Secure has created a card, and waits for completeChallenge.
 */
export function submitCheckout(world: World, session: CheckoutSession, entry: CheckoutEntry): CheckoutResult {
  const cart = world.state.carts[session.id];
  if (session.status === 'complete') return { kind: 'complete' };
  if (session.status !== 'open' || !cart) return { kind: 'closed' };
  const problems: CheckoutProblems = {};
  const email = fixedEmail(world, session) ?? entry.email.trim();
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) problems.email = 'Enter a valid email address.';
  const wallet = offeredWallets(world.state.settings.payment_methods, session).find(
    (name) => name === entry.wallet,
  );
  if (entry.wallet && !wallet) problems.form = 'This payment method is not available.';
  const card = readCard(wallet ? inWallet(world) : entry, timeOf(world));
  if (!isCard(card)) Object.assign(problems, card);
  if (!isCard(card) || problems.email || problems.form) return { kind: 'declined', problems };
  const decline = bankDecline({ kind: card.kind, authenticated: false });
  if (decline) {
    const hint =
      decline.decline_code === 'insufficient_funds'
        ? ' Try a different card.'
        : ' Please try a different card.';
    return { kind: 'declined', problems: { form: decline.message + hint } };
  }
  const method = createPaymentMethod(world, { ...card, name: entry.name.trim(), email });
  if (wallet) putInto(wallet, method);
  if (requiresAuthentication({ kind: card.kind, authenticated: false })) {
    const token = newId('auth');
    cart.challenge = { token, payment_method: method.id, email, name: entry.name.trim() };
    return { kind: 'authenticate', token };
  }
  complete(world, session, method, email, entry.name.trim());
  return { kind: 'complete' };
}

function inWallet(world: World): CardEntry {
  const year = new Date(timeOf(world) * 1000).getUTCFullYear() + 3;
  return { number: '4242424242424242', expiry: `12/${year}`, cvc: '123', name: 'Wallet' };
}

/** Completes the bank's page. A token other than the session's current one counts as a failure. */
export function completeChallenge(
  world: World,
  session: CheckoutSession,
  token: string,
  isPassed: boolean,
): CheckoutResult {
  const cart = world.state.carts[session.id];
  if (session.status === 'complete') return { kind: 'complete' };
  if (session.status !== 'open' || !cart) return { kind: 'closed' };
  const challenge = cart.challenge;
  const method = challenge && world.state.payment_methods[challenge.payment_method];
  cart.challenge = null;
  if (!challenge || !method || challenge.token !== token || !isPassed)
    return {
      kind: 'declined',
      problems: {
        form: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      },
    };
  const behavior = world.state.cards[method.id];
  if (behavior) behavior.authenticated = true;
  complete(world, session, method, challenge.email, challenge.name);
  return { kind: 'complete' };
}

export function successUrl(session: CheckoutSession): string {
  return (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

/** The email given by the shop, which the customer cannot change on the page; null for none. */
export function fixedEmail(world: World, session: CheckoutSession): string | null {
  return world.state.customers[session.customer ?? '']?.email ?? session.customer_email;
}

export function isCard(result: ReturnType<typeof readCard>): result is EnteredCard {
  return 'kind' in result;
}

function complete(
  world: World,
  session: CheckoutSession,
  method: PaymentMethod,
  email: string,
  name: string,
): void {
  const cart = world.state.carts[session.id];
  if (!cart) return;
  let customer = world.state.customers[session.customer ?? ''];
  if (!customer) {
    customer = createCustomer(world, { email, name });
    emit(world, 'customer.created', customer);
  }
  const owner = customer;
  // A one-time payment stores no card.
  if (session.mode === 'subscription') attach(world, method, owner.id);
  changed(world, 'customer.updated', owner, () => {
    owner.email ??= email;
    owner.name ??= name;
    // With tax, Stripe's page asks for the address; the sandbox has one rate everywhere.
    if (cart.automatic_tax) owner.address ??= { ...NO_ADDRESS, country: 'US' };
  });
  if (session.mode === 'payment') payOnce(world, session, method, owner.id);
  else subscribe(world, session, method, owner.id);
  session.status = 'complete';
  if (cart.automatic_tax) session.automatic_tax.status = 'complete';
  session.url = null;
  session.customer = owner.id;
  session.customer_details = {
    address: { ...NO_ADDRESS, country: 'US' },
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
  emit(world, 'checkout.session.completed', session);
}

function subscribe(world: World, session: CheckoutSession, method: PaymentMethod, customer: string): void {
  const cart = world.state.carts[session.id];
  if (!cart) return;
  const { subscription, invoice } = startSubscription(
    world,
    {
      customer,
      items: cart.items.map((item) => ({
        price: recurringPrice(world, item.price),
        quantity: item.quantity,
      })),
      trial_end: cart.trial_end,
      metadata: cart.subscription_metadata,
      default_payment_method: method.id,
      automatic_tax: cart.automatic_tax,
    },
    { method, authenticated: true },
  );
  session.amount_total = invoice.total;
  session.total_details = {
    amount_discount: 0,
    amount_shipping: 0,
    amount_tax: (invoice.total_taxes ?? []).reduce((sum, tax) => sum + tax.amount, 0),
  };
  session.payment_status = invoice.amount_paid > 0 ? 'paid' : 'no_payment_required';
  session.subscription = subscription.id;
  session.invoice = invoice.id;
}

/**
 * Charges a session for a one-time payment, with a separate intent; the invoice, if the shop asked for one, comes after. By a bank
 * debit the intent is under way until it is settled or failed by hand.
 */
function payOnce(world: World, session: CheckoutSession, method: PaymentMethod, customer: string): void {
  const cart = world.state.carts[session.id];
  const lines = lineItemsOf(world, session.id).data;
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0);
  const intent = createIntent(world, {
    amount: total,
    currency: session.currency ?? 'usd',
    customer,
    description: null,
    created: timeOf(world, clockOf(world, customer)),
    setup_future_usage: null,
    metadata: cart?.payment_metadata ?? {},
  });
  session.amount_total = total;
  session.total_details = {
    amount_discount: 0,
    amount_shipping: 0,
    amount_tax: lines.reduce((sum, line) => sum + line.amount_tax, 0),
  };
  session.payment_intent = intent.id;
  if (world.state.settings.charges === 'pending') leaveUnderWay(world, intent, method);
  else receive(world, session, intent, method);
}

function receive(world: World, session: CheckoutSession, intent: PaymentIntent, method: PaymentMethod): void {
  const cart = world.state.carts[session.id];
  const lines = lineItemsOf(world, session.id).data;
  recordCharge(world, null, intent, method, null);
  session.payment_status = 'paid';
  if (cart?.invoice) session.invoice = createPostPaymentInvoice(world, session, lines, intent, cart.invoice);
}

/** The newest page whose payment is under way, and what it is paid with; null without one. */
function pageUnderWay(world: World) {
  for (const session of Object.values(world.state.sessions).reverse()) {
    const intent = world.state.payment_intents[idOf(session.payment_intent)];
    const method = world.state.payment_methods[idOf(intent?.payment_method ?? null)];
    if (intent?.status === 'processing' && method) return { session, intent, method };
  }
  return null;
}

const idOf = (of: string | { id: string } | null): string => (typeof of === 'string' ? of : (of?.id ?? ''));

/** The newest one-time payment that is under way succeeds; null without one. */
export function settlePage(world: World): CheckoutSession | null {
  const page = pageUnderWay(world);
  if (!page) return null;
  receive(world, page.session, page.intent, page.method);
  emit(world, 'checkout.session.async_payment_succeeded', page.session);
  return page.session;
}

/** As settlePage, but the bank declines it, and the page stays complete without a payment. */
export function failPage(world: World): CheckoutSession | null {
  const page = pageUnderWay(world);
  if (!page) return null;
  recordCharge(world, null, page.intent, page.method, DECLINED);
  emit(world, 'checkout.session.async_payment_failed', page.session);
  return page.session;
}

import type Stripe from 'stripe';
import { v7 } from 'uuid';
import type { Tx } from '../../../src/server/db/client.ts';
import { membership_applications, profiles } from '../../../src/server/db/schema.ts';
import { approveAtVenue, stripeCustomerId } from './member-state.ts';
import type { SandboxControls } from './sandbox-controls.ts';
import type { VenueParts } from './venue-parts.ts';

export const CARD = { number: '4242424242424242', expiry: '12/49', cvc: '123', name: 'Ada Guest' };
export const DECLINED = '4000000000000002';

interface Applicant {
  user: string;
  application: string;
}

export interface VenueActions {
  /** A user with a complete, unpaid application. */
  applicant(tier?: string): Promise<Applicant>;
  /** A new application for a user without a pending one. */
  reapply(user: string, tier?: string): Promise<string>;
  /** The URL of the payment page. */
  checkout(applicant: Applicant, tier?: string): Promise<string>;
  /** Submits a payment page's form; returns the status: 303 paid, 402 declined. */
  pay(url: string, card?: Partial<typeof CARD & { wallet: string }>): Promise<number>;
  /**
   * A member who paid by card, with the payment recorded by one reconciliation, as on return from the payment page. The
   * sandbox's events of it are lost.
   */
  member(tier?: string): Promise<Applicant>;
  /**
   * Replaces the customer's default card, like the portal, with one of Stripe's test cards, such as
   * pm_card_chargeCustomerFail.
   */
  changeCard(user: string, card: string): Promise<void>;
  /** Pays an invoice, by default the newest open one, with another card, which does not become the default. */
  payInvoice(user: string, invoice?: string): Promise<void>;
  /** Approves a member who pays at the venue, like staff do. */
  approveAtVenue(user: string, within?: Tx): Promise<void>;
  /** The user's only subscription at Stripe; throws if there is not exactly one. */
  subscription(user: string): Promise<Stripe.Subscription>;
}

/** Actions of members and staff, through billing or at Stripe. */
export function venueActions(
  { db, clock, sandbox, stripe, billing }: VenueParts,
  { delivered, deliveryMode, webhooks }: SandboxControls,
): VenueActions {
  const actions: VenueActions = {
    async applicant(tier = 'select') {
      const user = v7();
      const email = `${user}@example.test`;
      await db
        .insert(profiles)
        .values({ id: user, name: 'Ada Guest', email, first_name: 'Ada', last_name: 'Guest' });
      return { user, application: await actions.reapply(user, tier) };
    },
    async reapply(user, tier = 'select') {
      const id = v7();
      await db.insert(membership_applications).values({
        id,
        user_id: user,
        status: 'pending',
        is_complete: true,
        selected_tier: tier,
        current_step: 2,
        created_at: clock.now(),
        updated_at: clock.now(),
      });
      return id;
    },
    async checkout({ user, application }, tier = 'select') {
      return (await billing.createCheckout(user, { tierName: tier, applicationId: application })).url;
    },
    async pay(url, card = {}) {
      const form = new URLSearchParams({ email: 'guest@example.test', ...CARD, ...card });
      // The page's URL has the host for browsers.
      const page = url.replace(/^https?:\/\/[^/]+/, sandbox.url);
      const response = await sandbox.fetch(page, { method: 'POST', body: form, redirect: 'manual' });
      await response.body?.cancel();
      return response.status;
    },
    async member(tier = 'select') {
      const applicant = await actions.applicant(tier);
      const url = await actions.checkout(applicant, tier);
      const isNormal = (await deliveryMode()) === 'normal';
      if (isNormal) await webhooks('drop');
      await actions.pay(url);
      await delivered();
      await billing.reconcile(applicant.user);
      if (isNormal) await webhooks('normal');
      return applicant;
    },
    async changeCard(user, card) {
      const customer = await stripeCustomerId(db, user);
      const method = await stripe.paymentMethods.attach(card, { customer });
      await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
      await delivered();
    },
    async payInvoice(user, invoice) {
      const customer = await stripeCustomerId(db, user);
      const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
      const open = invoice ?? (await stripe.invoices.list({ customer, status: 'open' })).data[0]?.id ?? '';
      await stripe.invoices.pay(open, { payment_method: card.id });
      await delivered();
    },
    async approveAtVenue(user, within) {
      if (within) return approveAtVenue(within, user, clock.now());
      await db.transaction((tx) => approveAtVenue(tx, user, clock.now()));
    },
    async subscription(user) {
      const customer = await stripeCustomerId(db, user);
      const { data } = await stripe.subscriptions.list({ customer, status: 'all' });
      const [only] = data;
      if (!only || data.length > 1) throw new Error(`Expected one subscription, found ${data.length}`);
      return only;
    },
  };
  return actions;
}

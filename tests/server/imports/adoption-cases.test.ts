import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  lookAtStripe,
  rowOf,
  type StripeClub,
  settleAdoptions,
  stripeClub,
} from '../../support/fixtures/stripe-club.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/imports.md, "Taking over subscriptions from Stripe": the Stripe data of an established club.

let app: TestApp;
let staff: Caller;
let club: StripeClub;
let premier: string;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  club = stripeClub(app);
  premier = await club.price('Premier', 5900);
});
afterAll(() => app.close());

/** The invoices of a customer at Stripe, oldest first. */
async function billed(customer: string) {
  const { data } = await club.stripe.invoices.list({ customer, limit: 100 });
  return data
    .toReversed()
    .map(({ status, amount_due, amount_paid, created }) => ({ status, amount_due, amount_paid, created }));
}

type Made = { customer: string; subscription: string };
/** Makes a subscription of this kind at Stripe for a named customer. */
type Kind = (name: string) => Promise<Made>;

const own = async (made: Made) => {
  const card = await club.stripe.paymentMethods.attach('pm_card_mastercard', { customer: made.customer });
  await club.stripe.subscriptions.update(made.subscription, { default_payment_method: card.id });
  return made;
};

it('a subscription is billed by Stripe after it was taken over exactly like one that was not', async () => {
  const cheese = await club.price('Cheese box', 1500);
  const coupon = await club.stripe.coupons.create({ percent_off: 20, duration: 'forever' });
  const begins = Math.floor(app.clock.now().getTime() / 1000);
  const kinds: Record<string, Kind> = {
    plain: (name) => club.subscriber(premier, { name }),
    trial: (name) => club.subscriber(premier, { name, trial_period_days: 20 }),
    ending: (name) => club.subscriber(premier, { name, cancel_at_period_end: true }),
    'ending on a day': (name) => club.subscriber(premier, { name, cancel_at: begins + 45 * 86_400 }),
    discounted: (name) => club.subscriber(premier, { name, discounts: [{ coupon: coupon.id }] }),
    'with an add-on': (name) => club.subscriber([premier, cheese], { name }),
    'with a card of its own': async (name) => own(await club.subscriber(premier, { name })),
    paused: async (name) => {
      const made = await club.subscriber(premier, { name });
      await club.stripe.subscriptions.update(made.subscription, {
        pause_collection: { behavior: 'void', resumes_at: begins + 40 * 86_400 },
      });
      return made;
    },
    'beside a subscription of something else': async (name) => {
      const made = await club.subscriber(premier, { name });
      await club.stripe.subscriptions.create({ customer: made.customer, items: [{ price: cheese }] });
      return made;
    },
  };
  const pairs: [string, taken: Made, left: Made][] = [];
  // A one-word name cannot be taken over.
  for (const [kind, make] of Object.entries(kinds)) {
    pairs.push([kind, await make('Ana Ruiz'), await make('Madonna')]);
  }
  await club.advance(10);
  const charged = await Promise.all(pairs.map(([, { customer }]) => billed(customer)));
  const { id } = await lookAtStripe(app, staff);
  await staff.must('POST', `/api/adoptions/${id}/start`, {});
  await settleAdoptions(app);
  await club.delivered();
  for (const [kind, { subscription }, left] of pairs) {
    expect([kind, (await rowOf(staff, id, subscription)).outcome]).toEqual([kind, 'imported']);
    expect((await rowOf(staff, id, left.subscription)).problems).toEqual(['name_missing_at_stripe']);
  }
  expect(await Promise.all(pairs.map(([, { customer }]) => billed(customer)))).toEqual(charged);

  await club.advance(60);
  for (const [kind, taken, left] of pairs) {
    expect([kind, await billed(taken.customer)]).toEqual([kind, await billed(left.customer)]);
    const [here, there] = await Promise.all(
      [taken, left].map(({ subscription }) => club.stripe.subscriptions.retrieve(subscription)),
    );
    const stateOf = (it: typeof here) => [it?.status, it?.items.data[0]?.current_period_end, it?.cancel_at];
    expect([kind, stateOf(here)]).toEqual([kind, stateOf(there)]);
  }
});

it('a subscription stays at Stripe, with a reason, if a schedule, quantity, debt or membership would change its charge', async () => {
  const scheduled = await club.subscriber(premier);
  const customer = await club.customer();
  const double = await club.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: premier, quantity: 2 }],
  });
  const twice = await club.subscriber(premier);
  const second = await club.stripe.subscriptions.create({
    customer: twice.customer,
    items: [{ price: premier }],
  });
  const failing = await club.subscriber(premier);
  const card = await club.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: failing.customer,
  });
  await club.stripe.customers.update(failing.customer, {
    invoice_settings: { default_payment_method: card.id },
  });
  await club.advance(32);
  await club.stripe.subscriptionSchedules.create({ from_subscription: scheduled.subscription });
  const { id } = await lookAtStripe(app, staff);
  const problems = async (subscription: string) => (await rowOf(staff, id, subscription)).problems;
  expect(await problems(scheduled.subscription)).toEqual(['on_schedule']);
  expect(await problems(double.id)).toEqual(['several_memberships']);
  expect(await problems(twice.subscription)).toEqual(['two_subscriptions']);
  expect(await problems(second.id)).toEqual(['two_subscriptions']);
  expect(await problems(failing.subscription)).toEqual(['overdue']);
});

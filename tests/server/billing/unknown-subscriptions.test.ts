import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { createBilling } from '../../../src/server/billing/reconcile/create-billing.ts';
import type { Services } from '../../../src/server/context.ts';
import { billing_customer, profiles, staff_notice } from '../../../src/server/db/schema.ts';
import { openAdminSocket } from '../../../src/server/http/admin-socket.ts';
import { changeAnswers } from '../../support/billing/answers.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { payerAtStripe } from '../../support/billing/payer-at-stripe.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';
import { dataFolder } from '../../support/harness/installation.ts';
import { runHere } from '../../support/harness/program.ts';

// docs/run/back-up.md: a restored backup does not have the accounts made after it.

beforeAll(openSharedDatabase);

const noticesOf = async ({ db }: Venue) =>
  db.select().from(staff_notice).where(eq(staff_notice.kind, 'unknown_subscription'));
const factsOf = async (venue: Venue) => (await noticesOf(venue)).map(({ facts }) => facts);
/** Lets Stripe send an event about the customer. */
async function touch({ stripe, delivered }: Venue, customer: string) {
  await stripe.customers.update(customer, { metadata: { touched: v7() } });
  await delivered();
}

describe('a subscription on our price whose customer has no account here', () => {
  it('is listed with person, tier, amount and start', async () => {
    const venue = await openVenue();
    await venue.member();
    const { customer, subscription } = await payerAtStripe(venue, { email: 'Ada@Example.test' });
    expect(await venue.billing.listUnknownSubscriptions()).toEqual([
      {
        stripe_subscription_id: subscription,
        stripe_customer_id: customer,
        name: 'Ada Vine',
        email: 'ada@example.test',
        tier: 'select',
        amount_cents: 3900,
        currency: 'usd',
        interval: 'month',
        started_at: expect.stringMatching(/^2026-/),
        user_id: null,
      },
    ]);
  });

  it('is not listed on a product of another business, without a first payment, or once it has ended', async () => {
    const venue = await openVenue();
    const product = await venue.stripe.products.create({ name: 'Newsletter' });
    const other = await venue.stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
      metadata: { tier: 'gold' },
    });
    await payerAtStripe(venue, { price: other.id });
    await payerAtStripe(venue, { card: 'pm_card_chargeCustomerFail' });
    const { subscription } = await payerAtStripe(venue);
    await venue.stripe.subscriptions.cancel(subscription);
    expect(await venue.billing.listUnknownSubscriptions()).toEqual([]);
  });

  it('is listed with the price of all its items of one kind', async () => {
    const venue = await openVenue();
    const { subscription } = await payerAtStripe(venue);
    const { items } = await venue.stripe.subscriptions.retrieve(subscription);
    await venue.stripe.subscriptions.update(subscription, {
      items: [{ id: items.data[0]?.id, quantity: 2 }],
    });
    expect(await venue.billing.listUnknownSubscriptions()).toMatchObject([{ amount_cents: 7800 }]);
  });

  it('is listed beyond the first page of the account', async () => {
    const venue = await openVenue();
    const first = await payerAtStripe(venue);
    const second = await payerAtStripe(venue, { email: 'bea@example.test', name: 'Bea Vine' });
    const { billing } = changeAnswers(venue, {
      answer({ path, query }, json) {
        if (path !== '/v1/subscriptions' || query.has('starting_after')) return;
        json.data.length = 1;
        json.has_more = true;
      },
    });
    const unknown = await billing.listUnknownSubscriptions();
    expect(unknown.map((it) => it.stripe_subscription_id)).toEqual([second.subscription, first.subscription]);
  });

  it('names no account that was deleted, or has another customer at Stripe', async () => {
    const venue = await openVenue();
    const { user: member } = await venue.member();
    const { user: gone } = await venue.applicant();
    await venue.db.update(profiles).set({ erased_at: venue.clock.now() }).where(eq(profiles.id, gone));
    for (const user_id of [member, gone]) await payerAtStripe(venue, { user_id });
    expect(await venue.billing.listUnknownSubscriptions()).toMatchObject([
      { user_id: null },
      { user_id: null },
    ]);
  });

  it('is posted for staff once, by the first webhook about its customer', async () => {
    const venue = await openVenue();
    const { customer, subscription } = await payerAtStripe(venue);
    await touch(venue, customer);
    await touch(venue, customer);
    expect(await noticesOf(venue)).toMatchObject([
      {
        user_id: null,
        facts: { state: 'running', name: 'Ada Vine', tier: 'select', stripe_subscription_id: subscription },
      },
    ]);
    expect(venue.responses.every((status) => status === 200)).toBe(true);
  });

  it('its notice says that it ended, and forgets the person', async () => {
    const venue = await openVenue();
    const { customer, subscription } = await payerAtStripe(venue);
    await touch(venue, customer);
    await venue.stripe.subscriptions.cancel(subscription);
    await venue.delivered();
    expect(await factsOf(venue)).toMatchObject([{ state: 'ended', name: null, email: null }]);
  });

  it('its notice is gone once an account has it', async () => {
    const venue = await openVenue();
    const user = v7();
    const { customer } = await payerAtStripe(venue, { user_id: user });
    await touch(venue, customer);
    const names = { name: 'Ada Vine', first_name: 'Ada', last_name: 'Vine' };
    await venue.db.insert(profiles).values({ id: user, email: 'ada@example.test', ...names });
    await touch(venue, customer);
    expect(await noticesOf(venue)).toEqual([]);
    expect(await venue.hasAccess(user)).toBe(true);
  });

  it('a webhook about a customer of another business posts nothing', async () => {
    const venue = await openVenue();
    const customer = await venue.stripe.customers.create({ email: 'reader@example.test' });
    await touch(venue, customer.id);
    expect(await noticesOf(venue)).toEqual([]);
  });
});

/** Runs a command beside the venue's server. */
async function runBeside(venue: Venue, command: string) {
  const folder = dataFolder();
  const services = { ...venue.deps, billing: createBilling(venue.deps) } as unknown as Services;
  const socket = await openAdminSocket(folder.path, services);
  try {
    return await runHere(command, [], {
      DATA_DIR: folder.path,
      PUBLIC_URL: 'https://club.example',
      STRIPE_API_URL: venue.sandbox.url,
      STRIPE_SECRET_KEY: venue.sandbox.stripeSecretKey,
    });
  } finally {
    await socket.close();
    folder.remove();
  }
}

describe('stripe replay', () => {
  const replay = (venue: Venue) => runBeside(venue, 'stripe replay');

  it('names who pays without an account, and posts it for staff', async () => {
    const venue = await openVenue();
    const { subscription } = await payerAtStripe(venue);
    const { code, output } = await replay(venue);
    expect(output).toContain(
      `No account here for Ada Vine (ada@example.test): Select, $39.00 per month since 2026-06-15, ${subscription}; ` +
        'connect it with Find Subscriptions at https://club.example/staff/members/import',
    );
    expect(code).toBe(1);
    expect(await factsOf(venue)).toMatchObject([{ state: 'running', stripe_subscription_id: subscription }]);
  });

  it('connects a member whose card payments began after the backup', async () => {
    const venue = await openVenue();
    const { user } = await venue.applicant();
    const { customer } = await payerAtStripe(venue, { user_id: user });
    const { code, output } = await replay(venue);
    expect(output).toBe('Replayed 0 stored events of 0 customers.\n');
    expect(code).toBe(0);
    expect(await venue.db.select().from(billing_customer)).toMatchObject([
      { user_id: user, stripe_customer_id: customer },
    ]);
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'active', tier: 'select' } });
    expect(await noticesOf(venue)).toEqual([]);
  });

  it('says that Stripe did not answer instead of that all is well', async () => {
    const venue = await openVenue();
    await venue.control('fail-next', { path: '/v1/subscriptions', method: 'GET', status: 500 });
    const { code, output } = await replay(venue);
    expect(output).toContain('1 could not be brought up to date');
    expect(code).toBe(1);
  });
});

describe('the other commands', () => {
  it('stripe check finds who pays without an account wrong', async () => {
    const venue = await openVenue();
    const findings = async () =>
      (await venue.billing.checkStripe()).findings.filter(({ about }) => about === 'subscriptions');
    expect(await findings()).toMatchObject([{ health: 'well' }]);
    const { subscription } = await payerAtStripe(venue);
    expect(await findings()).toMatchObject([
      { health: 'failing', text: expect.stringContaining(subscription) },
    ]);
    expect(await noticesOf(venue)).toEqual([]);
  });

  it('doctor finds them wrong too, by asking the server', async () => {
    const venue = await openVenue();
    const line = async () =>
      /^ {2}(ok|wrong): +Subscriptions +(.*(\n {4}.*)*)$/m.exec((await runBeside(venue, 'doctor')).output);
    expect((await line())?.[1]).toBe('ok');
    await payerAtStripe(venue);
    expect((await line())?.[1]).toBe('wrong');
    expect((await line())?.[2]).toContain('Ada Vine (ada@example.test): Select');
  });
});

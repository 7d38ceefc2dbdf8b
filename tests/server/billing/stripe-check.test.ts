import { beforeAll, describe, expect, it, test } from 'vitest';
import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import { stripe_mode, tier_price } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openSetupVenue, type SetupVenue } from '../../support/billing/stripe-setup.ts';

beforeAll(openSharedDatabase);

/** A venue with everything right at Stripe. */
async function readyVenue(): Promise<SetupVenue> {
  const venue = await openSetupVenue();
  await venue.reachable().setUpStripe();
  await venue.control('settings', { tax_status: 'active' });
  return venue;
}

const ownEndpoint = async ({ stripe }: SetupVenue) =>
  (await stripe.webhookEndpoints.list()).data[0]?.id ?? '';
const ownPortal = async ({ stripe }: SetupVenue) =>
  (await stripe.billingPortal.configurations.list({ is_default: false })).data[0]?.id ?? '';

describe('checking Stripe', () => {
  it('after the setup nothing is wrong, and what the API does not show is listed for a manual check', async () => {
    const venue = await readyVenue();
    expect(await venue.lines('failing')).toEqual([]);
    const about = (await venue.lines('attention')).map((line) => line.split(':')[0]);
    expect(about).toEqual(['one subscription', 'retries', 'emails']);
    expect((await venue.lines('attention')).join('\n')).toContain('at least 7 days');
    expect((await venue.lines('well')).map((line) => line.split(':')[0])).toEqual([
      'key',
      'key',
      'account',
      'statement',
      'webhook endpoint',
      'deliveries',
      'our endpoint',
      'portal',
      'price of select',
      'price of premier',
      'price of elite',
      'price of household',
      'subscriptions',
      'tax',
      'payment methods',
    ]);
  });

  it('changes nothing, even where nothing is set up', async () => {
    const venue = await openSetupVenue();
    const before = await (await fetch(`${venue.sandbox.url}/_sandbox/state`)).json();
    expect(await venue.lines('failing')).toEqual([
      expect.stringMatching(/^webhook endpoint: .*does not exist$/),
      expect.stringContaining('portal: it has no configuration of ours'),
      ...['select', 'premier', 'elite', 'household'].map((tier) => `price of ${tier}: not created yet`),
    ]);
    const after = await (await fetch(`${venue.sandbox.url}/_sandbox/state`)).json();
    expect(after).toMatchObject({ webhook_endpoints: {}, prices: {} });
    expect(after.events).toEqual(before.events);
  });

  const spoiled: [string, (venue: SetupVenue) => Promise<unknown>, RegExp][] = [
    [
      'a disabled endpoint',
      async (venue) => venue.stripe.webhookEndpoints.update(await ownEndpoint(venue), { disabled: true }),
      /^webhook endpoint: .*is disabled/,
    ],
    [
      'an event that is not sent',
      async (venue) =>
        venue.stripe.webhookEndpoints.update(await ownEndpoint(venue), { enabled_events: ['invoice.paid'] }),
      /^webhook endpoint: .*does not send .*charge\.refunded/,
    ],
    [
      'events that nothing handles',
      async (venue) =>
        venue.stripe.webhookEndpoints.update(await ownEndpoint(venue), { enabled_events: ['*'] }),
      /^webhook endpoint: .*nothing handles: \*/,
    ],
    [
      'a second endpoint of another version',
      async (venue) => {
        const { url } = await venue.stripe.webhookEndpoints.retrieve(await ownEndpoint(venue));
        return venue.stripe.webhookEndpoints.create({ url, enabled_events: ['*'] });
      },
      /^webhook endpoint: .*2 endpoints send to the same URL/,
    ],
    [
      'a portal where members can cancel',
      async (venue) =>
        venue.stripe.billingPortal.configurations.update(await ownPortal(venue), {
          features: { subscription_cancel: { enabled: true } },
        }),
      /^portal: .*subscription_cancel is on/,
    ],
    [
      'a portal that is not active',
      async (venue) =>
        venue.stripe.billingPortal.configurations.update(await ownPortal(venue), { active: false }),
      /^portal: .*not active/,
    ],
    [
      'an archived price',
      async (venue) => {
        const [row] = await venue.db.select().from(tier_price);
        return venue.stripe.prices.update(row?.stripe_price_id ?? '', { active: false });
      },
      /^price of \w+: .*archived/,
    ],
    ['prices of another account', (venue) => venue.control('reset'), /^price of select: .*another account/],
    [
      'a price whose amount changed here',
      (venue) => venue.db.update(tier_price).set({ amount_cents: 1 }),
      /^price of select: not created yet/,
    ],
    [
      'an account that is not activated',
      (venue) => venue.control('settings', { charges_enabled: false }),
      /^account: .*can't take payments/,
    ],
    [
      'no statement descriptor',
      (venue) => venue.control('settings', { statement_descriptor: null }),
      /^statement: no statement descriptor/,
    ],
    [
      'an account without cards',
      (venue) => venue.control('settings', { payment_methods: ['link'] }),
      /^payment methods: cards are off/,
    ],
    [
      'a permission that the key lacks',
      (venue) => venue.control('fail-next', { path: '/v1/refunds', status: 403 }),
      /^key: it may not read Refunds/,
    ],
    [
      'a part that Stripe cannot answer',
      (venue) => venue.control('fail-next', { path: '/v1/billing_portal/configurations/', status: 500 }),
      /^portal: Stripe answered/,
    ],
  ];
  test.each(spoiled)('finds %s', async (_name, spoil, line) => {
    const venue = await readyVenue();
    await spoil(venue);
    const found = await venue.lines('failing');
    expect(found).toContainEqual(expect.stringMatching(line));
  });

  it('setting up again repairs what it finds', async () => {
    const venue = await readyVenue();
    await venue.stripe.webhookEndpoints.update(await ownEndpoint(venue), { disabled: true });
    await venue.stripe.billingPortal.configurations.update(await ownPortal(venue), { active: false });
    expect(await venue.lines('failing')).toHaveLength(2);
    await venue.reachable().setUpStripe();
    expect(await venue.lines('failing')).toEqual([]);
  });

  it('calls our own URL: does it answer, and does the server know the secret', async () => {
    const venue = await readyVenue();
    expect(await venue.lines('failing', { webhookSecrets: ['whsec_new'] })).toEqual([
      expect.stringMatching(/^our endpoint: .*does not know this STRIPE_WEBHOOK_SECRET: restart/),
    ]);
    expect(await venue.lines('failing', { webhookSecrets: [] })).toEqual([
      'webhook secret: none is known here, so nothing that Stripe sends is believed',
    ]);
    // Nothing listens on port 9.
    const away = await venue.lines('failing', { publicUrl: 'http://127.0.0.1:9' });
    expect(away).toContainEqual(expect.stringMatching(/^our endpoint: .*does not answer/));
    expect(venue.responses.at(-1)).toBe(400);
  });

  it('events that did not arrive are listed for a manual check', async () => {
    const venue = await readyVenue();
    const elsewhere = await venue.stripe.webhookEndpoints.create({
      url: 'http://127.0.0.1:9/',
      enabled_events: ['customer.created'],
    });
    await venue.stripe.customers.create();
    await venue.advance({ minutes: 120 });
    await venue.stripe.webhookEndpoints.del(elsewhere.id);
    expect(await venue.lines('attention')).toContainEqual(expect.stringMatching(/^deliveries: 1 events/));
  });

  it('slow payment methods, no tax, and the portal’s own login link are listed for a manual check', async () => {
    const venue = await readyVenue();
    await venue.control('settings', { tax_status: 'pending', payment_methods: ['card', 'us_bank_account'] });
    const [main] = (await venue.stripe.billingPortal.configurations.list({ is_default: true })).data;
    await venue.stripe.billingPortal.configurations.update(main?.id ?? '', { login_page: { enabled: true } });
    expect(await venue.lines('failing')).toEqual([]);
    expect(await venue.lines('attention')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^payment methods: us_bank_account/),
        expect.stringMatching(/^tax: Stripe Tax is not set up \(head_office missing\)/),
        expect.stringMatching(/^portal: the login link/),
      ]),
    );
  });

  it('in test mode an account may still wait for its activation', async () => {
    const venue = await readyVenue();
    await venue.control('settings', { charges_enabled: false, statement_descriptor: null });
    const inMode = (mode: 'live' | 'test') => venue.lines('failing', { key: { mode, restricted: false } });
    expect(await inMode('test')).toEqual([]);
    expect((await inMode('live')).map((line) => line.split(':')[0])).toEqual(['account', 'statement']);
  });

  it('a restricted key that cannot see the account is fine, but its write permissions must be checked by hand', async () => {
    const venue = await readyVenue();
    await venue.control('fail-next', { path: '/v1/account', status: 403 });
    const key = { mode: 'demo' as const, restricted: true };
    const { findings } = await venue.reachable({ key }).checkStripe();
    expect(findings.filter(({ health }) => health === 'failing')).toEqual([]);
    expect(findings.filter(({ health }) => health === 'attention').map(({ about }) => about)).toEqual([
      'key',
      'account',
      'one subscription',
      'retries',
      'emails',
    ]);
  });

  it('a key of another mode than the database’s is found before the server refuses to start', async () => {
    const venue = await readyVenue();
    await venue.db.insert(stripe_mode).values({ mode: 'live', since: venue.clock.now() });
    const key = { mode: 'test' as const, restricted: false };
    expect(await venue.lines('failing', { key })).toEqual([
      expect.stringMatching(/^database: .*real payments, but STRIPE_SECRET_KEY is a test key/),
    ]);
  });

  test.each([
    ['a key that Stripe does not take', { secretKey: 'sk_live_of_another' }, /rejects STRIPE_SECRET_KEY/],
    ['a Stripe that cannot be reached', { apiUrl: 'http://127.0.0.1:9' }, /can’t reach Stripe/],
  ])('%s is the only finding', async (_name, changed, text) => {
    const venue = await openSetupVenue();
    const connection = { secretKey: venue.sandbox.stripeSecretKey, apiUrl: venue.sandbox.url, ...changed };
    const stripe = createStripe({ ...connection, maxNetworkRetries: 0 });
    const { findings } = await venue.reachable({ stripe }).checkStripe();
    expect(findings).toEqual([{ health: 'failing', about: 'key', text: expect.stringMatching(text) }]);
  });
});

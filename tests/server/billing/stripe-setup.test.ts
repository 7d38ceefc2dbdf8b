import { beforeAll, describe, expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '../../../src/server/billing/webhook.ts';
import { stripe_setup } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openSetupVenue, type SetupVenue } from '../../support/billing/stripe-setup.ts';

beforeAll(openSharedDatabase);

const endpoints = async ({ stripe }: SetupVenue) => (await stripe.webhookEndpoints.list()).data;
const outcomes = async (venue: SetupVenue) =>
  (await venue.reachable().setUpStripe()).steps.map((it) => it.outcome);

describe('setting Stripe up', () => {
  it('makes the webhook endpoint, the portal configuration and the prices; again it changes nothing', async () => {
    const venue = await openSetupVenue();
    const { steps, webhookSecret } = await venue.reachable().setUpStripe();
    expect(steps.map(({ outcome }) => outcome)).toEqual(Array(6).fill('made'));
    expect(webhookSecret).toMatch(/^whsec_/);
    const [endpoint] = await endpoints(venue);
    expect(endpoint).toMatchObject({
      api_version: '2026-10-28.endive',
      enabled_events: WEBHOOK_EVENTS,
      status: 'enabled',
      url: expect.stringMatching(/\/api\/stripe\/webhook$/),
    });
    const prices = (await venue.stripe.prices.list()).data;
    expect(prices.map(({ metadata }) => metadata.tier).sort()).toEqual([
      'elite',
      'household',
      'premier',
      'select',
    ]);

    const again = await venue.reachable().setUpStripe();
    expect(again.steps.map(({ outcome }) => outcome)).toEqual(Array(6).fill('unchanged'));
    expect(again.webhookSecret).toBeNull();
    expect(await endpoints(venue)).toEqual([endpoint]);
    expect((await venue.stripe.prices.list()).data).toEqual(prices);
  });

  it('the secret that it prints is the one with which Stripe signs', async () => {
    const venue = await openSetupVenue();
    const { webhookSecret } = await venue.reachable().setUpStripe();
    const server = venue.reachable({ webhookSecrets: [webhookSecret ?? ''] });
    venue.serveWith(server);
    const { user, application } = await venue.applicant();
    const { url } = await server.createCheckout(user, { tierName: 'select', applicationId: application });
    await venue.pay(url);
    await venue.delivered();
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' } });
  });

  it('members change their payment method with our portal configuration, which offers nothing else', async () => {
    const venue = await openSetupVenue();
    await venue.reachable().setUpStripe();
    const { user } = await venue.member();
    await venue.billing.openPaymentMethodPage(user);
    const response = await fetch(`${venue.sandbox.url}/_sandbox/state`);
    const { portal_sessions } = (await response.json()) as {
      portal_sessions: Record<string, { configuration: string }>;
    };
    const [session] = Object.values(portal_sessions);
    expect(
      await venue.stripe.billingPortal.configurations.retrieve(session?.configuration ?? ''),
    ).toMatchObject({
      is_default: false,
      features: {
        payment_method_update: { enabled: true },
        customer_update: { enabled: false },
        invoice_history: { enabled: false },
        subscription_cancel: { enabled: false },
        subscription_update: { enabled: false },
      },
    });
  });

  it('repairs what somebody changed in the dashboard, as often as they change it', async () => {
    const venue = await openSetupVenue();
    await venue.reachable().setUpStripe();
    const [endpoint] = await endpoints(venue);
    const [portal] = (await venue.stripe.billingPortal.configurations.list({ is_default: false })).data;
    for (let round = 0; round < 2; round++) {
      await venue.stripe.webhookEndpoints.update(endpoint?.id ?? '', {
        disabled: true,
        enabled_events: ['invoice.paid'],
      });
      await venue.stripe.billingPortal.configurations.update(portal?.id ?? '', {
        active: false,
        features: { subscription_cancel: { enabled: true } },
      });
      expect((await outcomes(venue)).slice(0, 2)).toEqual(['changed', 'changed']);
      expect(await endpoints(venue)).toMatchObject([{ status: 'enabled', enabled_events: WEBHOOK_EVENTS }]);
      expect(await venue.stripe.billingPortal.configurations.retrieve(portal?.id ?? '')).toMatchObject({
        active: true,
        features: { subscription_cancel: { enabled: false } },
      });
    }
    expect(await outcomes(venue)).toEqual(Array(6).fill('unchanged'));
  });

  it('takes an endpoint that was made by hand as its own', async () => {
    const venue = await openSetupVenue();
    await venue.reachable().setUpStripe();
    const before = await endpoints(venue);
    await venue.db.delete(stripe_setup);
    const { steps, webhookSecret } = await venue.reachable().setUpStripe();
    expect(steps[0]).toMatchObject({ outcome: 'unchanged' });
    expect(webhookSecret).toBeNull();
    expect(await endpoints(venue)).toEqual(before);
  });

  it('replaces an endpoint of another API version, and leaves one enabled', async () => {
    const venue = await openSetupVenue();
    const first = await venue.reachable().setUpStripe();
    const [right] = await endpoints(venue);
    const url = right?.url ?? '';
    await venue.stripe.webhookEndpoints.del(right?.id ?? '');
    const old = await venue.stripe.webhookEndpoints.create({ url, enabled_events: ['*'] });
    const { webhookSecret } = await venue.reachable().setUpStripe();
    expect(webhookSecret).toMatch(/^whsec_/);
    expect(webhookSecret).not.toBe(first.webhookSecret);
    const now = await endpoints(venue);
    expect(now.find(({ id }) => id === old.id)?.status).toBe('disabled');
    expect(now.filter(({ status }) => status === 'enabled')).toMatchObject([
      { api_version: '2026-10-28.endive' },
    ]);
  });

  it('a run whose answer was lost is continued: one endpoint, and its secret is not lost', async () => {
    const venue = await openSetupVenue();
    // The SDK repeats a request by itself once when the connection was closed.
    const lost = { path: '/v1/webhook_endpoints', method: 'POST', kind: 'drop', when: 'after', times: 2 };
    await venue.control('fail-next', lost);
    const broken = await venue.reachable().setUpStripe();
    expect(broken.steps[0]).toMatchObject({ outcome: 'failed' });
    expect(broken.webhookSecret).toBeNull();
    expect(await endpoints(venue)).toHaveLength(1);

    const { steps, webhookSecret } = await venue.reachable().setUpStripe();
    expect(steps[0]).toMatchObject({ outcome: 'made' });
    expect(webhookSecret).toMatch(/^whsec_/);
    expect(await endpoints(venue)).toHaveLength(1);
    expect(await outcomes(venue)).toEqual(Array(6).fill('unchanged'));
  });

  it('what the key may not make is reported, and the rest is made', async () => {
    const venue = await openSetupVenue();
    await venue.control('fail-next', { path: '/v1/billing_portal', status: 403 });
    expect(await outcomes(venue)).toEqual(['made', 'failed', 'made', 'made', 'made', 'made']);
    expect(await outcomes(venue)).toEqual(['unchanged', 'made', ...Array(4).fill('unchanged')]);
  });
});

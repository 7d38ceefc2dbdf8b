import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { resealStripeSecret } from '../../../src/server/billing/setup/webhook-secrets.ts';
import { WEBHOOK_EVENTS } from '../../../src/server/billing/webhook-events.ts';
import { keyFor } from '../../../src/server/config/purpose-key.ts';
import { audit_entry, profiles, stripe_setup } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openSetupVenue, type SetupVenue } from '../../support/billing/stripe-setup.ts';

beforeAll(openSharedDatabase);

const endpoints = async ({ stripe }: SetupVenue) => (await stripe.webhookEndpoints.list()).data;
const outcomes = async (venue: SetupVenue) =>
  (await venue.reachable().setUpStripe()).steps.map((it) => it.outcome);

describe('setting Stripe up', () => {
  it('makes the webhook endpoint, the portal configuration and the prices; a second run changes nothing', async () => {
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

  it('prints the secret with which Stripe signs', async () => {
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

  it('repairs what someone changed in the dashboard, as often as they change it', async () => {
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

  it('adopts an endpoint that was made by hand', async () => {
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

  it('a run whose answer was lost is continued: there is one endpoint, with a known secret', async () => {
    const venue = await openSetupVenue();
    // The SDK itself repeats a request once after a closed connection.
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

  it('what the key has no permission to make is reported, and the rest is made', async () => {
    const venue = await openSetupVenue();
    await venue.control('fail-next', { path: '/v1/billing_portal', status: 403 });
    expect(await outcomes(venue)).toEqual(['made', 'failed', 'made', 'made', 'made', 'made']);
    expect(await outcomes(venue)).toEqual(['unchanged', 'made', ...Array(4).fill('unchanged')]);
  });
});

describe('setting Stripe up from the office', () => {
  const sealing = {
    key: keyFor('secret of the venue', 'stripe-webhook/v1'),
    newSecret: () => randomBytes(32).toString('base64url'),
  };
  /** A server without any signing secret. */
  const office = (venue: SetupVenue) => venue.reachable({ webhookSecrets: [], sealing });
  /** Everything at Stripe, made by the product or by hand. */
  const atStripe = async ({ sandbox }: SetupVenue) => {
    const { webhook_endpoints, portal_configurations, prices, products } = (await (
      await fetch(`${sandbox.url}/_sandbox/state`)
    ).json()) as Record<string, Record<string, { active?: boolean }>>;
    // The try-out leaves archived ones behind.
    const sold = (all = {}) =>
      Object.values(all as Record<string, { active?: boolean }>).filter((it) => it.active);
    return { webhook_endpoints, portal_configurations, prices: sold(prices), products: sold(products) };
  };
  const asStaff = async ({ db, deps }: SetupVenue) => {
    const staff = { user_id: deps.newId(), role: 'staff' as const, device: 'Office' };
    const sam = { name: 'Sam', email: 'sam@example.test', first_name: 'Sam', last_name: 'Staff' };
    await db.insert(profiles).values({ id: staff.user_id, ...sam });
    return staff;
  };

  it('does what it listed and nothing else; a second run changes nothing; each change is in the audit', async () => {
    const venue = await openSetupVenue();
    const actor = await asStaff(venue);
    const before = await atStripe(venue);
    const { steps, plan } = await office(venue).planStripe();
    expect(await atStripe(venue)).toEqual(before);
    expect(steps.map(({ outcome }) => outcome)).toEqual(Array(6).fill('make'));
    const done = await office(venue).setUpByStaff(actor, { plan });
    expect(done.steps.map(({ outcome }) => outcome)).toEqual(Array(6).fill('made'));
    expect(JSON.stringify(done)).not.toContain('whsec_');

    const again = await office(venue).planStripe();
    const after = await atStripe(venue);
    expect((await office(venue).setUpByStaff(actor, again)).steps.map(({ outcome }) => outcome)).toEqual(
      Array(6).fill('unchanged'),
    );
    expect(await atStripe(venue)).toEqual(after);
    expect(await venue.db.select().from(audit_entry)).toMatchObject([
      { act: 'payments_set_up', actor_id: actor.user_id, facts: { mode: 'demo', made: 6, changed: 0 } },
    ]);
  });

  it('tries Stripe out; a refusal closes joining and gifts, until a try-out without one', async () => {
    const venue = await openSetupVenue();
    const server = office(venue);
    const actor = await asStaff(venue);
    const { user, application } = await venue.applicant();
    const join = () => server.createCheckout(user, { tierName: 'select', applicationId: application });
    const setUp = async () => server.setUpByStaff(actor, await server.planStripe());
    const page = { path: '/v1/checkout/sessions', method: 'POST' };

    await venue.control('fail-next', { ...page, status: 400 });
    const refused = await setUp();
    expect(refused).toMatchObject({ closed: true });
    const sentence = 'This error was requested at /_sandbox/fail-next.';
    expect(refused.tried.filter(({ verdict }) => verdict !== 'ok')).toEqual([
      { verdict: 'refused', about: 'page for a membership', text: sentence },
    ]);
    await expect(join()).rejects.toMatchObject({ code: 'JOINING_CLOSED' });
    await expect(
      server.gifts.buy(user, {
        request_id: venue.deps.newId(),
        tier: 'select',
        months: 3,
        from_name: 'Ada',
        to_name: 'Grace',
        delivery: 'card',
      }),
    ).rejects.toMatchObject({ code: 'JOINING_CLOSED' });
    expect((await server.checkStripe()).findings.filter(({ about }) => about === 'joining')).toEqual([
      { health: 'failing', about: 'joining', setup: true, text: expect.stringContaining(sentence) },
    ]);

    // Once for each of the two pages of Checkout.
    await venue.control('fail-next', { ...page, status: 503, times: 2 });
    expect(await setUp()).toMatchObject({ closed: true });

    expect(await setUp()).toMatchObject({ closed: false });
    expect((await join()).url).toMatch(/^http/);
    const acts = (await venue.db.select().from(audit_entry)).filter(({ act }) => act === 'joining_tried');
    expect(acts.map(({ facts }) => facts)).toEqual([
      { mode: 'demo', joining: 'closed' },
      { mode: 'demo', joining: 'open' },
    ]);
  });

  it('an outage during the try-out leaves joining open', async () => {
    const venue = await openSetupVenue();
    const server = office(venue);
    const actor = await asStaff(venue);
    await server.setUpByStaff(actor, await server.planStripe());
    await venue.control('fail-next', { path: '/v1/checkout/sessions', status: 503, times: 2 });
    expect(await server.setUpByStaff(actor, await server.planStripe())).toMatchObject({ closed: false });
  });

  it('accepts what the stored secret signs, which the database holds encrypted', async () => {
    const venue = await openSetupVenue();
    const server = office(venue);
    await server.setUpByStaff(await asStaff(venue), await server.planStripe());
    venue.serveWith(server);
    const { user, application } = await venue.applicant();
    await venue.pay(
      (await server.createCheckout(user, { tierName: 'select', applicationId: application })).url,
    );
    await venue.delivered();
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' } });
    expect(await venue.lines('failing', { webhookSecrets: [], sealing })).toEqual([]);
    expect(JSON.stringify(await venue.db.select().from(stripe_setup))).not.toContain('whsec_');

    const moved = { key: keyFor('another', 'stripe-webhook/v1'), newSecret: sealing.newSecret };
    const stranger = { webhookSecrets: [], sealing: moved };
    expect(await venue.lines('failing', stranger)).toEqual([
      expect.stringMatching(/^webhook secret: none is known/),
    ]);
    const secrets = { current: 'another', previous: 'secret of the venue' };
    for (let round = 0; round < 2; round++) await resealStripeSecret(venue, secrets, sealing.newSecret);
    venue.serveWith(venue.reachable(stranger));
    expect(await venue.lines('failing', stranger)).toEqual([]);
  });

  it('replaces an endpoint whose secret is unknown here, because Stripe does not show it again', async () => {
    const venue = await openSetupVenue();
    await venue.reachable().setUpStripe();
    const [old] = await endpoints(venue);
    const server = office(venue);
    const plan = await server.planStripe();
    expect(plan.steps.slice(0, 2)).toEqual([
      { outcome: 'make', text: expect.stringMatching(/^a webhook endpoint/) },
      { outcome: 'change', text: expect.stringContaining(`${old?.id}, to the same URL: disabled`) },
    ]);
    await server.setUpByStaff(await asStaff(venue), plan);
    const enabled = (await endpoints(venue)).filter(({ status }) => status === 'enabled');
    expect(enabled).toHaveLength(1);
    expect(enabled[0]?.id).not.toBe(old?.id);
  });

  it('does nothing if Stripe has changed since the list was shown', async () => {
    const venue = await openSetupVenue();
    const actor = await asStaff(venue);
    const server = office(venue);
    await server.setUpByStaff(actor, await server.planStripe());
    const [endpoint] = await endpoints(venue);
    const seen = await server.planStripe();
    await venue.stripe.webhookEndpoints.update(endpoint?.id ?? '', { disabled: true });
    await expect(server.setUpByStaff(actor, seen)).rejects.toMatchObject({ code: 'SETUP_CHANGED' });
    expect((await endpoints(venue))[0]?.status).toBe('disabled');
  });

  it('says what to do about a key that cannot read, or cannot write', async () => {
    const venue = await openSetupVenue();
    const server = office(venue);
    await venue.control('fail-next', { path: '/v1/webhook_endpoints', status: 403 });
    const text = expect.stringMatching(/^webhook endpoint: .*Edit the key in Stripe's dashboard/);
    expect((await server.planStripe()).steps[0]).toEqual({ outcome: 'unread', text });
    const plan = await server.planStripe();
    await venue.control('fail-next', { path: '/v1/webhook_endpoints', method: 'POST', status: 403 });
    const { steps } = await server.setUpByStaff(await asStaff(venue), plan);
    expect(steps[0]).toEqual({ outcome: 'failed', text });
    expect(steps.slice(1).map(({ outcome }) => outcome)).toEqual(Array(5).fill('made'));
  });
});

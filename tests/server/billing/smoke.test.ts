import type Stripe from 'stripe';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SmokeLine } from '../../../src/server/billing/smoke/smoke-report.ts';
import { changeAnswers } from '../../support/billing/answers.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

const wrong = (lines: SmokeLine[]) => lines.filter(({ verdict }) => verdict !== 'ok');
/** The venue's client, with some methods of some resources replaced. */
function altered(venue: Venue, change: (stripe: Stripe) => void): Stripe {
  const layer = <T extends object>(it: T): T => Object.create(it);
  const stripe = layer(venue.stripe);
  stripe.subscriptions = layer(stripe.subscriptions);
  stripe.checkout = layer(stripe.checkout);
  stripe.checkout.sessions = layer(stripe.checkout.sessions);
  change(stripe);
  return stripe;
}

/** Leftovers of the try-out that could still be used, sold or charged. */
async function left({ stripe }: Venue): Promise<unknown[]> {
  const lists = await Promise.all([
    stripe.customers.list(),
    stripe.testHelpers.testClocks.list(),
    stripe.subscriptions.list(),
    stripe.prices.list({ active: true }),
    stripe.products.list({ active: true }),
    stripe.checkout.sessions.list({ status: 'open' }),
  ]);
  return lists.flatMap(({ data }) => data as { id: string }[]).map(({ id }) => id);
}

describe('trying out Stripe', () => {
  it.each([
    ['without tax', {}],
    ['with tax on top', { taxBehavior: 'exclusive' }],
    ['with all payment methods of the account', { paymentMethods: 'automatic' }],
  ] as const)('does %s all that members and staff do, and finds nothing to report', async (_, pricing) => {
    const venue = await openVenue({ pricing });
    const { mode, lines } = await venue.billing.smokeStripe();
    expect(wrong(lines)).toEqual([]);
    expect(mode).toBe('demo');
    expect(lines.map(({ about }) => about)).toEqual([
      'products and prices',
      'page for a membership',
      'page for a year',
      'page for a gift',
      'page for the payment method',
      'customer with a test card',
      'subscription',
      'upgrade',
      'scheduled downgrade',
      'downgrade withdrawn',
      'pause',
      'return from a pause',
      'a pause cleared with an anchor of now',
      'renewal',
      'refund',
      'parent of a proration',
      'a preview of an end',
      'lines that an invoice embeds',
      'tax rates that a phase does not name',
      'a due invoice after a new default card',
      'a due invoice paid with the new card',
      'cancellation',
      'cancellation withdrawn',
      'end at once',
      'clean-up',
    ]);
  });

  it('leaves nothing that could be sold or charged, also after a failure half way', async () => {
    const venue = await openVenue();
    await venue.billing.smokeStripe();
    expect(await left(venue)).toEqual([]);
    await venue.control('fail-next', { path: '/v1/payment_methods', status: 400 });
    expect(wrong((await venue.billing.smokeStripe()).lines)).toMatchObject([
      { verdict: 'refused', about: 'customer with a test card' },
    ]);
    expect(await left(venue)).toEqual([]);
  });

  it("reports a parameter that Stripe does not know in Stripe's own sentence, and tries the rest", async () => {
    const venue = await openVenue();
    const stripe = altered(venue, ({ checkout: { sessions } }) => {
      const { create } = venue.stripe.checkout.sessions;
      const old = { payment_method_types: ['card'] };
      sessions.create = (params, options) => create.call(sessions, { ...params, ...old }, options);
    });
    const { lines } = await venue.anotherProcess({ stripe }).smokeStripe();
    const text = 'Received unknown parameter: payment_method_types';
    expect(wrong(lines)).toEqual([
      { verdict: 'refused', about: 'page for a membership', text },
      { verdict: 'refused', about: 'page for a year', text },
      { verdict: 'refused', about: 'page for a gift', text },
    ]);
    expect(lines.at(-1)).toMatchObject({ verdict: 'ok', about: 'clean-up' });
  });

  it('reports what we would read wrongly: here, a pause that came under another name', async () => {
    const venue = await openVenue();
    const stripe = altered(venue, ({ subscriptions }) => {
      const { list } = venue.stripe.subscriptions;
      Object.assign(subscriptions, {
        list: async (params: Stripe.SubscriptionListParams) => {
          const page = await list.call(subscriptions, params);
          return { ...page, data: page.data.map((it) => ({ ...it, pause_collection: null })) };
        },
      });
    });
    expect(wrong((await venue.anotherProcess({ stripe }).smokeStripe()).lines)).toEqual([
      {
        verdict: 'differs',
        about: 'pause',
        text: expect.stringMatching(/^pause is null, not \{"resumes_at":"/),
      },
    ]);
  });

  it('says what was seen beside what we believe, where only Stripe can settle it', async () => {
    const venue = await openVenue();
    const { billing } = changeAnswers(venue, {
      answer({ method, path }, json) {
        if (method !== 'GET' || path !== '/v1/invoices') return;
        for (const { parent } of json.data.flatMap((it: Stripe.Invoice) => it.lines.data))
          if (parent?.subscription_item_details?.proration)
            Object.assign(parent, {
              type: 'invoice_item_details',
              invoice_item_details: { proration: true },
              subscription_item_details: null,
            });
      },
    });
    const { lines } = await billing.smokeStripe();
    expect(wrong(lines)).toEqual([
      {
        verdict: 'differs',
        about: 'parent of a proration',
        text: 'seen: invoice_item_details; we believe: subscription_item_details',
      },
    ]);
    expect(lines).toContainEqual({
      verdict: 'ok',
      about: 'a due invoice after a new default card',
      text: 'seen: open, as we believe',
    });
  });

  it('reports what cannot be read at all', async () => {
    const venue = await openVenue();
    const stripe = altered(venue, ({ subscriptions }) => {
      const { list } = venue.stripe.subscriptions;
      Object.assign(subscriptions, {
        list: async (params: Stripe.SubscriptionListParams) => {
          const page = await list.call(subscriptions, params);
          return { ...page, data: page.data.map(({ items: _, ...it }) => it) };
        },
      });
    });
    expect(wrong((await venue.anotherProcess({ stripe }).smokeStripe()).lines)).toEqual([
      { verdict: 'differs', about: 'subscription', text: expect.stringMatching(/^it cannot be read: /) },
    ]);
  });

  it('tells an outage from a refusal', async () => {
    const venue = await openVenue();
    await venue.control('fail-next', { path: '/v1/checkout/sessions', status: 503, times: 6 });
    const verdicts = wrong((await venue.billing.smokeStripe()).lines).map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(['unanswered']));
  });

  it('opens one page with a live key, which nobody pays, and charges nothing', async () => {
    const venue = await openVenue();
    const key = { ...venue.deps.key, mode: 'live' as const };
    const { lines } = await venue.anotherProcess({ key }).smokeStripe();
    expect(lines).toMatchObject([
      { verdict: 'ok', about: 'customer and price' },
      { verdict: 'ok', about: 'page for a membership' },
      { verdict: 'ok', about: 'clean-up' },
    ]);
    const { data } = await venue.stripe.checkout.sessions.list();
    expect(data.map(({ status }) => status)).toEqual(['expired']);
    expect((await venue.stripe.events.list({ type: 'customer.subscription.created' })).data).toEqual([]);
    expect((await venue.stripe.customers.list()).data).toEqual([]);
  });
});

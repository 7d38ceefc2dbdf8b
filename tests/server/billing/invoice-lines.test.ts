import { beforeAll, expect, test } from 'vitest';
import { changeAnswers } from '../../support/billing/answers.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { glassesOf } from '../../support/billing/glasses.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

// Stripe names a proration's subscription item since 2025, an invoice item before (InvoiceLineItem.Parent in the SDK).
test.each(['subscription_item_details', 'invoice_item_details'] as const)(
  'a paid upgrade after a pause gives its pours when its lines have %s',
  async (type) => {
    const venue = await openVenue();
    const [{ user }, other] = [await venue.member('select'), await venue.member('household')];
    const { billing } = changeAnswers(venue, {
      answer({ method, path }, json) {
        if (method !== 'GET' || path !== '/v1/invoices') return;
        for (const invoice of json.data)
          for (const line of invoice.lines.data) {
            const { subscription_item_details, invoice_item_details } = line.parent;
            const details = subscription_item_details ?? invoice_item_details;
            if (!details.proration) continue;
            const parent = { type, invoice_item_details: null, subscription_item_details: null };
            line.parent = { ...parent, [type]: { ...details, subscription_item: 'si_1' } };
          }
      },
    });
    await billing.pause(user, 1);
    await venue.webhooks('drop');
    const { id, items } = await venue.subscription(user);
    await venue.stripe.subscriptions.update(id, { pause_collection: '' });
    await venue.advance({ days: 15 });
    const price = (await venue.subscription(other.user)).items.data[0]?.price.id;
    await venue.stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id, price }],
      proration_behavior: 'always_invoice',
    });
    await billing.reconcile(user);
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 12 });
  },
);

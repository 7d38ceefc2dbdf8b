import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { listMemberPayments } from '../../../src/server/billing/refunds/member-payments.ts';
import { billing_payment, customers, profiles, staff_notice } from '../../../src/server/db/schema.ts';
import { changeAnswers } from '../../support/billing/answers.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { createUnknownCheckout, stripeState } from '../../support/billing/stripe-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/billing.md, "Refunds by staff". A select member pays 39 dollars.

beforeAll(openSharedDatabase);

async function openMember() {
  const venue = await openVenue();
  const { user } = await venue.member();
  const staff = { user_id: venue.deps.newId(), role: 'staff' } as const;
  const sam = { name: 'Sam', email: `${staff.user_id}@example.test`, first_name: 'Sam', last_name: 'Staff' };
  await venue.db.insert(profiles).values({ id: staff.user_id, ...sam });
  const [customer] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
  const [payment] = await venue.db.select().from(billing_payment).where(eq(billing_payment.user_id, user));
  const customer_id = customer?.id ?? '';
  const invoice = payment?.stripe_invoice_id ?? '';
  return {
    venue,
    user,
    invoice,
    payments: () => listMemberPayments(venue.deps, { customer_id }),
    refund: (amount: number, shown_refunded = 0) =>
      venue.billing.giveRefund(staff, {
        ...{ request_id: venue.deps.newId(), customer_id, payment_id: invoice },
        ...{ amount, shown_refunded, reason: 'A long wait' },
      }),
  };
}

/** Issues a credit note in Stripe's dashboard. */
async function credit(
  venue: Venue,
  user: string,
  note: { invoice: string; credit?: number; refund?: number },
) {
  const { invoice, credit: credit_amount = 0, refund: refund_amount = 0 } = note;
  await venue.stripe.creditNotes.create({
    ...{ invoice, amount: credit_amount + refund_amount, credit_amount, refund_amount },
  });
  await venue.billing.reconcile(user);
}

const refusal = (reason: string) => ({ code: 'REFUND_REFUSED', data: { reason } });

test('staff refund no more than a credit note left', async () => {
  const { venue, user, invoice, payments, refund } = await openMember();
  await credit(venue, user, { invoice, credit: 2000 });
  expect(await payments()).toMatchObject([{ amount: 3900, amount_refunded: 0, amount_credited: 2000 }]);
  await expect(refund(1901)).rejects.toMatchObject(refusal('too_much'));
  expect(await refund(1900)).toMatchObject({ status: 'done', amount: 1900 });
  expect(await payments()).toMatchObject([{ obstacle: 'nothing_left' }]);
});

test('staff refund nothing of a payment that a credit note gave back whole', async () => {
  const { venue, user, invoice, payments, refund } = await openMember();
  await credit(venue, user, { invoice, credit: 3900 });
  expect(await payments()).toMatchObject([{ obstacle: 'nothing_left' }]);
  await expect(refund(1)).rejects.toMatchObject(refusal('nothing_left'));
});

test('staff refund no more than a credit note left that was issued after they looked', async () => {
  const { venue, invoice, refund } = await openMember();
  await venue.webhooks('hold');
  await venue.stripe.creditNotes.create({ invoice, amount: 2000, credit_amount: 2000 });
  await expect(refund(3900)).rejects.toMatchObject(refusal('too_much'));
});

test('a refund that a credit note made counts once', async () => {
  const { venue, user, invoice, payments, refund } = await openMember();
  await credit(venue, user, { invoice, refund: 1000, credit: 500 });
  expect(await payments()).toMatchObject([{ amount_refunded: 1000, amount_credited: 500 }]);
  expect(await refund(2400, 1000)).toMatchObject({ status: 'done', amount: 2400 });
});

test('a key that may not read credit notes counts them whole', async () => {
  const { venue, user, invoice, payments } = await openMember();
  await venue.webhooks('drop');
  await venue.stripe.creditNotes.create({ invoice, amount: 1000, refund_amount: 400, credit_amount: 600 });
  await venue.control('fail-next', { path: '/v1/credit_notes', method: 'GET', status: 403 });
  await venue.billing.reconcile(user);
  expect(await payments()).toMatchObject([{ amount_refunded: 400, amount_credited: 1000 }]);
});

test('a reversal refunds what a credit note left, and staff are notified of the rest', async () => {
  const { venue, user } = await openMember();
  await venue.webhooks('drop');
  await venue.pay(await createUnknownCheckout(venue, user));
  const [latest] = (await venue.stripe.invoices.list({ customer: await stripeCustomerId(venue.db, user) }))
    .data;
  const invoice = latest?.id ?? '';
  await credit(venue, user, { invoice, credit: 1000 });
  expect(await stripeState(venue, user)).toMatchObject({ kept: 3900 + 1000 });
  expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_returned', amount_cents: 2900 });
  expect(await venue.db.select().from(staff_notice)).toMatchObject([
    {
      kind: 'reversal_impossible',
      facts: {
        ...{ amount_cents: 1000, stripe_invoice_id: invoice },
        why: 'A credit note in Stripe gave it back without a refund.',
      },
    },
  ]);
});

test('a credit note that was voided gave nothing back', async () => {
  const { venue, user, invoice, payments } = await openMember();
  await venue.webhooks('drop');
  await venue.stripe.creditNotes.create({ invoice, amount: 500, credit_amount: 500 });
  const { billing } = changeAnswers(venue, {
    answer({ path }, json) {
      if (path === '/v1/credit_notes')
        json.data.push({ ...json.data[0], id: 'cn_void', status: 'void', post_payment_amount: 2000 });
    },
  });
  await billing.reconcile(user);
  expect(await payments()).toMatchObject([{ amount_credited: 500 }]);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Subscription } from '../../../src/contract/functions.ts';
import { cardMember, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const details = { path: '/api/functions/get-subscription-details', body: {} };

it('a cancellation can be withdrawn, and the membership renews again', async () => {
  const { caller } = await cardMember(app);
  await caller.must('POST', '/api/functions/cancel-subscription', {});
  type Answer = { subscription: Subscription };
  expect(await caller.must<Answer>('POST', details.path, details.body)).toMatchObject({
    subscription: { cancel_at_period_end: true },
  });
  expect(await caller.must<Answer>('POST', '/api/billing/resume')).toMatchObject({
    subscription: { cancel_at_period_end: false, status: 'active' },
  });
});

it('the payment method is changed on the payment service’s own page', async () => {
  const { caller } = await cardMember(app);
  const { url } = await caller.must<{ url: string }>('POST', '/api/billing/payment-method');
  expect(new URL(url).port).toBe(new URL(app.sandbox.url).port);
});

it('members see their own payments only', async () => {
  const [one, other] = [await cardMember(app, 'elite'), await cardMember(app)];
  expect(await one.caller.must('GET', '/api/billing/payments')).toMatchObject([
    { status: 'paid', amount: 10_900, amount_refunded: 0, currency: 'usd' },
  ]);
  expect(await other.caller.must('GET', '/api/billing/payments')).toMatchObject([{ amount: 3900 }]);
});

it('an invoice opens on the payment service’s own page, for its payer only', async () => {
  const [one, other] = [await cardMember(app), await cardMember(app)];
  const [payment] = await one.caller.must<{ id: string }[]>('GET', '/api/billing/payments');
  const invoice = { invoice_id: payment?.id };
  const { url } = await one.caller.must<{ url: string }>('POST', '/api/billing/invoice', invoice);
  expect((await fetch(url)).status).toBe(200);
  for (const body of [invoice, { invoice_id: 'in_nothing' }, { invoice_id: '../customers' }]) {
    expect(await other.caller.call('POST', '/api/billing/invoice', body)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  }
  // No invoice is open.
  expect((await one.caller.call('POST', '/api/billing/invoice', {})).status).toBe(404);
});

it('a member who pays at the venue has no card billing', async () => {
  const { caller } = await venueMember(app, await app.staff());
  // The membership goes on as it is.
  expect(await caller.must('POST', '/api/billing/resume')).toEqual({ subscription: null });
  expect(await caller.call('POST', '/api/billing/payment-method')).toMatchObject({
    body: { code: 'NO_SUBSCRIPTION' },
  });
  expect(await caller.must('GET', '/api/billing/payments')).toEqual([]);
});

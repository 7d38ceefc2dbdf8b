import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { MemberPayment } from '../../../src/contract/staff/refunds.ts';
import {
  ada,
  adasPage,
  bruno,
  openStaffApp,
  refusal,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

// docs/rules/billing.md, "Refunds by staff".

const member = { ...adasPage, standing: 'active', next_billing_date: '2026-12-01T12:00:00.000Z' };
const { user_id } = member.customer;
const payment = (place: number, more: Partial<MemberPayment> = {}): MemberPayment => ({
  id: `in_${place}`,
  paid_at: `2026-0${place}-01T12:00:00.000Z`,
  amount: 6000,
  amount_refunded: 0,
  amount_credited: 0,
  currency: 'usd',
  status: 'paid',
  difference: false,
  unused: null,
  paid_for: {
    tier: 'premier',
    from: `2026-0${place}-01T12:00:00.000Z`,
    until: `2026-0${place + 1}-01T12:00:00.000Z`,
  },
  obstacle: null,
  ...more,
});
const PAYMENTS = [
  payment(6, { amount_refunded: 1000, status: 'partially_refunded' }),
  payment(5, { status: 'disputed', obstacle: 'disputed' }),
];
const refunds = `POST /api/customers/${ada.id}/refunds`;

function open(answer: (body: Record<string, unknown>) => unknown, permissions = ['manage_money']) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions } }),
    [`GET /api/customers/${user_id}`]: () => member,
    'GET /api/tiers': () => [{ tier_name: 'premier', display_name: 'Premier', rollover_glasses: 3 }],
    [`GET /api/customers/${ada.id}/payments`]: () => PAYMENTS,
    [refunds]: ({ body }) => answer(body),
  });
  openStaffApp(`/staff/customers/${user_id}`);
  return server;
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('of the difference to a dearer tier, the months that have not begun go back, and the tier before comes back', async () => {
  const unused = { months: 9, amount: 22_500, until: '2026-09-15', back_to: 'select' };
  const server = open(() => ({ status: 'done', amount: 22_500, currency: 'usd' }));
  server.answers[`GET /api/customers/${ada.id}/payments`] = () => [payment(6, { amount: 27_500, unused })];
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Refund the payment of 6/1/2026' }));
  within(screen.getByRole('dialog')).getByText('The member has Select again from 9/15/2026.');
});

test('of a year, the months that have not begun are refunded, with until when it is then paid', async () => {
  const unused = { months: 9, amount: 29_250, until: '2026-09-01', back_to: null };
  const year = payment(6, { amount: 39_000, unused });
  const server = open(() => ({ status: 'done', amount: 29_250, currency: 'usd' }));
  server.answers[`GET /api/customers/${ada.id}/payments`] = () => [year];
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Refund the payment of 6/1/2026' }));
  const dialog = within(screen.getByRole('dialog'));
  dialog.getByRole('option', { name: '9 months not begun, $292.50' });
  dialog.getByText('The membership is then paid until 9/1/2026, and ends by itself.');
  await user.type(dialog.getByLabelText('Reason'), 'They move away');
  await user.click(dialog.getByRole('button', { name: 'Refund $292.50' }));
  await screen.findByText('$292.50 refunded');
  expect(server.made(refunds)[0]?.body).toMatchObject({ amount: 29_250, unused_months: 9 });
});

test('part of a payment is refunded with a reason, after the dialog has said what stays as it is', async () => {
  const server = open(() => ({ status: 'done', amount: 1250, currency: 'usd' }));
  const user = userEvent.setup();
  const button = await screen.findByRole('button', { name: 'Refund the payment of 6/1/2026' });
  // The disputed payment has no button.
  expect(screen.getAllByRole('button', { name: /^Refund/ })).toHaveLength(1);
  screen.getByText('Disputed');
  await user.click(button);
  const dialog = within(screen.getByRole('dialog'));
  dialog.getByText('$60.00 paid on 6/1/2026 for Premier. $10.00 of it was already refunded.');
  dialog.getByText(
    'Their pours stay: 7 pours left in this billing period. The membership continues, and the card is charged again on 12/1/2026.',
  );
  await dialog.findByText(/is refunded in full, its unused pours do not roll over/);
  await user.selectOptions(dialog.getByLabelText('How much'), 'A part');
  expect(dialog.queryByText(/refunded in full/)).toBeNull();
  await user.type(dialog.getByLabelText('Amount (USD)'), '50.01');
  await user.type(dialog.getByLabelText('Reason'), 'A long wait');
  await user.click(dialog.getByRole('button', { name: /^Refund/ }));
  dialog.getByText('Please enter an amount up to $50.00.');
  await user.clear(dialog.getByLabelText('Amount (USD)'));
  await user.type(dialog.getByLabelText('Amount (USD)'), '12.50');
  await user.click(dialog.getByRole('button', { name: 'Refund $12.50' }));
  await screen.findByText('$12.50 refunded');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server.made(refunds)).toMatchObject([
    { body: { payment_id: 'in_6', amount: 1250, shown_refunded: 1000, reason: 'A long wait' } },
  ]);
});

test('a refusal says why and keeps what was typed; the next try has a new id', async () => {
  const asked = ['outdated', 'disputed'];
  const server = open(() => refusal(409, 'REFUND_REFUSED', 'No', { reason: asked.shift() }));
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Refund the payment/ }));
  await user.type(screen.getByLabelText('Reason'), 'A long wait');
  await user.click(screen.getByRole('button', { name: 'Refund $50.00' }));
  await screen.findByText(/was just refunded/);
  await user.click(screen.getByRole('button', { name: 'Refund $50.00' }));
  await screen.findByText(/their bank decides/);
  const ids = server.made(refunds).map(({ body }) => body.request_id);
  expect(new Set(ids).size).toBe(2);
});

test('after a lost connection the id stays, so that trying again refunds once', async () => {
  let lost = true;
  const server = open(() => {
    if (!lost) return { status: 'done', amount: 5000, currency: 'usd' };
    lost = false;
    throw new TypeError('Failed to fetch');
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Refund the payment/ }));
  await user.type(screen.getByLabelText('Reason'), 'A long wait');
  await user.click(screen.getByRole('button', { name: 'Refund $50.00' }));
  await screen.findByText(/nothing is refunded twice/);
  await user.click(screen.getByRole('button', { name: 'Refund $50.00' }));
  await screen.findByText('$50.00 refunded');
  expect(new Set(server.made(refunds).map(({ body }) => body.request_id)).size).toBe(1);
});

test('a refund that Stripe has not made yet is shown as under way', async () => {
  open(() => ({ status: 'asked', amount: 5000, currency: 'usd' }));
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Refund the payment/ }));
  await user.type(screen.getByLabelText('Reason'), 'A long wait');
  await user.click(screen.getByRole('button', { name: 'Refund $50.00' }));
  await screen.findByText('The refund is under way');
});

test('without the permission no payments are requested', async () => {
  const server = open(() => null, ['manage_members']);
  await screen.findByText('No pours recorded yet');
  await waitFor(() => expect(screen.queryByText('Payments')).toBeNull());
  expect(server.made(`GET /api/customers/${ada.id}/payments`)).toEqual([]);
});

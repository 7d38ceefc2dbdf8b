import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OwnHousehold } from '../../../src/contract/members.ts';
import { availablePours, customer, me, openApp, refusal, stubServer } from '../../support/web/member-app.tsx';

const day = (month: number, date = 14) => Date.UTC(2026, month - 1, date, 12) / 1000;
const DETAILS = 'POST /api/functions/get-subscription-details';
const OFFER = 'GET /api/billing/pause';
const PAUSE = 'POST /api/billing/pause';
const END = 'POST /api/billing/pause/end';

const subscription = {
  status: 'active',
  cancel_at_period_end: false,
  ends_at: null as number | null,
  ended_on: null,
  current_period_end: day(2),
  next_charge: { at: day(4), tier: 'premier', amount: 6500 },
  charge_if_kept: null,
  charge_if_canceled: null,
  return_amount: null as number | null,
  amount: 5900,
  tier: 'premier',
  pending_tier: null,
  approval: null,
  price_move: null,
  pause: null as { from: number; until: number | null; begun: boolean } | null,
  grace_until: null,
  is_charging: false,
  collection: null,
  currency: 'usd',
  tax_behavior: 'exclusive',
  payment_method: null,
};
const offer = {
  obstacle: null as string | null,
  again_at: null as number | null,
  months_a_year: 3,
  choices: [1, 2, 3].map((months) => ({ months, from: day(2), until: day(2 + months) })),
  pause: null,
};
const paused = {
  ...subscription,
  return_amount: 5900,
  pause: { from: day(2), until: day(4), begun: true },
};
const member = { 'GET /api/customers/own': { ...me, customer } };

let server: ReturnType<typeof stubServer>;
beforeEach(() => {
  server = stubServer({ ...member, [DETAILS]: { subscription }, [OFFER]: offer });
});

test('a member about to cancel is offered a pause, with the day it ends', async () => {
  const set = { ...subscription, pause: { from: day(2), until: day(4), begun: false } };
  server.answers['POST /api/billing/pause'] = { subscription: set };
  openApp('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Pause Instead' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(await dialog.findByRole('radio', { name: /2 months/ }));
  dialog.getByText('back on 4/14/2026');
  dialog.getByText(/3 months in any twelve/);
  await userEvent.click(dialog.getByRole('button', { name: 'Pause from 2/14/2026' }));
  await screen.findByText('Paused from 2/14/2026 to 4/14/2026');
  screen.getByText(/We’ll charge your card \$65\.00 plus tax on 4\/14\/2026/);
  expect(screen.queryByRole('button', { name: 'Change Tier' })).toBeNull();
});

describe('the month of the next charge', () => {
  const renewing = { ...subscription, next_charge: { at: day(2), tier: 'premier', amount: 6500 } };
  const skipped = { ...subscription, pause: { from: day(2), until: day(3), begun: false } };
  beforeEach(() => {
    server.answers[DETAILS] = { subscription: renewing };
    server.answers[PAUSE] = { subscription: skipped };
  });
  const confirm = async () => {
    const question = within(await screen.findByRole('alertdialog', { name: 'Skip February' }));
    question.getByText(/not charged \$65\.00 plus tax on 2\/14\/2026.*next charge is on 3\/14\/2026/);
    expect(server.count(PAUSE)).toBe(0);
    await userEvent.click(question.getByRole('button', { name: 'Skip February' }));
    await screen.findByText('February is skipped');
    expect(server.calls).toContainEqual({ call: PAUSE, body: { months: 1 } });
    await screen.findByText('Paused from 2/14/2026 to 3/14/2026');
    expect(screen.queryByRole('button', { name: 'Skip February' })).toBeNull();
  };

  test('is skipped from beside its date', async () => {
    openApp('/account');
    await userEvent.click(await screen.findByRole('button', { name: 'Skip February' }));
    await confirm();
  });

  test('is skipped instead of canceling, whose button stays', async () => {
    openApp('/account');
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Cancel Subscription' }));
    const skip = await question.findByRole('button', { name: 'Skip February' });
    question.getByRole('button', { name: 'Yes, Cancel' });
    await userEvent.click(skip);
    await confirm();
  });

  test('is skipped by the link of the reminder', async () => {
    openApp('/account?skip=true');
    await confirm();
  });

  test('cannot be skipped where the server allows no pause', async () => {
    server.answers[OFFER] = { ...offer, obstacle: 'payment_open', choices: [] };
    openApp('/account?skip=true');
    await screen.findByText('2/14/2026');
    await waitFor(() => expect(server.count(OFFER)).toBe(1));
    expect(screen.queryByText(/Skip February/)).toBeNull();
  });
});

test('a member who cannot pause reads why, and when they can', async () => {
  server.answers[OFFER] = { ...offer, obstacle: 'too_soon', again_at: day(9), choices: [] };
  openApp('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel Subscription' }));
  await waitFor(() => expect(server.count(OFFER)).toBe(1));
  expect(screen.queryByText('Just need a break?')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Keep Membership' }));
  await userEvent.click(screen.getByRole('button', { name: 'Manage' }));
  await userEvent.click(screen.getByRole('button', { name: 'Pause Membership' }));
  await screen.findByText(/Your next pause can begin on 9\/14\/2026/);
});

test('coming back early shows the charge first; a declined card is reported, and the payment can be tried again', async () => {
  server.answers[DETAILS] = { subscription: paused };
  server.answers[END] = refusal(402, 'PAYMENT_REFUSED');
  openApp('/account');
  await screen.findByText('Your membership is paused until 4/14/2026');
  await userEvent.click(screen.getByRole('button', { name: 'Come Back Now' }));
  const question = within(await screen.findByRole('alertdialog'));
  question.getByText(/charged \$59\.00 plus tax today/);
  expect(server.count(END)).toBe(0);
  await userEvent.click(question.getByRole('button', { name: 'Pay $59.00 plus tax' }));
  await question.findByText('You are still paused');
  server.answers[END] = { subscription };
  await userEvent.click(question.getByRole('button', { name: 'Pay $59.00 plus tax' }));
  await screen.findByText('Welcome back');
  expect(screen.queryByText(/is paused until/)).toBeNull();
});

test('a pause is extended by a month, with the new day first', async () => {
  const EXTEND = 'POST /api/billing/pause/extend';
  const shown = { from: day(2), until: day(4), begun: true };
  const terms = { can_end: true, amount: 5900, currency: 'usd', tax_behavior: 'exclusive' };
  server.answers[DETAILS] = { subscription: paused };
  server.answers[OFFER] = {
    ...offer,
    obstacle: 'paused',
    choices: [],
    pause: { ...shown, ...terms, extended_until: day(5) },
  };
  server.answers[EXTEND] = refusal(409, 'PAUSE_REFUSED', 'No', { reason: 'too_soon' });
  openApp('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Pause One More Month' }));
  const question = within(await screen.findByRole('alertdialog'));
  question.getByText(/come back on 5\/14\/2026 instead of 4\/14\/2026/);
  await userEvent.click(question.getByRole('button', { name: 'Pause until 5/14/2026' }));
  await question.findByText(/have used the months you can pause/);
  server.answers[EXTEND] = { subscription: { ...paused, pause: { ...shown, until: day(5) } } };
  server.answers[OFFER] = {
    ...offer,
    obstacle: 'paused',
    choices: [],
    pause: { ...shown, ...terms, extended_until: null },
  };
  await userEvent.click(question.getByRole('button', { name: 'Pause until 5/14/2026' }));
  await screen.findByText('Your membership is paused until 5/14/2026');
  expect(server.calls.filter(({ call }) => call === EXTEND).map(({ body }) => body)).toEqual([
    { until: day(4) },
    { until: day(4) },
  ]);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Pause One More Month' })).toBeNull());
});

test('coming back for nothing asks for no payment', async () => {
  server.answers[DETAILS] = { subscription: { ...paused, return_amount: 0 } };
  server.answers[END] = { subscription };
  openApp('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Come Back Now' }));
  await screen.findByText(/Nothing is charged today/);
  await userEvent.click(screen.getByRole('button', { name: 'Come Back' }));
  await screen.findByText('Welcome back');
});

test('a payment that takes days leaves the member paused, who reads why', async () => {
  server.answers[DETAILS] = { subscription: paused };
  server.answers[END] = { subscription: paused };
  openApp('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Come Back Now' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Pay $59.00 plus tax' }));
  await screen.findByText('Your payment is on its way');
  screen.getByText('Your membership is paused until 4/14/2026');
});

describe('while paused', () => {
  const CODE = 'POST /api/functions/generate-qr-token';
  const pours = { ...availablePours, access: false, available_pours: 0 };

  test('neither dashboard nor card page requests a code, and the card page says until when', async () => {
    server.answers[DETAILS] = { subscription: paused };
    server.answers['GET /api/customers/own'] = { ...me, customer, pours };
    openApp('/dashboard');
    await screen.findByText('Your membership is paused until 4/14/2026');
    await userEvent.click(screen.getByRole('link', { name: 'Show QR Code' }));
    await screen.findByText('Your membership is paused');
    screen.getByText(/works again on 4\/14\/2026.*come back earlier/);
    expect(server.count(CODE)).toBe(0);
  });

  test('a partner reads who holds the membership, without a link to an account page that cannot end the pause', async () => {
    const household: OwnHousehold = {
      role: 'partner',
      first_name: 'Ben',
      pause: { from: '2026-02-14T12:00:00.000Z', until: '2026-04-14T12:00:00.000Z', begun: true },
      ends_at: null,
    };
    server.answers['GET /api/customers/own'] = { ...me, customer, pours, household };
    openApp('/qr-code');
    await screen.findByText('Ben’s membership is paused');
    screen.getByText('Your card works again on 4/14/2026.');
    expect(screen.queryByRole('link', { name: 'Open My Account' })).toBeNull();
    expect(server.count(CODE)).toBe(0);
  });
});

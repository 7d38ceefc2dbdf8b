import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { customer, me, openApp, refusal, refuse, stubServer } from '../../support/web/member-app.tsx';

const details = 'POST /api/functions/get-subscription-details';
const preview = 'POST /api/billing/tier/preview';
const change = 'POST /api/billing/tier';

const seconds = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000;
const subscription = {
  status: 'active',
  cancel_at_period_end: false,
  ends_at: null as number | null,
  ended_on: null as string | null,
  current_period_end: seconds('2026-12-21'),
  next_charge: { at: seconds('2026-12-21'), tier: 'elite', amount: 10_900 },
  return_amount: null,
  amount: 10_900,
  currency: 'usd',
  tax_behavior: 'unspecified',
  tier: 'elite',
  pending_tier: null as { tier: string; from: number; amount: number } | null,
  approval: null,
  grace_until: null,
  is_charging: false,
  collection: null,
  payment_method: {
    type: 'card',
    brand: 'visa',
    last4: '4242',
    exp_month: 4,
    exp_year: 2031,
    wallet: null,
  },
};
const tiers = [
  ['select', 39, 4],
  ['elite', 109, 14],
  ['household', 149, 20],
].map(([tier_name, monthly_price, monthly_pours]) => ({
  tier_name,
  display_name: `The ${tier_name}`,
  monthly_price,
  monthly_pours,
  people: tier_name === 'household' ? 2 : 1,
  rollover_glasses: 0,
  benefits: [],
  description: '',
  is_active: true,
}));

const upgrade = {
  id: '0197b1f0-0000-7000-8000-0000000000e1',
  tier: 'household',
  kind: 'at_once',
  charged_now: 709,
  charged_later: 0,
  currency: 'usd',
  tax_behavior: 'unspecified',
  effective_at: seconds('2026-12-01'),
  next_amount: 14_900,
  next_billing_at: seconds('2026-12-21'),
  glasses_now: { available_pours: 9, period_pours: 14 },
  glasses_then: { available_pours: 13, period_pours: 18 },
  added_glasses: 4,
  monthly_glasses: 20,
};
const downgrade = {
  ...upgrade,
  tier: 'select',
  kind: 'at_period_end',
  charged_now: 0,
  effective_at: seconds('2026-12-21'),
  next_amount: 3900,
  glasses_then: { available_pours: 4, period_pours: 4 },
  added_glasses: 0,
  monthly_glasses: 4,
};

let server: ReturnType<typeof stubServer>;
beforeEach(() => {
  server = stubServer({
    'GET /api/customers/own': { ...me, customer: { ...customer, tier: 'elite' }, membership_ever: true },
    'GET /api/tiers': tiers,
    'GET /api/billing/payments': [],
    [details]: { subscription },
    [preview]: (body: unknown) => ((body as { tier: string }).tier === 'household' ? upgrade : downgrade),
  });
});

/** Opens the dialog and chooses a tier. */
async function choose(tier: RegExp) {
  openApp('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Manage' }));
  await userEvent.click(screen.getByRole('button', { name: 'Change Tier' }));
  const dialog = await screen.findByRole('dialog', { name: 'Change Tier' });
  await userEvent.click(await within(dialog).findByRole('radio', { name: tier }));
  return within(dialog);
}

test('the other tiers are offered with price and pours; nothing can be confirmed before one is chosen', async () => {
  openApp('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Manage' }));
  await userEvent.click(screen.getByRole('button', { name: 'Change Tier' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change Tier' }));
  const offered = (await dialog.findAllByRole('radio')).map((it) => it.closest('label')?.textContent);
  expect(offered).toEqual([
    'The select$39 a month, 4 pours',
    'The household$149 a month, 20 poursFor two people who share the pours, each with their own card',
  ]);
  dialog.getByText(/You are on Elite\. .* Nothing is charged until you confirm\./);
  expect((dialog.getByRole('button', { name: 'Change Tier' }) as HTMLButtonElement).disabled).toBe(true);
});

describe('a larger tier', () => {
  test.each([
    [{}, '$7.09 today, 4 more pours until 12/21/2026, 20 a month from then.'],
    [{ added_glasses: 1 }, '$7.09 today, 1 more pour until 12/21/2026, 20 a month from then.'],
    [
      { charged_now: 51, added_glasses: 0 },
      '$0.51 today, no more pours until 12/21/2026, 20 a month from then.',
    ],
  ])('%j: says what is charged and how many glasses it adds', async (shown, sentence) => {
    server.answers[preview] = { ...upgrade, ...shown };
    const dialog = await choose(/household/);
    await dialog.findByText(sentence);
  });

  test('is charged only after the button that names the amount, with the preview that was shown', async () => {
    server.answers[change] = { subscription: { ...subscription, tier: 'household', amount: 14_900 } };
    const dialog = await choose(/household/);
    const button = await dialog.findByRole('button', { name: 'Pay $7.09' });
    dialog.getByText('13 of 18, instead of 9 of 14');
    dialog.getByText('Household, $149.00 per month, 20 pours');
    expect(server.count(change)).toBe(0);
    await userEvent.click(button);
    await screen.findByText('You are now on Household.');
    expect(server.calls.find(({ call }) => call === change)?.body).toEqual({ preview_id: upgrade.id });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('that the card declines: the dialog says so, and the card can be updated', async () => {
    server.answers[change] = refusal(402, 'PAYMENT_REFUSED', 'Your card was not charged.');
    const dialog = await choose(/household/);
    await userEvent.click(await dialog.findByRole('button', { name: 'Pay $7.09' }));
    const alert = within(await dialog.findByRole('alert'));
    alert.getByText('We couldn’t change your tier');
    alert.getByText('Your card was not charged.');
    alert.getByRole('button', { name: 'Update Card' });
  });

  test('whose offer has changed meanwhile is shown again before it can be confirmed', async () => {
    server.answers[change] = refusal(409, 'PREVIEW_EXPIRED', 'This offer has changed.');
    const dialog = await choose(/household/);
    const button = await dialog.findByRole('button', { name: 'Pay $7.09' });
    server.answers[preview] = { ...upgrade, charged_now: 812 };
    await userEvent.click(button);
    await dialog.findByText('This offer has changed.');
    await dialog.findByRole('button', { name: 'Pay $8.12' });
    dialog.getByText(/^\$8\.12 today/);
  });
});

test('a smaller tier: nothing is charged now, and the page says when it starts', async () => {
  const pending_tier = { tier: 'select', from: downgrade.effective_at, amount: 3900 };
  server.answers[change] = { subscription: { ...subscription, pending_tier } };
  const dialog = await choose(/select/);
  const button = await dialog.findByRole('button', { name: 'Change on 12/21/2026' });
  dialog.getByText('Nothing');
  dialog.getByText('Elite, with 9 of 14 pours left');
  dialog.getByText('Select, $39.00 per month, 4 pours');
  await userEvent.click(button);
  await screen.findByText('You are on Select from 12/21/2026.');
});

test('a preview that cannot be made says so, and can be tried again', async () => {
  server.answers[preview] = refuse(502, {});
  const dialog = await choose(/household/);
  await dialog.findByText('The payment service did not respond');
  server.answers[preview] = upgrade;
  await userEvent.click(dialog.getByRole('button', { name: 'Try Again' }));
  await dialog.findByText(/^\$7\.09 today/);
});

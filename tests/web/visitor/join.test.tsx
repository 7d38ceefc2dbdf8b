import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { subscriptionConsent, yearConsent } from '../../../src/domain/consent.ts';
import { site } from '../../../src/web/api/site.ts';
import { openApp, refusal, stubServer } from '../../support/web/member-app.tsx';

const TOKEN = 'x'.repeat(43);
const PAY = 'POST /api/payment-links/pay';
const READ = 'POST /api/payment-links/read';
const tier = {
  ...{ tier_name: 'select', display_name: 'Select', monthly_price: 39, yearly_price: 390 as number | null },
  ...{
    monthly_pours: 4,
    description: 'A glass a week.',
    rollover_pours: 0,
    max_people: 1,
    guest_glasses: 0,
    benefits: [],
  },
};
const offer = { state: 'offer', first_name: 'Mira', email: 'mira@guest.example', tier };
const month = subscriptionConsent(site, { tier: 'Select', price: '$39.00' });
const year = yearConsent(site, { tier: 'Select', price: '$390.00' });
const YEAR = '$390 for a year, 2 months free. Ends by itself.';

const pay = () => screen.findByRole('button', { name: 'Continue to Payment' });
const periods = () => within(screen.getByRole('group', { name: 'How to pay for Select' }));
const isChosen = (name: string) => periods().getByRole<HTMLInputElement>('radio', { name }).checked;

let server: ReturnType<typeof stubServer>;
beforeEach(() => {
  server = stubServer({
    'GET /api/session': { user: null },
    [READ]: offer,
    [PAY]: { url: 'https://pay.example/' },
  });
  vi.spyOn(window.location, 'assign').mockReturnValue();
});

test('by the month is chosen first; a year says its charge, and is what the payment is for', async () => {
  openApp(`/join#${TOKEN}`);
  await pay();
  expect(isChosen('$39 a month')).toBe(true);
  screen.getByText(month.text);
  await userEvent.click(periods().getByRole('radio', { name: YEAR }));
  screen.getByText(year.text);
  expect(screen.queryByText(month.text)).toBeNull();
  await userEvent.click(await pay());
  await waitFor(() => expect(window.location.assign).toHaveBeenCalledWith('https://pay.example/'));
  const body = { token: TOKEN, period: 'year', consentVersion: year.version };
  expect(server.calls).toContainEqual({ call: PAY, body: expect.objectContaining(body) });
});

test('a tier without the price of a year offers no choice', async () => {
  server.answers[READ] = { ...offer, tier: { ...tier, yearly_price: null } };
  openApp(`/join#${TOKEN}`);
  await userEvent.click(await pay());
  expect(screen.queryByRole('radio')).toBeNull();
  const body = { period: 'month', consentVersion: month.version };
  await waitFor(() =>
    expect(server.calls).toContainEqual({ call: PAY, body: expect.objectContaining(body) }),
  );
});

test('words that the server has changed for a year stand beside the year alone', async () => {
  const current = { ...year, version: '1'.repeat(16), text: 'A year is $400.00 now.' };
  server.answers[PAY] = refusal(409, 'CONSENT_OUTDATED', 'Read the text again.', { current });
  openApp(`/join#${TOKEN}`);
  await pay();
  await userEvent.click(periods().getByRole('radio', { name: YEAR }));
  await userEvent.click(await pay());
  await screen.findByText(current.text);
  await userEvent.click(periods().getByRole('radio', { name: '$39 a month' }));
  screen.getByText(month.text);
});

test('a year that is no longer sold leaves the month', async () => {
  server.answers[PAY] = () => {
    server.answers[READ] = { ...offer, tier: { ...tier, yearly_price: null } };
    return refusal(409, 'TIER_NOT_AVAILABLE', 'Choose another.', {})();
  };
  openApp(`/join#${TOKEN}`);
  await pay();
  await userEvent.click(periods().getByRole('radio', { name: YEAR }));
  await userEvent.click(await pay());
  await screen.findByText('Failed to start payment process. Please try again.');
  await screen.findByText(month.text);
  expect(screen.queryByRole('radio')).toBeNull();
});

import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { customer, me, openApp, stubServer } from '../../support/web/member-app.tsx';

const benefits = [
  {
    id: '1',
    words: 'Bottle of the month',
    every: 'month',
    number: 2,
    left: 1,
    until: '2026-12-15T00:00:00Z',
  },
  { id: '2', words: '10 % off bottles', every: null, number: null, left: null, until: null },
];

test.each(['/qr-code', '/account'])(
  '%s lists the member’s benefits, counted ones with what is left',
  async (path) => {
    stubServer({ 'GET /api/customers/own': { ...me, customer, benefits } });
    openApp(path);
    await screen.findByRole('heading', { name: 'Benefits' });
    const lines = screen.getAllByRole('listitem').map((it) => it.textContent);
    expect(lines).toEqual(
      expect.arrayContaining(['Bottle of the month1 of 2 left this month', '10 % off bottles']),
    );
  },
);

test('a tier without any shows no list', async () => {
  stubServer({ 'GET /api/customers/own': { ...me, customer } });
  openApp('/account');
  await screen.findByText('Member Since');
  expect(screen.queryByRole('heading', { name: 'Benefits' })).toBeNull();
});

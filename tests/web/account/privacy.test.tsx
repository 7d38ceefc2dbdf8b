import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { dataFileName } from '../../../src/web/account/data-export-card.tsx';
import { customer, me, openApp, refusal, stubServer } from '../../support/web/member-app.tsx';

const REMOVE = 'POST /api/privacy/delete-account';

test('the name of the file has the day it was made', () => {
  expect(dataFileName('2026-07-13T10:00:00.000Z')).toBe('cellar-door-my-data-2026-07-13.json');
});

test('a refused download says so', async () => {
  const server = stubServer({
    'GET /api/privacy/export': refusal(
      429,
      'TOO_MANY_ATTEMPTS',
      'Too many attempts. Please wait a moment and try again.',
      { retry_after_seconds: 60 },
    ),
  });
  openApp('/account/data');
  await userEvent.click(await screen.findByRole('button', { name: 'Download My Data' }));
  await screen.findByText('Too many attempts. Please wait a moment and try again.');
  expect(server.count('GET /api/privacy/export')).toBe(1);
});

test('the text on deletion mentions a membership to members only', async () => {
  const server = stubServer({});
  openApp('/account/data');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete My Account' }));
  expect(screen.queryByText(/Your membership will end right away/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Keep My Account' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete My Account' }));
  cleanup();
  server.answers['GET /api/customers/own'] = { ...me, customer };
  server.answers['GET /api/billing/payments'] = [];
  openApp('/account/data');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete My Account' }));
  screen.getByText(/Your membership will end right away/);
});

test('nothing is sent without the password and the word; while the payment service is down nothing is deleted', async () => {
  const server = stubServer({
    [REMOVE]: refusal(
      502,
      'PAYMENTS_UNAVAILABLE',
      'Payments are slow to answer right now. Please try again in a few minutes.',
    ),
  });
  const app = openApp('/account/data');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete My Account' }));
  const send = screen.getByRole('button', { name: 'Delete Permanently' });
  await userEvent.click(send);
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
  expect(server.count(REMOVE)).toBe(0);
  await userEvent.type(screen.getByLabelText('Password'), 'cellar-door');
  await userEvent.type(screen.getByLabelText('Type DELETE to confirm'), 'delete ');
  await userEvent.click(send);
  expect((await screen.findByRole('alert')).textContent).toContain('We couldn’t delete your account');
  expect(server.calls.find(({ call }) => call === REMOVE)?.body).toEqual({
    password: 'cellar-door',
    confirmation: 'DELETE',
  });
  expect(app.path()).toBe('/account/data');
});

test('afterwards nobody is signed in, and no card is saved', async () => {
  let gone = false;
  stubServer({
    'GET /api/session': () => ({ user: gone ? null : { ...me.profile, role: 'customer' } }),
    [REMOVE]: () => {
      gone = true;
      return { removed: true };
    },
  });
  localStorage.setItem('cellar-door:card', JSON.stringify({ user_id: me.profile.id }));
  const app = openApp('/account/data');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete My Account' }));
  await userEvent.type(screen.getByLabelText('Password'), 'cellar-door');
  await userEvent.type(screen.getByLabelText('Type DELETE to confirm'), 'DELETE{Enter}');
  await waitFor(() => expect(app.path()).toBe('/login'));
  await screen.findByText('Your account was deleted');
  expect(localStorage.getItem('cellar-door:card')).toBeNull();
  vi.unstubAllGlobals();
});

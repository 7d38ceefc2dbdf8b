import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { site } from '../../../src/web/api/site.ts';
import { bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const till = {
  id: '0197b1f0-0000-7000-8000-0000000000e1',
  name: 'Till',
  scopes: ['pours:write'],
  created_at: '2026-01-02T10:00:00.000Z',
  last_used_at: null,
};
let apiClients: (typeof till)[];
const calls = {
  'GET /api/api-clients': () => apiClients,
};

beforeEach(() => {
  apiClients = [];
});

test('an API client is added with the password, and its secret is shown once', async () => {
  const server = stubStaffServer({
    ...calls,
    'POST /api/api-clients': () => refusal(403, 'WRONG_PASSWORD', 'That password is not right.'),
  });
  openStaffApp('/staff/settings/api');
  await userEvent.click(await screen.findByRole('button', { name: 'Add API Client' }));
  await userEvent.type(screen.getByLabelText('Name'), ' Till ');
  const password = screen.getByLabelText('Your Password');
  await userEvent.type(password, 'wrong{Enter}');
  expect(server.made('POST /api/api-clients')).toHaveLength(0);
  await userEvent.click(screen.getByRole('checkbox', { name: /Record and void pours/ }));
  await userEvent.type(password, '{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe('That password is not right.');

  server.answers['POST /api/api-clients'] = () => {
    apiClients = [till];
    return { client_id: till.id, client_secret: 'the-secret' };
  };
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByText('the-secret');
  expect(server.made('POST /api/api-clients').at(-1)?.body).toEqual({
    name: 'Till',
    password: 'wrong',
    scopes: ['pours:write'],
  });
  await userEvent.click(screen.getByRole('button', { name: 'I’ve Saved Them' }));
  await screen.findByText(/never used/);
  screen.getByText(/^Record and void pours/);
  expect(screen.queryByText('the-secret')).toBeNull();
});

test('removing access asks first', async () => {
  apiClients = [till];
  const server = stubStaffServer({
    ...calls,
    [`DELETE /api/api-clients/${till.id}`]: () => {
      apiClients = [];
      return { ended: till.id };
    },
  });
  openStaffApp('/staff/settings/api');
  await userEvent.click(await screen.findByRole('button', { name: 'Remove access for Till' }));
  expect(server.made(`DELETE /api/api-clients/${till.id}`)).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByText('Till')).toBeNull());
});

test('staff who must set up two-step sign-in first see neither API clients nor linked accounts', async () => {
  site.providers = [{ id: 'vineyard', label: 'Vineyard ID' }];
  stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, must_enrol: true } }),
  });
  openStaffApp('/staff/account');
  await screen.findByText('Two-Step Sign-In');
  expect(screen.queryByText('API Access')).toBeNull();
  expect(screen.queryByText('Linked Accounts')).toBeNull();
});

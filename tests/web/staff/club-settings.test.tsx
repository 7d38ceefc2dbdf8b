import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { ClubSettingsView } from '../../../src/contract/staff/club.ts';
import { type Answer, bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

afterEach(cleanup);

const defaults = {
  club_name: 'Cellar Door',
  support_email: 'hello@venue.test',
  time_zone: 'UTC',
  minimum_age: 21,
  terms_url: null,
  service_amber: 3,
  service_water: 4,
};
const view = (values: Partial<ClubSettingsView['values']> = {}, version = 3): ClubSettingsView => ({
  version,
  values: { ...defaults, ...values },
  defaults,
  changed: Object.keys(values) as ClubSettingsView['changed'],
});
const SAVE = 'PATCH /api/club-settings';

const openSettings = (answers: Record<string, Answer>, permissions = ['manage_staff']) => {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions } }),
    'GET /api/club-settings': () => view(),
    ...answers,
  });
  openStaffApp('/staff/settings');
  return server;
};
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const type = async (label: string, text: string) => {
  const input = await field(label);
  await userEvent.clear(input);
  if (text) await userEvent.type(input, text);
};
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

test('staff without the permission find the settings of their device alone', async () => {
  const server = openSettings({}, ['manage_money']);
  await screen.findByText(/Start in the scanner/);
  expect(screen.queryByText('The Club')).toBeNull();
  expect(server.made('GET /api/club-settings')).toEqual([]);
});

test('only what was changed is sent, with the version that was looked at', async () => {
  const server = openSettings({ [SAVE]: () => view({ club_name: 'Berger' }, 4) });
  await type('Name of the Club', 'Berger');
  await save();
  await screen.findByText('The club’s settings were saved');
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([
    { version: 3, changes: { club_name: 'Berger' } },
  ]);
  expect(screen.getByRole('button', { name: 'Reset Name of the Club' }).textContent).toBe(
    'Reset to Cellar Door',
  );
});

test('a wrong value is said at its field, and nothing is sent', async () => {
  const server = openSettings({});
  await type('Minimum Age', '');
  await save();
  await screen.findByText('Enter 0 to 99.');
  await type('Minimum Age', '18');
  await type('Address of Your Terms', 'example.com');
  await save();
  await screen.findByText('Enter an address that begins with https://');
  expect(server.made(SAVE)).toEqual([]);
});

test('who saves second sees the other’s change, and what they typed is still there', async () => {
  const server = openSettings({
    [SAVE]: () => refusal(409, 'SETTINGS_CHANGED', 'Someone else has just changed the settings.'),
  });
  await type('Name of the Club', 'Berger');
  server.answers['GET /api/club-settings'] = () => view({ minimum_age: 18 }, 4);
  await save();
  await screen.findByText(/Someone else has just changed/);
  expect((await field('Minimum Age')).value).toBe('18');
  expect((await field('Name of the Club')).value).toBe('Berger');
});

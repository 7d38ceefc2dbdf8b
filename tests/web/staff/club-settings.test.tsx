import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { nearestReadable } from '../../../src/domain/club/colors.ts';
import { DEFAULT_PLACES } from '../../../src/domain/club/places.ts';
import { clubView } from '../../support/web/club-view.ts';
import { type Answer, bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const SAVE = 'PATCH /api/club-settings';

type Part = '' | '/look' | '/places' | '/public-pages';
const openSettings = (answers: Record<string, Answer>, part: Part = '', permissions = ['manage_staff']) => {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions } }),
    'GET /api/club-settings': () => clubView(),
    ...answers,
  });
  openStaffApp(`/staff/settings${part}`);
  return server;
};
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const type = async (label: string, text: string) => {
  const input = await field(label);
  await userEvent.clear(input);
  if (text) await userEvent.type(input, text);
};
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save Club' }));

test('staff without the permission do not see the club’s settings', async () => {
  const server = openSettings({}, '', ['manage_money']);
  await screen.findByRole('heading', { level: 1, name: 'Bar' });
  expect(screen.queryByText('The Club')).toBeNull();
  expect(server.made('GET /api/club-settings')).toEqual([]);
});

test('only what was changed is sent, with the version it was made on', async () => {
  const server = openSettings({ [SAVE]: () => clubView({ club_name: 'Berger' }, { version: 4 }) });
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

test('a wrong value is reported at its field, and nothing is sent', async () => {
  const server = openSettings({});
  await type('Minimum Age', '');
  await save();
  await screen.findByText('Enter 0 to 99.');
  expect(document.activeElement).toBe(await field('Minimum Age'));
  await type('Minimum Age', '18');
  await type('Link to Your Terms', 'example.com');
  await save();
  await screen.findByText('Enter an address that begins with https://');
  expect(server.made(SAVE)).toEqual([]);
});

test('the second of two who save sees the other’s change and keeps what they typed', async () => {
  const server = openSettings({
    [SAVE]: () => refusal(409, 'SETTINGS_CHANGED', 'Someone else has just changed the settings.'),
  });
  await type('Name of the Club', 'Berger');
  server.answers['GET /api/club-settings'] = () => clubView({ minimum_age: 18 }, { version: 4 });
  await save();
  await screen.findByText(/Someone else has just changed/);
  expect((await field('Minimum Age')).value).toBe('18');
  expect((await field('Name of the Club')).value).toBe('Berger');
});

test('a reset drops what was typed into the field, and keeps the rest', async () => {
  const server = openSettings({
    'GET /api/club-settings': () => clubView({ club_name: 'Berger' }),
    [SAVE]: () => clubView({}, { version: 4 }),
  });
  await type('Name of the Club', 'Huber');
  await type('Minimum Age', '18');
  await press('Reset Name of the Club');
  await screen.findByText('Name of the Club is as configured');
  expect((await field('Name of the Club')).value).toBe('Cellar Door');
  expect((await field('Minimum Age')).value).toBe('18');
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([{ version: 3, reset: ['club_name'] }]);
});

const places = () => screen.getAllByLabelText<HTMLInputElement>(/^Place \d+$/).map((input) => input.value);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('places are renamed, added, put in order with the keyboard, and retired', async () => {
  const server = openSettings({ [SAVE]: () => clubView({}, { version: 4 }) }, '/places');
  await type('Place 1', 'Terrace');
  await press('Add Place');
  await type('Place 5', 'Roof');
  await press('Retire Event');
  screen.getByRole('button', { name: /^Move Roof, number 4 of 4/ }).focus();
  await userEvent.keyboard('{ArrowUp}');
  expect(places()).toEqual(['Terrace', 'Restaurant', 'Roof', 'Tasting Room']);
  await press('Save Places');
  await screen.findByText('The places were saved');
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([
    {
      version: 3,
      changes: {
        places: [
          { id: 'bar', name: 'Terrace', retired: false },
          { id: 'restaurant', name: 'Restaurant', retired: false },
          { name: 'Roof', retired: false },
          { id: 'tasting_room', name: 'Tasting Room', retired: false },
          { id: 'event', name: 'Event', retired: true },
        ],
      },
    },
  ]);
});

test('two places with one name, or a place without a name, are reported before anything is sent', async () => {
  const server = openSettings({}, '/places');
  await type('Place 1', 'event');
  await press('Save Places');
  await screen.findByText('Two places have the same name.');
  await type('Place 1', '');
  await press('Save Places');
  await screen.findByText(/^Each place needs a name/);
  expect(server.made(SAVE)).toEqual([]);
});

test('a retired place can be offered again, and the places of a new club can come back', async () => {
  const [bar, ...others] = DEFAULT_PLACES.map((place) => ({ ...place }));
  const server = openSettings(
    {
      'GET /api/club-settings': () =>
        clubView({ places: [...others, { ...bar, retired: true } as typeof bar & object] }),
      [SAVE]: () => clubView({}, { version: 4 }),
    },
    '/places',
  );
  await field('Place 1');
  await press('Offer again: Bar');
  expect(places()).toEqual(['Restaurant', 'Event', 'Tasting Room', 'Bar']);
  await press('Reset Places');
  await screen.findByText('The places are the original four again');
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([{ version: 3, reset: ['places'] }]);
});

test('what a changed rule means for current members is shown before it is saved', async () => {
  const server = openSettings({
    [SAVE]: () => clubView({ grace_days: 3, annual_notice: true }, { version: 4 }),
  });
  await field('Grace after a Failed Payment (days)');
  expect(screen.queryByText(/in these days now/)).toBeNull();
  await type('Grace after a Failed Payment (days)', '30');
  await press('Save Billing');
  await screen.findByText('Enter 1 to 21.');
  await type('Grace after a Failed Payment (days)', '3');
  await screen.findByText(/2 members in these days now: each keeps the day they were given/);
  await userEvent.selectOptions(await field('Yearly Reminder Email'), 'Yes');
  await screen.findByText(/40 members who joined a year ago or longer get the email/);
  await press('Save Billing');
  await screen.findByText('The club’s settings were saved');
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([
    { version: 3, changes: { grace_days: 3, annual_notice: true } },
  ]);
  expect(screen.getByRole('button', { name: 'Reset Yearly Reminder Email' }).textContent).toBe('Reset to No');
});

test('an unreadable color is refused as it is typed, with the nearest readable one', async () => {
  const server = openSettings({ [SAVE]: () => clubView({ accent: '#1f4e5f' }, { version: 4 }) }, '/look');
  await type('Hex Code', '#d4af37');
  await screen.findByText(/is too hard to read: its contrast is 1\.\d, and text needs 4\.5/);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save Color' }).disabled).toBe(true);
  await press(`Use ${nearestReadable('#d4af37')}`);
  expect((await field('Hex Code')).value).toBe(nearestReadable('#d4af37'));
  expect(screen.queryByText(/cannot be read/)).toBeNull();
  await type('Hex Code', '#1F4E5F');
  screen.getByRole('img', { name: 'How #1f4e5f looks, light and dark' });
  await press('Save Color');
  await screen.findByText(/The color was saved/);
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([{ version: 3, changes: { accent: '#1f4e5f' } }]);
  await press('Reset Color');
  expect(server.made(SAVE).at(-1)?.body).toEqual({ version: 4, reset: ['accent'] });
});

test('unused accounts are deleted after 6 to 120 months, or never', async () => {
  const { made } = openSettings({ [SAVE]: () => clubView({ retention_months: 120 }, { version: 4 }) });
  for (const text of ['5', '121']) {
    await type('Delete Unused Accounts after (months)', text);
    await save();
    expect(await screen.findByText('Enter 0, or 6 to 120.')).toBeDefined();
  }
  expect(made(SAVE)).toHaveLength(0);
  await type('Delete Unused Accounts after (months)', '120');
  await save();
  await screen.findByText('The club’s settings were saved');
  expect(made(SAVE)[0]?.body).toMatchObject({ changes: { retention_months: 120 } });
});

test('the club’s page sends what was changed, and resets a text that is the default again', async () => {
  const server = openSettings(
    {
      'GET /api/club-settings': () => clubView({ page_heading: 'Hello' }),
      [SAVE]: () => clubView({ page_hours: 'From 5', page_wines: true }, { version: 4 }),
    },
    '/public-pages',
  );
  await type('Heading', 'Good wine, every month');
  await type('Hours', ' From 5 ');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Show Tonight’s Wines/ }));
  await press('Save Page');
  await screen.findByText('The club’s page was saved');
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([
    { version: 3, changes: { page_wines: true, page_hours: 'From 5' }, reset: ['page_heading'] },
  ]);
  expect((await field('Hours')).value).toBe('From 5');
});

test('a legal page is a text, or leads to a URL without one', async () => {
  const server = openSettings(
    { [SAVE]: () => clubView({ imprint_url: 'https://club.test/imprint' }, { version: 4 }) },
    '/public-pages',
  );
  await userEvent.selectOptions(await field('Page'), 'Imprint');
  await type('Imprint', '');
  await press('Save Page');
  await screen.findByText('Enter a text, or reset it to the default.');
  await type('Link to Your Imprint', 'club.test');
  await press('Save Page');
  await screen.findByText('Enter a URL that starts with https://');
  expect(server.made(SAVE)).toEqual([]);
  await type('Link to Your Imprint', 'https://club.test/imprint');
  await press('Save Page');
  await screen.findByText('The page was saved');
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([
    { version: 3, changes: { imprint_url: 'https://club.test/imprint' } },
  ]);
});

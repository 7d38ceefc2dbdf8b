import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ClubSettingsView } from '../../../src/contract/staff/club.ts';
import { clubView } from '../../support/web/club-view.ts';
import { DRAWN, stubDrawing } from '../../support/web/drawing.ts';
import { type Answer, bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const SAVE = 'PUT /api/club-settings/logo';
const REMOVE = 'DELETE /api/club-settings/logo';
const FILE = 'GET /club-logo.png';
const LOGO = { version: 'v1', width: 600, height: 200, plate: 'light' as const };
const view = (logo: ClubSettingsView['logo'], version = 3) => clubView({}, { logo, version });

beforeEach(() => stubDrawing());

async function open(logo: ClubSettingsView['logo'], answers: Record<string, Answer> = {}) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['manage_staff'] } }),
    'GET /api/club-settings': () => view(logo),
    [FILE]: () => new Response(new Uint8Array(6)),
    ...answers,
  });
  openStaffApp('/staff/settings/look');
  await screen.findByRole('button', { name: logo ? 'Choose Another' : 'Choose Logo' });
  return server;
}
const choose = () =>
  fireEvent.change(screen.getByLabelText('Picture file'), {
    target: { files: [new File(['x'], 'logo.png', { type: 'image/png' })] },
  });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const shown = () =>
  [...screen.getByRole('img', { name: /^How the logo looks/, hidden: true }).querySelectorAll('img')].map(
    (it) => it.getAttribute('src'),
  );

test('a logo is shown on light and dark before anything is sent, and can be discarded', async () => {
  const server = await open(null);
  screen.getByText('Without a logo, pages show a glass under an arch.');
  choose();
  await screen.findByRole('button', { name: 'Save Logo' });
  expect(new Set(shown())).toEqual(new Set([`data:image/png;base64,${DRAWN}`]));
  await press('Cancel');
  screen.getByText('Without a logo, pages show a glass under an arch.');
  expect(document.activeElement?.textContent).toBe('Choose Logo');
  expect(server.made(SAVE)).toEqual([]);
});

test('the first logo is saved as shown, and Undo removes it', async () => {
  const server = await open(null, { [SAVE]: () => view(LOGO, 4), [REMOVE]: () => view(null, 5) });
  choose();
  await press('Save Logo');
  await screen.findByText(/The logo was saved/);
  expect(server.made(SAVE).map(({ body }) => body)).toEqual([{ content: DRAWN }]);
  expect(new Set(shown())).toEqual(new Set(['/club-logo.png?v=v1']));
  await press('Undo');
  await waitFor(() => expect(server.made(REMOVE)).toHaveLength(1));
  await screen.findByText('Without a logo, pages show a glass under an arch.');
});

test('Undo restores a removed logo', async () => {
  const server = await open(LOGO, { [REMOVE]: () => view(null, 4), [SAVE]: () => view(LOGO, 5) });
  await press('Remove Logo');
  await screen.findByText('The logo was removed');
  await press('Undo');
  await waitFor(() => expect(server.made(SAVE).map(({ body }) => body)).toEqual([{ content: DRAWN }]));
});

test('on dark paper, a dark logo stands on its plate', async () => {
  await open(LOGO);
  const plates = [
    ...screen.getByRole('img', { name: /^How the logo/, hidden: true }).querySelectorAll('img'),
  ].map((it) => it.style.backgroundColor);
  expect(plates).toEqual(['transparent', 'transparent', '#f6f0e4', '#f6f0e4']);
});

test('a refused picture shows the server’s message, and can be saved again', async () => {
  const why = 'This picture is damaged. Please choose another one.';
  await open(null, { [SAVE]: () => refusal(422, 'PICTURE_REFUSED', 'It cannot be used.', { why }) });
  choose();
  await press('Save Logo');
  await screen.findByText(why);
  screen.getByRole('button', { name: 'Save Logo' });
});

test('a file that is not a picture changes nothing', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('No picture')));
  await open(null);
  choose();
  await screen.findByText(/couldn’t read this file as a picture/);
  expect(screen.queryByRole('button', { name: 'Save Logo' })).toBeNull();
});

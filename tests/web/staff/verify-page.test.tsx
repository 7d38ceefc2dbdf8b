import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { chosenCameraLabel } from '../../../src/web/staff/scanner/camera.ts';
import { scan } from '../../support/web/keyboard-scanner.ts';
import type { Answer } from '../../support/web/staff-app.tsx';
import { ada, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const token = 'AZrC3k_Q9x-ABCDEFGHIJ0123456789abcdefghi';
const verify = 'POST /api/functions/verify-qr-token';
const found = () => ({ valid: true, customer: ada });

const serve = (answer: Answer) => stubStaffServer({ [verify]: answer });

async function openManual() {
  const app = openStaffApp('/staff/search');
  await userEvent.click(await screen.findByRole('button', { name: 'Enter Code Manually' }));
  return app;
}
const box = () => screen.getByPlaceholderText('Paste QR code here...');
/** A new element after each refused code. */
const form = () => within(box().closest('form') as HTMLElement);
const button = () => screen.getByRole('button', { name: /Verify Code|Verifying/ });

async function enter(text: string) {
  await userEvent.clear(box());
  await userEvent.paste(text);
  await userEvent.click(button());
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('starts with the camera; without one it says so, and offers Try Again and manual entry', async () => {
  serve(found);
  openStaffApp('/staff/search');
  await screen.findByText('Camera access denied. Please enable camera permissions.');
  screen.getByRole('heading', { name: 'Scan QR Code' });
  screen.getByRole('button', { name: 'Try Again' });
  screen.getByRole('button', { name: 'Enter Code Manually' });
  expect(screen.getByRole('link', { name: 'Back to Bar' }).getAttribute('href')).toBe('/staff/dashboard');
});

describe('by hand', () => {
  test('an empty or blank box cannot be verified; the camera is one press away', async () => {
    serve(found);
    await openManual();
    expect(button()).toHaveProperty('disabled', true);
    await userEvent.type(box(), '   ');
    expect(button()).toHaveProperty('disabled', true);
    await userEvent.click(screen.getByRole('button', { name: 'Use Camera' }));
    await screen.findByRole('heading', { name: 'Scan QR Code' });
  });

  test('a code is sent without what was pasted with it', async () => {
    const server = serve(found);
    await openManual();
    await enter(`\u200B“${token}”\u00A0`);
    await screen.findByText('Found: Ada Vine');
    expect(server.made(verify).map(({ body }) => body)).toEqual([{ token }]);
  });

  test('a valid code opens the pour page with the member', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<unknown>();
    const server = serve(() => promise);
    const app = await openManual();
    await enter(` ${token} `);
    await screen.findByText('Verifying...');
    expect(button()).toHaveProperty('disabled', true);
    answer(found());
    await screen.findByText('Found: Ada Vine');
    await waitFor(() => expect(app.path()).toBe(`/staff/customers/${ada.id}/add-pour`));
    expect(app.state()).toMatchObject({ customer: ada, scanned: true });
    expect(server.made(verify)[0]?.body).toEqual({ token });
  });

  test('a refused code is reported and stays, selected, so that it can be corrected or the next one entered', async () => {
    const server = serve(() => ({ valid: false }));
    const app = await openManual();
    await enter('nonsense');
    await screen.findByText('Invalid or expired QR code');
    expect(box()).toHaveProperty('value', 'nonsense');
    await waitFor(() => expect(document.activeElement).toBe(box()));
    expect(box()).toMatchObject({ selectionStart: 0, selectionEnd: 'nonsense'.length });
    server.answers[verify] = found;
    await userEvent.paste(token);
    await userEvent.keyboard('{Enter}');
    expect(server.made(verify).at(-1)?.body).toEqual({ token });
    await waitFor(() => expect(app.path()).toContain('/add-pour'));
  });

  test('the code of a member without access: the member, the reason, and a link to their page', async () => {
    const refused = {
      id: ada.id,
      first_name: 'Ada',
      last_name: 'Byron',
      standing: 'ended',
      no_access_since: '2025-11-03',
    };
    const server = serve(() => ({ valid: false, refused }));
    server.answers[`GET /api/customers/${ada.id}`] = () =>
      refusal(404, 'NOT_FOUND', 'Not found.', { what: 'customer' });
    const app = await openManual();
    await enter(token);
    await screen.findByText('Invalid or expired QR code');
    expect(screen.getAllByText('Ada Byron: membership ended on 11/3/2025')).toHaveLength(2);
    form().getByText('Ada Byron: membership ended on 11/3/2025');
    await userEvent.type(box(), 'x');
    expect(form().queryByRole('button', { name: 'View Customer' })).toBeNull();
    await userEvent.clear(box());
    await enter(token);
    await userEvent.click(await waitFor(() => form().getByRole('button', { name: 'View Customer' })));
    await waitFor(() => expect(app.path()).toBe(`/staff/customers/${ada.id}`));
  });

  test('the code of a replaced printed card: whose it was, and when it was replaced', async () => {
    const { id, first_name, last_name } = ada;
    const replaced = { id, first_name, last_name, replaced_at: '2025-11-03T12:00:00.000Z' };
    serve(() => ({ valid: false, replaced }));
    await openManual();
    await enter(token);
    await screen.findByText('Invalid or expired QR code');
    form().getByText('Ada Vine: this printed card was replaced on 11/3/2025');
    form().getByRole('button', { name: 'View Customer' });
  });

  test('the code of a printed card: the pour page says so', async () => {
    const paper_card_id = '0197b1f0-0000-7000-8000-0000000000f1';
    serve(() => ({ ...found(), paper_card_id }));
    const app = await openManual();
    await enter(token);
    await screen.findByText('Printed card', { exact: false });
    expect(app.state()).toMatchObject({ customer: ada, paper_card_id });
  });

  test('a call that fails is reported, and the typed code stays', async () => {
    const server = serve(() => Promise.reject(new TypeError('offline')));
    await openManual();
    await enter(token);
    await screen.findByText('Failed to verify QR code');
    expect(box()).toHaveProperty('value', token);
    server.answers[verify] = () =>
      refusal(429, 'TOO_MANY_ATTEMPTS', 'Too many attempts.', { retry_after_seconds: 5 });
    await enter(token);
    expect(await screen.findAllByText('Too many attempts.')).toHaveLength(2);
  });

  test("a pending applicant's code opens the application", async () => {
    const id = '0197b1f0-0000-7000-8000-0000000000a1';
    const server = serve(() => ({ valid: true, application_id: id }));
    server.answers[`GET /api/applications/${id}`] = () =>
      refusal(404, 'NOT_FOUND', 'Not found.', { what: '' });
    const app = await openManual();
    await enter('0197b1f0-0000-7000-8000-000000000001');
    await waitFor(() => expect(app.path()).toBe(`/staff/applications/${id}`));
  });
});

describe('a USB scanner', () => {
  test('works while the camera is on, without touching the screen', async () => {
    const server = serve(found);
    const app = openStaffApp('/staff/search');
    await screen.findByRole('heading', { name: 'Scan QR Code' });
    scan(token);
    await waitFor(() => expect(app.path()).toContain('/add-pour'));
    expect(server.made(verify).map((it) => it.body)).toEqual([{ token }]);
  });

  test('into the box, a scan counts once and replaces the text', async () => {
    const server = serve(found);
    const app = await openManual();
    await userEvent.click(box());
    await userEvent.paste('left over');
    scan(token);
    await waitFor(() => expect(app.path()).toContain('/add-pour'));
    expect(server.made(verify).map((it) => it.body)).toEqual([{ token }]);
  });

  test('does not press the focused button', async () => {
    serve(() => ({ valid: false }));
    await openManual();
    screen.getByRole('button', { name: 'Use Camera' }).focus();
    scan(token);
    await screen.findByText('Invalid or expired QR code');
    expect(screen.queryByRole('heading', { name: 'Scan QR Code' })).toBeNull();
  });
});

describe('the camera', () => {
  const camera = (deviceId: string, label: string) => ({ kind: 'videoinput', deviceId, label });

  function serveCameras(open: (request: MediaStreamConstraints) => unknown) {
    const track = Object.assign(new EventTarget(), { stop: () => undefined, readyState: 'live' });
    const getUserMedia = vi.fn(async (request: MediaStreamConstraints) => {
      const id = open(request);
      const tracks = [Object.assign(track, { getSettings: () => ({ deviceId: id }) })];
      return { getTracks: () => tracks, getVideoTracks: () => tracks };
    });
    const enumerateDevices = async () => [camera('back', 'Back Camera'), camera('desk', 'Desk Camera')];
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
    vi.spyOn(HTMLMediaElement.prototype, 'srcObject', 'set').mockReturnValue();
    Object.defineProperty(navigator, 'mediaDevices', {
      configurable: true,
      value: { getUserMedia, enumerateDevices },
    });
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'mediaDevices'));
    return getUserMedia;
  }
  const chosen = ({ video }: MediaStreamConstraints) =>
    ((video as MediaTrackConstraints).deviceId as { exact?: string } | undefined)?.exact ?? 'back';

  test('is chosen where there are several, and remembered by the device', async () => {
    serve(found);
    const getUserMedia = serveCameras(chosen);
    const app = openStaffApp('/staff/search');
    const select = await screen.findByRole('combobox', { name: 'Camera' });
    expect(select).toHaveProperty('value', 'back');
    await userEvent.selectOptions(select, 'Desk Camera');
    await waitFor(() => expect(getUserMedia).toHaveBeenCalledTimes(2));
    await waitFor(() => expect(screen.getByRole('combobox')).toHaveProperty('value', 'desk'));
    app.unmount();
    openStaffApp('/staff/search');
    await waitFor(() => expect(getUserMedia).toHaveBeenCalledTimes(3));
    expect(getUserMedia.mock.calls.map(([request]) => chosen(request))).toEqual(['back', 'desk', 'desk']);
    expect(chosenCameraLabel.read()).toBe('Desk Camera');
  });

  test.each([
    ['NotAllowedError', /^The camera is blocked for this page/],
    ['NotFoundError', /^No camera was found/],
    ['NotReadableError', /^Another app may be using the camera/],
  ])('that fails with %s keeps the sentence, and a second line says why', async (name, why) => {
    serve(found);
    serveCameras(() => {
      throw new DOMException('', name);
    });
    openStaffApp('/staff/search');
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Camera access denied. Please enable camera permissions.');
    within(alert).getByText(why);
  });
});

import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { DRAWN, stubDrawing } from '../../support/web/drawing.ts';
import { customer, me, openApp, refusal, stubServer } from '../../support/web/member-app.tsx';

const mine = 'GET /api/customers/own';
const save = 'PUT /api/profile/photo';
const remove = 'DELETE /api/profile/photo';
const file = () => new File(['x'], 'ada.heic', { type: 'image/heic' });
const drawn = vi.fn();

beforeEach(() => {
  drawn.mockReset();
  stubDrawing(drawn);
});

async function open(photo: string | null, answers: Record<string, unknown> = {}) {
  const server = stubServer({ [mine]: { ...me, customer, photo }, ...answers });
  openApp('/account');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Edit Profile' }));
  screen.getByText(/By adding a photo/);
  return { server, user };
}
const pictures = () => [...document.querySelectorAll('img')].map((it) => it.getAttribute('src'));

test('a photo is cut to a small square in the browser, and sent with consent', async () => {
  const { server } = await open(null, { [save]: { photo: 'v2' } });
  screen.getByText(/By adding a photo, you agree/);
  expect(pictures()).toEqual([]);
  server.answers[mine] = { ...me, customer, photo: 'v2' };
  fireEvent.change(screen.getByLabelText('Picture file'), { target: { files: [file()] } });
  await screen.findByText('Photo saved');
  const sent = server.calls.find(({ call }) => call === save)?.body;
  expect(sent).toEqual({ content: DRAWN, agreed: true });
  // 4000 by 3000 covers 256 by 256, its sides cut off.
  const [, left, top, width, height] = drawn.mock.lastCall ?? [];
  expect([left, top, width, height].map((it) => Math.round(it as number))).toEqual([-43, 0, 341, 256]);
  await waitFor(() => expect(pictures()).toEqual(['/api/profile/photo?v=v2']));
});

test('a photo that its file says to turn is drawn upright', async () => {
  // An upright photo of a phone, whose pixels lie on their side.
  vi.stubGlobal('createImageBitmap', async (_: Blob, how: ImageBitmapOptions = {}) => {
    const [width, height] = how.imageOrientation === 'from-image' ? [3000, 4000] : [4000, 3000];
    return { width, height, close: () => undefined };
  });
  await open(null, { [save]: { photo: 'v2' } });
  fireEvent.change(screen.getByLabelText('Picture file'), { target: { files: [file()] } });
  await screen.findByText('Photo saved');
  const [, left, top, width, height] = drawn.mock.lastCall ?? [];
  expect([left, top, width, height].map((it) => Math.round(it as number))).toEqual([0, -43, 256, 341]);
});

test('initials are behind the photo, and stay if it cannot be loaded', async () => {
  await open('v1');
  const [photo] = document.querySelectorAll('img');
  if (!photo) throw new Error('No photo');
  expect(photo.parentElement?.textContent).toBe('AV');
  fireEvent.error(photo);
  expect(pictures()).toEqual([]);
});

test('a photo is removed with one press', async () => {
  const { server, user } = await open('v1', { [remove]: { removed: true } });
  server.answers[mine] = { ...me, customer, photo: null };
  await user.click(screen.getByRole('button', { name: 'Remove Photo' }));
  await screen.findByText('Photo removed');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove Photo' })).toBeNull());
});

test('a refused picture shows the server’s message', async () => {
  const why = 'SVG files can contain code.';
  await open(null, {
    [save]: refusal(422, 'PICTURE_REFUSED', 'It cannot be used.', { why }),
  });
  fireEvent.change(screen.getByLabelText('Picture file'), { target: { files: [file()] } });
  await screen.findByText(why);
});

test('a file that is not a picture is not sent', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('No picture')));
  const { server } = await open(null);
  fireEvent.change(screen.getByLabelText('Picture file'), { target: { files: [file()] } });
  await screen.findByText(/couldn’t read this file as a picture/);
  expect(server.count(save)).toBe(0);
});

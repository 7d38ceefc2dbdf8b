import { act, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { useKeyboardWedge } from '../../../src/web/staff/scanner/keyboard-wedge.ts';
import { scan } from '../../support/web/keyboard-scanner.ts';
import {
  ada,
  adaAtBar,
  adasPage,
  openStaffApp,
  recorded,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

const TOKEN = 'AZrC3kVRd7qKq83vASNFZ2kpAAd3Yg5mT2xQk1Zo';
const VERIFY = 'POST /api/functions/verify-qr-token';
const RECORD = 'POST /api/pours';
const NEXT = { ...ada, id: '0197b1f0-0000-7000-8000-0000000000c2', first_name: 'Grace' };
const POUR_PAGE = `/staff/customers/${ada.id}/add-pour`;
const NEXT_PAGE = `/staff/customers/${NEXT.id}/add-pour`;

const serve = () =>
  stubStaffServer({
    [VERIFY]: () => ({ valid: true, customer: NEXT }),
    [RECORD]: () => recorded(6),
    [`GET /api/customers/${ada.id}`]: () => adasPage,
    [`GET /api/customers/${ada.id}/bar`]: () => adaAtBar,
    [`GET /api/customers/${NEXT.id}/bar`]: () => ({ ...adaAtBar, ...NEXT }),
  });

/** What listens on the window, of what is added from now on. */
function listeners(): Set<string> {
  const ids = new Map<unknown, number>();
  const open = new Set<string>();
  const keyOf = ([type, listener, options]: unknown[]) => {
    if (!ids.has(listener)) ids.set(listener, ids.size);
    const capture =
      typeof options === 'object' ? (options as { capture?: boolean } | null)?.capture : options;
    return `${type} ${capture === true} ${ids.get(listener)}`;
  };
  const { addEventListener, removeEventListener } = window;
  vi.spyOn(window, 'addEventListener').mockImplementation((...added: unknown[]) => {
    const key = keyOf(added);
    open.add(key);
    (added[2] as AddEventListenerOptions | undefined)?.signal?.addEventListener('abort', () =>
      open.delete(key),
    );
    Reflect.apply(addEventListener, window, added);
  });
  vi.spyOn(window, 'removeEventListener').mockImplementation((...removed: unknown[]) => {
    open.delete(keyOf(removed));
    Reflect.apply(removeEventListener, window, removed);
  });
  return open;
}

test('a page that is left stops listening for a scanner', () => {
  const open = listeners();
  const onCodes = vi.fn();
  const { unmount } = renderHook(() => useKeyboardWedge(onCodes));
  scan(TOKEN);
  expect(onCodes).toHaveBeenCalledTimes(1);
  unmount();
  scan(TOKEN);
  expect(onCodes).toHaveBeenCalledTimes(1);
  expect([...open].filter((it) => /^(keydown|pointerdown) /.test(it))).toEqual([]);
});

const openPourPage = async () => {
  const app = openStaffApp(POUR_PAGE, { customer: ada, scanned: true });
  await screen.findByRole('button', { name: 'Pour 1' });
  return app;
};

describe('a scanner that types', () => {
  test.each([
    ['the dashboard', '/staff/dashboard', undefined],
    ["a member's page", `/staff/customers/${ada.id}`, undefined],
    ['the pour page', POUR_PAGE, { customer: ada, scanned: true }],
    ['the office', '/staff/more', undefined],
  ])('opens the next member from %s', async (_name, path, state) => {
    const server = serve();
    const app = openStaffApp(path, state);
    await screen.findAllByRole('heading');
    await waitFor(() => expect(document.querySelector('main')).not.toBeNull());
    scan(TOKEN);
    await waitFor(() => expect(app.path()).toBe(NEXT_PAGE));
    expect(app.state()).toMatchObject({ customer: NEXT, scanned: true });
    expect(server.made(VERIFY).map(({ body }) => body)).toEqual([{ token: TOKEN }]);
  });

  const CONTROL = { key: 'Control', code: 'ControlLeft', ctrlKey: true };
  const LINE_FEED = [CONTROL, { key: 'j', code: 'KeyJ', ctrlKey: true }];
  const RETURN = [CONTROL, { key: 'm', code: 'KeyM', ctrlKey: true }];
  test.each([
    ['a line feed', LINE_FEED, 1],
    ['a carriage return', RETURN, 1],
    ['Enter and a line feed', ['Enter', ...LINE_FEED], 2],
  ])(
    'that ends with %s typed with Control opens the member, and no page of the browser',
    async (_n, end, ends) => {
      const server = serve();
      const app = openStaffApp('/staff/dashboard');
      await screen.findByRole('link', { name: 'Scan Customer QR Code' });
      expect(scan(TOKEN, end)).toBe(TOKEN.length + ends);
      await waitFor(() => expect(app.path()).toBe(NEXT_PAGE));
      expect(server.made(VERIFY).map(({ body }) => body)).toEqual([{ token: TOKEN }]);
    },
  );

  test('leaves the shortcuts of the browser alone', async () => {
    serve();
    openStaffApp('/staff/dashboard');
    await screen.findByRole('link', { name: 'Scan Customer QR Code' });
    expect(scan('', LINE_FEED)).toBe(0);
    expect(scan('ab', LINE_FEED)).toBe(2);
  });

  test('presses no button that has the focus', async () => {
    const server = serve();
    const app = await openPourPage();
    screen.getByRole('button', { name: 'Pour 1' }).focus();
    scan(TOKEN);
    await waitFor(() => expect(app.path()).toBe(NEXT_PAGE));
    expect(server.made(RECORD)).toEqual([]);
  });

  test('types into no field, and asks before an unfinished note is lost', async () => {
    serve();
    const app = await openPourPage();
    const note = screen.getByPlaceholderText('Notes (optional)');
    await userEvent.click(note);
    await userEvent.paste('no ice');
    scan(TOKEN);
    await screen.findByText('Open the scanned card?');
    expect(note).toHaveProperty('value', 'no ice');
    await userEvent.click(screen.getByRole('button', { name: 'Stay Here' }));
    expect(app.path()).toBe(POUR_PAGE);
    expect(note).toHaveProperty('value', 'no ice');
    note.focus();
    scan(TOKEN);
    await userEvent.click(await screen.findByRole('button', { name: 'Open the Card' }));
    await waitFor(() => expect(app.path()).toBe(NEXT_PAGE));
  });

  test('asks before a changed quantity is lost', async () => {
    serve();
    await openPourPage();
    await userEvent.click(screen.getByRole('button', { name: 'One more' }));
    scan(TOKEN);
    await screen.findByText('Open the scanned card?');
    screen.getByRole('button', { name: 'Pour 2', hidden: true });
  });

  test('waits while a pour is being sent', async () => {
    const server = serve();
    const { promise, resolve: answer } = Promise.withResolvers<unknown>();
    server.answers[RECORD] = () => promise;
    const app = await openPourPage();
    await userEvent.click(screen.getByRole('radio', { name: 'Bar' }));
    await userEvent.click(screen.getByRole('button', { name: 'Pour 1' }));
    await waitFor(() => expect(server.made(RECORD)).toHaveLength(1));
    scan(TOKEN);
    await screen.findByText('Still sending. Scan again in a moment.');
    expect(app.path()).toBe(POUR_PAGE);
    expect(server.made(VERIFY)).toEqual([]);
    answer(recorded(6));
    await expect.poll(app.path).not.toBe(POUR_PAGE);
  });

  test('is no longer heard once the staff pages are gone', async () => {
    serve();
    const app = openStaffApp('/staff/dashboard');
    await screen.findByRole('link', { name: 'Scan Customer QR Code' });
    app.unmount();
    expect(scan(TOKEN)).toBe(0);
  });
});

/** Inserts a text as an input method or the clipboard does: at once, without keys that say what they are. */
function insert(field: HTMLElement, text: string, inputType = 'insertText', data: string | null = text) {
  const input = field as HTMLInputElement | HTMLTextAreaElement;
  const { prototype } = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  act(() => {
    fireEvent.keyDown(field, { key: 'Unidentified', keyCode: 229 });
    const isComposed = inputType === 'insertCompositionText';
    if (isComposed) fireEvent.compositionStart(field);
    fireEvent(
      field,
      new InputEvent('beforeinput', { inputType, data, bubbles: true, isComposing: isComposed }),
    );
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, input.value + text);
    fireEvent(field, new InputEvent('input', { inputType, data, bubbles: true, isComposing: isComposed }));
    if (isComposed) fireEvent.compositionEnd(field, { data: text });
  });
}

describe('a scanner built into the device', () => {
  test.each([
    ['inserts', 'insertText', TOKEN],
    ['inserts without saying what', 'insertText', null],
    ['composes', 'insertCompositionText', TOKEN],
    ['pastes', 'insertFromPaste', null],
  ])('that %s a code into the search opens the member and leaves what was typed', async (_n, type, data) => {
    const server = serve();
    const app = openStaffApp('/staff/dashboard');
    const box = await screen.findByRole('searchbox');
    await userEvent.type(box, 'ad');
    insert(box, TOKEN, type, data);
    expect(box).toHaveProperty('value', 'ad');
    await waitFor(() => expect(app.path()).toBe(NEXT_PAGE));
    expect(server.made(VERIFY).map(({ body }) => body)).toEqual([{ token: TOKEN }]);
  });

  test.each(['Ada Vine', 'ada@example.test', 'iPhone15ProMax', `see ${TOKEN}`])(
    'is not heard in a completed or pasted text such as %s',
    async (text) => {
      const server = serve();
      openStaffApp('/staff/dashboard');
      const box = await screen.findByRole('searchbox');
      insert(box, text);
      insert(box, ` ${text}`, 'insertFromPaste');
      await waitFor(() => expect(box).toHaveProperty('value', `${text} ${text}`));
      expect(server.made(VERIFY)).toEqual([]);
    },
  );

  test('is heard in a note, from which a pasted code stays a person’s own', async () => {
    const server = serve();
    await openPourPage();
    const note = screen.getByPlaceholderText('Notes (optional)');
    insert(note, TOKEN, 'insertFromPaste');
    expect(note).toHaveProperty('value', TOKEN);
    await userEvent.clear(note);
    insert(note, TOKEN);
    expect(note).toHaveProperty('value', '');
    await waitFor(() => expect(server.made(VERIFY)).toHaveLength(1));
  });
});

test('a person who types fast in a field finds every character there', async () => {
  const server = serve();
  openStaffApp('/staff/dashboard');
  const box = await screen.findByRole('searchbox');
  box.focus();
  scan('iPhone15ProMax', []);
  await waitFor(() => expect(box).toHaveProperty('value', 'iPhone15ProMax'));
  expect(server.made(VERIFY)).toEqual([]);
});

import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { type Answer, bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

// docs/rules/staff.md, "A shared tablet".

const tablet = { name: 'Bar Left', idle_minutes: 5 };
const noor = { user_id: '0197b1f0-0000-7000-8000-0000000000b7', first_name: 'Noor', last_name: 'Haddad' };
const jonas = { user_id: '0197b1f0-0000-7000-8000-0000000000b8', first_name: 'Jonas', last_name: 'Weber' };
const switchIn = 'POST /api/bar-device/person';

/** A tablet on which everyone's PIN is 8042. */
function open(answers: Record<string, Answer> = {}, path = '/bar') {
  let user: object | null = null;
  const server = stubStaffServer({
    'GET /api/session': () => ({ user, tablet }),
    'GET /api/bar-device': () => ({ device: { ...tablet, people: [jonas, noor] } }),
    [switchIn]: ({ body }) => {
      if (body.pin !== '8042') return refusal(403, 'WRONG_PIN', 'Wrong PIN.', { tries_left: 3 });
      user = { ...bruno, id: body.user_id, permissions: [] };
      return { ok: true };
    },
    'GET /api/customers': () => ({ members: [], next_cursor: null }),
    ...answers,
  });
  return { server, app: openStaffApp(path) };
}

const choose = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: new RegExp(name) }));
const press = async (digits: string) => {
  for (const digit of digits) await userEvent.click(screen.getByRole('button', { name: digit }));
};

describe('while nobody works there', () => {
  test.each(['/', '/staff/search', '/staff/team'])('%s asks who is pouring', async (path) => {
    // The home page makes no request: it remembers the earlier visit.
    if (path === '/') localStorage.setItem('cellar-door:tablet', JSON.stringify(tablet));
    const { app } = open({}, path);
    await screen.findByRole('heading', { name: 'Who is pouring?' });
    expect(app.path()).toBe('/bar');
    screen.getByText('Bar Left');
  });

  test('a PIN typed by touch lets its owner in, for the bar', async () => {
    const { server, app } = open();
    await choose('Noor Haddad');
    await press('8042');
    await waitFor(() => expect(app.path()).toBe('/staff/dashboard'));
    expect(server.made(switchIn).map(({ body }) => body)).toEqual([{ user_id: noor.user_id, pin: '8042' }]);
  });

  test('a PIN typed by keys does so too; a digit can be deleted, and none is shown', async () => {
    const { server } = open();
    await choose('Jonas Weber');
    await userEvent.keyboard('80{Backspace}');
    expect(screen.getByText('1 of 4 digits')).toBeTruthy();
    expect(document.querySelector('input')).toBeNull();
    await userEvent.keyboard('042');
    await screen.findByText('Recent Members');
    expect(server.made(switchIn)).toHaveLength(1);
  });

  test('a wrong PIN says how many tries are left, and can be typed again', async () => {
    const { server, app } = open();
    await choose('Noor Haddad');
    await userEvent.keyboard('7391');
    expect((await screen.findByRole('alert')).textContent).toContain('Wrong PIN. 3 tries left.');
    server.answers[switchIn] = () => refusal(403, 'WRONG_PIN', 'Wrong PIN.', { tries_left: 1 });
    await userEvent.keyboard('7391');
    await screen.findByText('Wrong PIN. 1 try left.');
    await userEvent.keyboard('{Escape}');
    await screen.findByRole('heading', { name: 'Who is pouring?' });
    expect(app.path()).toBe('/bar');
  });

  test.each([
    ['a locked PIN', refusal(403, 'PIN_LOCKED', 'Set a new one in your account.'), /Set a new one/],
    [
      'too many tries',
      refusal(429, 'TOO_MANY_ATTEMPTS', 'Slow down.', { retry_after_seconds: 700 }),
      'Too many PINs were tried on this tablet. Please wait 12 minutes.',
    ],
  ])('%s says so, and takes no more digits', async (_, answer, text) => {
    const { server } = open({ [switchIn]: () => answer.clone() });
    await choose('Noor Haddad');
    await userEvent.keyboard('8042');
    await screen.findByText(text);
    await userEvent.keyboard('8042');
    expect(server.made(switchIn)).toHaveLength(1);
  });

  test('pours queued on the tablet are shown with who poured them', async () => {
    const pour = { staff_id: noor.user_id, quantity: 2 };
    localStorage.setItem('cellar-door:pour:a', JSON.stringify(pour));
    localStorage.setItem('cellar-door:pour:b', JSON.stringify({ ...pour, refused: 'No.' }));
    open();
    expect((await screen.findByRole('button', { name: /Noor/ })).textContent).toContain('2 pours to send');
    expect(screen.getByRole('button', { name: /Jonas/ }).textContent).not.toContain('to send');
  });

  test('when nobody has a PIN, the page says how to get one', async () => {
    open({ 'GET /api/bar-device': () => ({ device: { ...tablet, people: [] } }) });
    await screen.findByText('Nobody has a PIN yet');
  });

  test('a tablet that was signed out says so, and what to do', async () => {
    localStorage.setItem('cellar-door:tablet', JSON.stringify(tablet));
    open({ 'GET /api/session': () => ({ user: null }), 'GET /api/bar-device': () => ({ device: null }) });
    await screen.findByRole('heading', { name: 'Bar Left was signed out' });
    screen.getByText(/Make This a Shared Tablet/);
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/login');
  });

  test('a tablet that is signed out while a PIN is typed says so', async () => {
    const { server } = open({ [switchIn]: () => refusal(401, 'NOT_SIGNED_IN', 'Please sign in.') });
    await choose('Noor Haddad');
    server.answers['GET /api/bar-device'] = () => ({ device: null });
    await userEvent.keyboard('8042');
    await screen.findByRole('heading', { name: 'Bar Left was signed out' });
  });

  test('without a server the page says so, and tries again when the network returns', async () => {
    const { server } = open({ 'GET /api/bar-device': () => Promise.reject(new TypeError('offline')) });
    await screen.findByText('We can’t reach our server');
    server.answers['GET /api/bar-device'] = () => ({ device: { ...tablet, people: [noor] } });
    fireEvent(window, new Event('online'));
    await screen.findByRole('button', { name: /Noor/ });
  });
});

import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { site } from '../../../src/web/api/site.ts';
import {
  application,
  customer,
  me,
  openApp,
  refusal,
  refuse,
  stubServer,
} from '../../support/web/member-app.tsx';
import { pass } from '../../support/web/pass.ts';

const mine = 'GET /api/customers/own';
const token = 'POST /api/functions/generate-qr-token';
const minute = 60_000;
let online = true;

beforeEach(() => {
  online = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  vi.useFakeTimers();
});

const network = (state: 'online' | 'offline') =>
  act(async () => {
    online = state === 'online';
    window.dispatchEvent(new Event(state));
    await vi.advanceTimersByTimeAsync(10);
  });
const code = () => screen.queryByRole('img', { name: 'QR code of your membership' });

async function openCard(answers: Record<string, unknown> = {}) {
  const server = stubServer({ [mine]: { ...me, customer }, ...answers });
  openApp('/qr-code');
  await pass(50);
  return server;
}

test('a member: title, a code of 300 px, details, download, print, back link', async () => {
  const server = await openCard();
  screen.getByRole('heading', { level: 1, name: 'Your Digital Membership Card' });
  expect(code()?.getAttribute('width')).toBe('300');
  screen.getByText('Ada Vine');
  screen.getByText('Premier');
  screen.getByText('Member since 3/1/2024');
  screen.getByRole('button', { name: 'Download QR' });
  screen.getByRole('button', { name: 'Print Card' });
  expect(screen.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/dashboard');
  expect(server.count(token)).toBe(1);
});

test('the code is replaced every eight minutes', async () => {
  const server = await openCard();
  await pass(8 * minute - 1_000);
  expect(server.count(token)).toBe(1);
  await pass(1_000);
  expect(server.count(token)).toBe(2);
  await pass(8 * minute);
  expect(server.count(token)).toBe(3);
});

test('a tab that wakes after a long sleep requests a new code at once', async () => {
  const server = await openCard();
  vi.setSystemTime(Date.now() + 30 * minute);
  await act(async () => {
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(10);
  });
  expect(server.count(token)).toBe(2);
  expect(code()).not.toBeNull();
});

describe('while the card is open and online', () => {
  const HOUR = 60 * minute;

  test.each([
    ['forward', HOUR],
    ['back', -HOUR],
  ])('a clock that jumps an hour %s brings a new code, and none reads as expired', async (_way, jump) => {
    const server = await openCard();
    vi.setSystemTime(Date.now() + jump);
    const { promise, resolve: answer } = Promise.withResolvers<unknown>();
    server.answers[token] = () => promise;
    await pass(1_100);
    expect(server.count(token)).toBe(2);
    expect(screen.queryByText(/expired/)).toBeNull();
    answer({ token: 'B'.repeat(40), expires_at: 1 });
    await pass(50);
    screen.getByText('Show this code to our staff. It changes every few minutes.');
    await pass(8 * minute);
    expect(server.count(token)).toBe(3);
    expect(code()).not.toBeNull();
  });

  test('a request that failed is repeated after fifteen seconds although the clock jumped back', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const server = await openCard();
    server.answers[token] = refuse(500, {});
    vi.setSystemTime(Date.now() - HOUR);
    await pass(1_100);
    expect(server.count(token)).toBe(2);
    await pass(15_000);
    expect(server.count(token)).toBe(3);
  });

  test('a sleep in which the steady clock stood shows no old code', async () => {
    const server = await openCard();
    const { promise, resolve: answer } = Promise.withResolvers<unknown>();
    server.answers[token] = () => promise;
    vi.setSystemTime(Date.now() + 20 * minute);
    await act(async () => {
      document.dispatchEvent(new Event('visibilitychange'));
      await vi.advanceTimersByTimeAsync(10);
    });
    expect(code()).toBeNull();
    screen.getByText('Loading your code');
    expect(server.count(token)).toBe(2);
    answer({ token: 'B'.repeat(40), expires_at: 1 });
    await pass(50);
    expect(code()).not.toBeNull();
  });
});

test('offline: the last code and how long it is valid, then that it has expired, then a new one', async () => {
  const server = await openCard();
  await pass(minute + 2_000);
  await network('offline');
  screen.getByText('This code still works.', { exact: false });
  screen.getByText('Valid for 8 more minutes');
  await pass(8 * minute + 28_000);
  expect(code()).not.toBeNull();
  screen.getByText(/^Valid for (29|30) more seconds$/);
  await pass(31_000);
  expect(code()).toBeNull();
  screen.getByText(/A new one will appear when you’re back online/);
  await network('online');
  await pass(50);
  expect(code()).not.toBeNull();
  expect(server.count(token)).toBe(2);
});

test('a code that was never loaded is logged and requested again after fifteen seconds, and nobody says that it expired', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const server = await openCard({ [token]: refuse(500, {}) });
  expect(code()).toBeNull();
  expect(warn).toHaveBeenCalled();
  expect(screen.queryByRole('alert')).toBeNull();
  screen.getByText('Your code isn’t here yet');
  expect(screen.queryByText(/expired/)).toBeNull();
  server.answers[token] = { token: 'B'.repeat(40), expires_at: 1 };
  await pass(15_000);
  expect(code()).not.toBeNull();
});

test("a pending applicant: 'Your Application QR Code', 'Application Pending', no token requested", async () => {
  const server = await openCard({ [mine]: { ...me, application } });
  screen.getByRole('heading', { level: 1, name: 'Your Application QR Code' });
  screen.getByText('Application Pending');
  expect(screen.getByRole('img', { name: 'QR code of your application' }).getAttribute('width')).toBe('300');
  expect(server.count(token)).toBe(0);
});

test.each([true, false])(
  'in the demo (%s), and only there, the text of the code can be copied',
  async (demo) => {
    Object.assign(site, { demo });
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (it: string) => void written.push(it) },
    });
    const server = await openCard();
    const { token: text } = server.answers[token] as { token: string };
    expect(screen.queryAllByText(text)).toHaveLength(demo ? 1 : 0);
    expect(screen.queryAllByRole('button', { name: 'Copy Code' })).toHaveLength(demo ? 1 : 0);
    if (!demo) return;
    await press('Copy Code');
    expect(written).toEqual([text]);
    screen.getByText('Code copied');
  },
);

test("without a membership or an application: 'No Membership Found' with a link to /apply", async () => {
  await openCard({ [mine]: me });
  screen.getByRole('heading', { level: 1, name: 'No Membership Found' });
  expect(screen.getByRole('link', { name: 'Apply for Membership' }).getAttribute('href')).toBe('/apply');
});

test('a former member reads what ended and how to come back', async () => {
  await openCard({
    [mine]: { ...me, membership_ever: true, customer: { ...customer, status: 'inactive' } },
  });
  screen.getByRole('heading', { level: 1, name: 'No Membership Found' });
  screen.getByText('Your card does not work any more');
  screen.getByText('Your membership has ended. Renew it to enjoy your monthly pours again.');
  expect(screen.queryByText(/don’t have a card yet/)).toBeNull();
  expect(screen.getByRole('link', { name: 'Renew Membership' }).getAttribute('href')).toBe('/apply');
});

const paper = { get: 'GET /api/paper-cards/own', issue: 'POST /api/paper-cards' };
const paperCode = (char: string) => ({ token: char.repeat(43), issued_at: '2026-06-01T10:00:00.000Z' });
const press = (name: string) =>
  act(async () => {
    fireEvent.click(screen.getByRole('button', { name }));
    await vi.advanceTimersByTimeAsync(50);
  });
const onPaper = () => screen.queryByTitle('QR code of your membership, for paper')?.closest('svg')?.innerHTML;

test('Print Card asks once for a code that stays the same, and prints that one', async () => {
  const printed: (string | undefined)[] = [];
  vi.stubGlobal('print', () => printed.push(onPaper()));
  const server = await openCard({ [paper.issue]: paperCode('P') });
  const before = onPaper();
  expect(server.count(paper.issue)).toBe(0);
  await press('Print Card');
  await press('Print Card');
  expect(server.count(paper.issue)).toBe(1);
  expect(printed).toHaveLength(2);
  expect(printed[0]).toBe(printed[1]);
  expect(printed[0]).not.toBe(before);
  screen.getByText('The code you download or print stays the same.', { exact: false });
});

test('a lost printed card is replaced after asking; the code on the screen stays', async () => {
  const replaceCall = 'POST /api/paper-cards/replace';
  const server = await openCard({ [paper.get]: paperCode('P'), [replaceCall]: paperCode('N') });
  const [old, shown] = [onPaper(), code()?.innerHTML];
  await press('Lost it? Get a new one');
  expect(server.count(replaceCall)).toBe(0);
  await press('Get a New Code');
  expect(server.count(replaceCall)).toBe(1);
  expect(onPaper()).not.toBe(old);
  expect(code()?.innerHTML).toBe(shown);
  screen.getByText('Your new code is ready');
});

test('without a network or a saved code for paper, nothing can be printed, and the page says so', async () => {
  await openCard();
  await network('offline');
  for (const name of ['Download QR', 'Print Card']) {
    expect(screen.getByRole('button', { name })).toHaveProperty('disabled', true);
  }
  screen.getByText('You can download or print your card when you’re back online.');
  await network('online');
});

test('when a code for paper is refused, the page says why and prints nothing', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const print = vi.fn();
  vi.stubGlobal('print', print);
  await openCard({
    [paper.issue]: refusal(409, 'CUSTOMER_NOT_ACTIVE', 'This membership is not active.'),
  });
  await press('Print Card');
  screen.getByText('This membership is not active.');
  expect(print).not.toHaveBeenCalled();
});

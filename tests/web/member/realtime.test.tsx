import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { FIRST_RETRY_MS, LONGEST_RETRY_MS } from '../../../src/web/member/follow-changes.ts';
import { availablePours, customer, me, openApp, refusal, stubServer } from '../../support/web/member-app.tsx';
import { pass } from '../../support/web/pass.ts';
import { silentStream } from '../../support/web/silent-stream.ts';

const events = 'GET /api/events';
const mine = 'GET /api/customers/own';
const afterTwoMore = { ...me, customer, pours: { ...availablePours, available_pours: 5, pours_used: 5 } };
let online = true;
let hidden = false;

beforeEach(() => {
  online = true;
  hidden = false;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  vi.useFakeTimers();
});

const turn = (target: EventTarget, event: string) =>
  act(async () => {
    target.dispatchEvent(new Event(event));
    await vi.advanceTimersByTimeAsync(10);
  });

async function openDashboard(answers: Record<string, unknown> = {}) {
  let wire: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          wire = controller;
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );
  const server = stubServer({ [mine]: { ...me, customer }, [events]: stream, ...answers });
  openApp('/dashboard');
  await pass(100);
  const write = (text: string) => {
    wire?.enqueue(new TextEncoder().encode(text));
    return pass(100);
  };
  return {
    server,
    stream,
    heartbeat: () => write(': \n\n'),
    say: (event: string, data: unknown) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: async () => {
      wire?.close();
      await pass(10);
    },
    cut: async () => {
      wire?.error(new TypeError('network error'));
      await pass(10);
    },
  };
}

test('a new pour shows at once, without a reload', async () => {
  const { server, say } = await openDashboard();
  screen.getByText('3 used this billing period');
  server.answers[mine] = afterTwoMore;
  await say('message', 'pours');
  screen.getByText('5 used this billing period');
});

test('a pour between the first fetch and the opening of the stream shows when it opens', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { server } = await openDashboard({
    [events]: async () => {
      await opened;
      return silentStream();
    },
  });
  screen.getByText('3 used this billing period');
  server.answers[mine] = afterTwoMore;
  await pass(100);
  screen.getByText('3 used this billing period');
  open();
  await pass(100);
  screen.getByText('5 used this billing period');
});

test('a membership that ended shows at once', async () => {
  const { server, say } = await openDashboard();
  server.answers[mine] = { ...me, customer: { ...customer, status: 'inactive' }, membership_ever: true };
  await say('message', 'membership');
  screen.getByText('No Active Membership');
});

test('a heartbeat reloads nothing', async () => {
  const { server, heartbeat } = await openDashboard();
  const before = server.calls.length;
  await heartbeat();
  expect(server.calls).toHaveLength(before);
});

test('a stream that ends is reopened, and what it missed is loaded', async () => {
  const { server, end } = await openDashboard();
  const before = server.count(mine);
  await end();
  server.answers[mine] = afterTwoMore;
  await pass(FIRST_RETRY_MS);
  expect(server.count(events)).toBe(2);
  expect(server.count(mine)).toBe(before + 1);
  screen.getByText('5 used this billing period');
});

test('a stream replaced by newer pages reopens when its page is visible again', async () => {
  const { server, say } = await openDashboard();
  await say('done', 'replaced');
  await pass(10 * LONGEST_RETRY_MS);
  expect(server.count(events)).toBe(1);
  await turn(document, 'visibilitychange');
  expect(server.count(events)).toBe(2);
});

test('failed connections back off, doubling up to a minute', async () => {
  const failing = () => {
    throw new TypeError('network error');
  };
  const { server } = await openDashboard({ [events]: failing });
  await pass(20_000);
  // After about 1, 2, 4 and 8 seconds, each randomly reduced down to half.
  expect(server.count(events)).toBeGreaterThanOrEqual(5);
  expect(server.count(events)).toBeLessThanOrEqual(7);
  const then = server.count(events);
  await pass(10 * LONGEST_RETRY_MS);
  expect(server.count(events) - then).toBeGreaterThanOrEqual(9);
  expect(server.count(events) - then).toBeLessThanOrEqual(23);
});

test('a refusal is not retried', async () => {
  const { server } = await openDashboard({ [events]: refusal(429, 'X', 'Too many') });
  await pass(10 * LONGEST_RETRY_MS);
  expect(server.count(events)).toBe(1);
});

test('a hidden page holds no stream; when it is visible again, what it missed is loaded', async () => {
  const { server } = await openDashboard();
  hidden = true;
  await turn(document, 'visibilitychange');
  await pass(10 * LONGEST_RETRY_MS);
  expect(server.count(events)).toBe(1);
  server.answers[mine] = afterTwoMore;
  hidden = false;
  await turn(document, 'visibilitychange');
  await pass(100);
  expect(server.count(events)).toBe(2);
  screen.getByText('5 used this billing period');
});

test('a page opened in the background holds no stream until it is visible', async () => {
  hidden = true;
  const { server } = await openDashboard();
  expect(server.count(events)).toBe(0);
  hidden = false;
  await turn(document, 'visibilitychange');
  expect(server.count(events)).toBe(1);
});

test('without a network the page does not connect; afterwards it does', async () => {
  const { server, cut } = await openDashboard();
  online = false;
  await turn(window, 'offline');
  await cut();
  await pass(10 * LONGEST_RETRY_MS);
  expect(server.count(events)).toBe(1);
  online = true;
  await turn(window, 'online');
  expect(server.count(events)).toBe(2);
});

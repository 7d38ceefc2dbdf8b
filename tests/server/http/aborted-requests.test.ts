import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isClientGone } from '../../../src/server/http/client-gone.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let member: Caller;
const email = 'leaves@example.test';
/** Resolves when the endless page below was canceled. */
const canceled = Promise.withResolvers<void>();
beforeAll(async () => {
  app = await createTestApp({
    web: () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
          cancel: () => canceled.resolve(),
        }),
      ),
  });
  member = await app.customer({ email });
});
afterAll(() => app.close());

/** Sends the text as the raw request, and resolves once connected. */
function send(text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(app.url).port), 'localhost', () =>
      socket.write(text, () => resolve(socket)),
    );
    socket.on('error', () => undefined);
  });
}

const JSON_TYPE = 'Content-Type: application/json';
const post = (path: string, body: string, ...more: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', ...more, '', body].join('\r\n');

const logged = (text: string) => expect.poll(() => app.logged.join('\n')).toContain(text);
const errors = () => app.logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 40);

it.each([
  ['a call', '/api/auth/sign-in', JSON_TYPE],
  ['the webhook', '/api/stripe/webhook', JSON_TYPE],
  ['the token endpoint', '/api/auth/token', 'Content-Type: application/x-www-form-urlencoded'],
])('a client that disconnects in the middle of its body is not an error: %s', async (_, path, type) => {
  for (const request of [
    post(path, '{"ema', type, 'Content-Length: 100'),
    post(path, '5\r\n{"ema\r\n', type, 'Transfer-Encoding: chunked'),
  ]) {
    app.logged.length = 0;
    const socket = await send(request);
    // A response to a later request shows that this one has arrived.
    await app.visitor().must('GET', '/api/session');
    socket.destroy();
    await logged('the client went away');
    expect(errors()).toEqual([]);
  }
});

it('when a client disconnects before the answer, the call is still carried out, without an error', async () => {
  app.logged.length = 0;
  const body = JSON.stringify({ email, password: PASSWORD });
  (await send(post('/api/auth/sign-in', body, JSON_TYPE, `Content-Length: ${body.length}`))).destroy();
  await logged('"security":"sign-in","outcome":"done"');
  expect(errors()).toEqual([]);
});

it('when a client disconnects in the middle of the answer, its source is stopped, without an error', async () => {
  app.logged.length = 0;
  const page = await send('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
  page.once('data', () => page.destroy());
  await canceled.promise;

  const events = await send(
    `GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: ${member.cookie}\r\n\r\n`,
  );
  const [first] = await new Promise<Buffer[]>((resolve) => events.once('data', (...data) => resolve(data)));
  expect(String(first)).toContain('200 OK');
  events.destroy();
  await member.must('GET', '/api/customers/own');
  expect(errors()).toEqual([]);
});

it('any other failure is an error, whether or not the client has disconnected', () => {
  const gone = AbortSignal.abort();
  const cutOff = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  expect(isClientGone(cutOff, gone)).toBe(true);
  expect(isClientGone(new Error('wrapped', { cause: cutOff }), gone)).toBe(true);
  expect(isClientGone(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), gone)).toBe(false);
  expect(isClientGone(new TypeError('x is undefined'), gone)).toBe(false);
  expect(isClientGone(cutOff, new AbortController().signal)).toBe(false);
});

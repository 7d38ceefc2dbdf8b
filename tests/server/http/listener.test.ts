import { afterEach, describe, expect, it } from 'vitest';
import { type Listener, openListener, TIMEOUTS, type Timeouts } from '../../../src/server/http/listener.ts';
import { rawRequest, statusOf } from '../../support/harness/raw-socket.ts';

let listener: Listener;
afterEach(() => listener.close());

async function open(timeouts: Timeouts): Promise<number> {
  listener = await openListener({ PORT: 0, HOST: 'localhost' }, timeouts);
  listener.open(async (request) => new Response(await request.text()));
  return listener.port;
}

const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\n';

it('keeps an idle connection for longer than a proxy does, which therefore closes it first', async () => {
  const port = await open(TIMEOUTS);
  const response = await fetch(`http://localhost:${port}/`, { method: 'POST', body: 'wine' });
  expect(response.headers.get('keep-alive')).toBe('timeout=65');
  await response.text();
});

describe('a slow client', () => {
  const quick = { connectionsCheckingInterval: 10 };

  it('gets 408 when its headers are not complete in time', async () => {
    const port = await open({ ...quick, headersTimeout: 50, requestTimeout: 60_000 });
    expect(statusOf(await rawRequest(port, `${POST}X-Begun: `))).toBe(408);
  });

  it('gets 408 when its body is not complete in time', async () => {
    const port = await open({ ...quick, headersTimeout: 50, requestTimeout: 100 });
    expect(statusOf(await rawRequest(port, `${POST}Content-Length: 100\r\n\r\nbegun`))).toBe(408);
  });

  it('has at most 15 seconds for headers and 60 for a request, and a normal request succeeds', async () => {
    const port = await open(TIMEOUTS);
    const answer = await rawRequest(port, `${POST}Content-Length: 4\r\nConnection: close\r\n\r\nwine`);
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain('wine');
    // The longest that a client sending occasional bytes can hold a connection.
    expect(TIMEOUTS.headersTimeout).toBeLessThanOrEqual(15_000);
    expect(TIMEOUTS.requestTimeout).toBeLessThanOrEqual(60_000);
    expect(TIMEOUTS.connectionsCheckingInterval).toBeLessThan(TIMEOUTS.headersTimeout);
  });
});

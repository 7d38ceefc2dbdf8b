import { afterEach, describe, expect, it } from 'vitest';
import { type Listener, openListener, TIMEOUTS, type Timeouts } from '../../../src/server/http/listener.ts';
import { rawRequest, statusOf } from '../../support/harness/raw-socket.ts';

let door: Listener;
afterEach(() => door.close());

async function open(patience: Timeouts): Promise<number> {
  door = await openListener({ PORT: 0, HOST: 'localhost' }, patience);
  door.open(async (request) => new Response(await request.text()));
  return door.port;
}

const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\n';

describe('a client that is slow on purpose', () => {
  const quick = { connectionsCheckingInterval: 10 };

  it('is let go when its headers do not come to an end', async () => {
    const port = await open({ ...quick, headersTimeout: 50, requestTimeout: 60_000 });
    expect(statusOf(await rawRequest(port, `${POST}X-Begun: `))).toBe(408);
  });

  it('is let go when its body does not come to an end', async () => {
    const port = await open({ ...quick, headersTimeout: 50, requestTimeout: 100 });
    expect(statusOf(await rawRequest(port, `${POST}Content-Length: 100\r\n\r\nbegun`))).toBe(408);
  });

  it('and others are not: the server as it runs', async () => {
    const port = await open(TIMEOUTS);
    const answer = await rawRequest(port, `${POST}Content-Length: 4\r\nConnection: close\r\n\r\nwine`);
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain('wine');
    // One who sends a byte now and then holds a connection for that long, and no longer.
    expect(TIMEOUTS.headersTimeout).toBeLessThanOrEqual(15_000);
    expect(TIMEOUTS.requestTimeout).toBeLessThanOrEqual(60_000);
    expect(TIMEOUTS.connectionsCheckingInterval).toBeLessThan(TIMEOUTS.headersTimeout);
  });
});

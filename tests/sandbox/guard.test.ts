import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/index.ts';

let sandbox: Sandbox;
let port: number;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, publicUrl: 'https://club.example' });
  port = Number(new URL(sandbox.url).port);
  return () => sandbox.close();
});

/** Sends exactly these headers, unlike fetch. */
function ask(method: string, path: string, headers: Record<string, string> = {}, body = '{}') {
  return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    asked.on('error', reject);
    asked.end(method === 'GET' ? undefined : body);
  });
}
const clock = () => sandbox.now() - Date.now();

const CONTROLS: [string, string, string][] = [
  ['POST', '/_sandbox/clock', '{"advance":"1 month"}'],
  ['POST', '/_sandbox/reset', '{}'],
  ['POST', '/_sandbox/fail-next', '{"path":"/v1"}'],
  ['DELETE', '/_sandbox/fail-next', ''],
  ['POST', '/clock', 'advance=1+month'],
  ['POST', '/replay', 'event=evt_1'],
  ['POST', '/mailbox/empty', ''],
  ['DELETE', '/mailbox/api/messages', ''],
];

describe('a page elsewhere', () => {
  const elsewhere: [string, Record<string, string>][] = [
    ['another site', { Origin: 'https://evil.example' }],
    ['another port of this computer', { Origin: 'http://127.0.0.1:1' }],
    ['an opaque origin, such as an email in a frame', { Origin: 'null' }],
    ['no origin, but Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['no origin, but Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }],
  ];
  test.each(elsewhere)('cannot use the controls: %s', async (_, headers) => {
    const before = clock();
    for (const [method, path, body] of CONTROLS) {
      const { status, headers: answered } = await ask(method, path, headers, body);
      expect([method, path, status]).toEqual([method, path, 403]);
      expect(answered['access-control-allow-origin']).toBeUndefined();
    }
    expect(Math.abs(clock() - before)).toBeLessThan(60_000);
  });

  it('cannot get in under its own name pointed at this computer', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ]) {
      expect((await ask('GET', '/_sandbox/state', { Host: host })).status).toBe(403);
      expect((await ask('GET', '/mailbox', { Host: host })).status).toBe(403);
      const own = { Host: host, Origin: `http://${host}` };
      expect((await ask('POST', '/_sandbox/clock', own, '{"advance":"1 month"}')).status).toBe(403);
    }
  });

  it('cannot show the sandbox in a frame', async () => {
    expect((await ask('GET', '/')).headers['x-frame-options']).toBe('SAMEORIGIN');
  });
});

describe('allowed callers', () => {
  test.each([
    ['a program on this computer', {}],
    ['its own page', { Origin: 'SELF', 'Sec-Fetch-Site': 'same-origin' }],
    ['its own page behind a proxy', { Host: 'club.example', Origin: 'https://club.example' }],
    ['a user who typed the URL', { 'Sec-Fetch-Site': 'none' }],
  ])('%s', async (_, given: Record<string, string>) => {
    const headers = given.Origin === 'SELF' ? { ...given, Origin: `http://127.0.0.1:${port}` } : given;
    expect((await ask('POST', '/_sandbox/webhooks/idle', headers)).status).toBe(200);
  });
});

describe('from another computer', () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((it) => it?.family === 'IPv4' && !it.internal)?.address;
  const answers = (host: string, to: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(to, host, () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });

  it('nothing answers unless a host is configured, and SMTP never does', async () => {
    // 127.0.0.2 is this computer too, but only reaches servers that listen beyond 127.0.0.1.
    const beyond = outside ?? '127.0.0.2';
    const smtp = (of: Sandbox) => Number(new URL(of.smtpUrl).port);
    expect(await answers('127.0.0.1', port)).toBe(true);
    expect(await answers(beyond, port)).toBe(false);
    expect(await answers(beyond, smtp(sandbox))).toBe(false);

    const open = await startSandbox({ port: 0, host: '0.0.0.0' });
    try {
      expect(await answers(beyond, Number(new URL(open.url).port))).toBe(true);
      expect(await answers(beyond, smtp(open))).toBe(false);
      expect(await answers('127.0.0.1', smtp(open))).toBe(true);
    } finally {
      await open.close();
    }
  });
});

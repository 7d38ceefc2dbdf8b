import dns, { type LookupAddress } from 'node:dns';
import { createServer, request } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { allowedLookup, isPublicIp, publicNetwork } from '../../../src/server/push/public-network.ts';

type Found = (error: null, addresses: LookupAddress[]) => void;

test.each([
  ['8.8.8.8', true],
  ['172.15.255.255', true],
  ['172.32.0.1', true],
  ['2a00:1450:4001:81b::200a', true],
  ['2606:4700::6810:84e5', true],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::808:808', true],
  ['64:FF9B:0:0:0:0:8.8.8.8', true],
  ['64:ff9b::a00:1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['64:ff9b:1::808:808', false],
  ['64:ff9b:0:1::808:808', false],
  ['fc00::1', false],
  ['fd12:3456::1', false],
  ['fe80::1', false],
  ['ff02::1', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['2002:a00:1::', false],
])('%s is public: %s', (ip, expected) => {
  expect(isPublicIp(ip)).toBe(expected);
});

test('a name that resolves to this computer is never connected to', async () => {
  let connections = 0;
  const server = createServer();
  server.on('connection', (socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  const agent = publicNetwork();
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const failure = await new Promise<Error>((failed) => {
    request(`https://localhost:${port}/`, { agent, method: 'POST' }).once('error', failed).end('hello');
  });
  expect(failure.message).toBe('The name leads to a network that is not public');
  expect(connections).toBe(0);
});

test.each([
  [['8.8.8.8', '8.8.4.4'], '8.8.8.8'],
  [['8.8.8.8', '10.0.0.5'], 'Not public'],
  [['10.0.0.5', '8.8.8.8'], 'Not public'],
])(
  'a name is connected to only if all of its addresses are public: %j gives %s',
  async (addresses, expected) => {
    vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, done: Found) =>
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )) as typeof dns.lookup);
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    const lookup = allowedLookup(isPublicIp, 'Not public');
    const found = await new Promise((decided) => {
      lookup('push.example', {}, (error, address) => decided(error?.message ?? address));
    });
    expect(found).toBe(expected);
  },
);

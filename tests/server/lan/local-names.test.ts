import { describe, expect, it } from 'vitest';
import {
  chooseLanHost,
  isLocalHost,
  mdnsName,
  reachableAddresses,
} from '../../../src/server/lan/local-names.ts';

describe('what the local authority may certify', () => {
  it.each([
    'bar.local',
    'localhost',
    'a.b.home.arpa',
    'club.internal',
    '192.168.1.20',
    '10.0.0.1',
    '[fd00::1]',
  ])('%s, which is never on the internet', (host) => expect(isLocalHost(host)).toBe(true));

  it.each(['club.example', 'local.example', 'notlocal', '8.8.8.8', '172.32.0.1', '2001:db8::1', ''])(
    'not %s',
    (host) => expect(isLocalHost(host)).toBe(false),
  );
});

describe('the URL on the network', () => {
  const addresses = ['192.168.1.20'];
  const choose = (input: Partial<Parameters<typeof chooseLanHost>[0]>) =>
    chooseLanHost({ publicUrl: null, port: 3000, name: null, addresses, ...input });

  it('has the name of the computer if something announces it, as passkeys need a name', () => {
    expect(choose({ name: 'bar.local' })).toEqual({
      url: 'https://bar.local:3000',
      host: 'bar.local',
      isIp: false,
    });
  });

  it('otherwise has its IP', () => {
    expect(choose({})).toEqual({ url: 'https://192.168.1.20:3000', host: '192.168.1.20', isIp: true });
    expect(choose({ port: 443 }).url).toBe('https://192.168.1.20');
  });

  it('is PUBLIC_URL where that is set', () => {
    expect(choose({ publicUrl: 'https://club.internal:3000/', name: 'bar.local' }).url).toBe(
      'https://club.internal:3000',
    );
    expect(choose({ publicUrl: 'https://club.local', port: 443 }).host).toBe('club.local');
    expect(choose({ publicUrl: 'https://[fd00::1]:3000' })).toMatchObject({ host: 'fd00::1', isIp: true });
  });

  it.each([
    ['http://club.local:3000', 'must begin with https://'],
    ['https://club.local', 'must end with the port of the server, :3000'],
    ['https://club.example:3000', 'use a proxy with a real certificate'],
  ])('is not %s', (publicUrl, why) => expect(() => choose({ publicUrl })).toThrow(why));

  it('needs a network', () => {
    expect(() => choose({ addresses: [] })).toThrow('on no network');
  });
});

it('the name of a computer is its first label under .local', () => {
  expect(['Bar', 'bar.example.com', 'Anas-Mac.local', "the bar's", '..'].map(mdnsName)).toEqual([
    'bar.local',
    'bar.local',
    'anas-mac.local',
    'the-bar-s.local',
    'cellar-door.local',
  ]);
});

it('addresses that phones can use come first: not those of the computer alone, nor of its virtual networks', () => {
  expect(
    reachableAddresses([
      '127.0.0.1',
      '::1',
      'fe80::1',
      '169.254.3.4',
      '172.17.0.1',
      '8.8.8.8',
      '192.168.1.20',
    ]),
  ).toEqual(['192.168.1.20', '172.17.0.1']);
});

import { expect, it } from 'vitest';
import { networkOf } from '../../../src/server/platform/client-ip.ts';

// docs/rules/api.md, "Rate limits".

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:CB00:7109', '203.0.113.9'],
  ['64:ff9b::cb00:7109', '203.0.113.9'],
  ['[64:ff9b::203.0.113.9]:443', '203.0.113.9'],
  ['64:ff9b:1::cb00:7109', '64:ff9b:1:0::'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::'],
  ['2001:db8::1', '2001:db8:0:0::'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::'],
  ['fe80::1%eth0', 'fe80:0:0:0::'],
  ['::1', '0:0:0:0::'],
  ['::', '0:0:0:0::'],
  ['unknown', 'unknown'],
])('a client at %s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

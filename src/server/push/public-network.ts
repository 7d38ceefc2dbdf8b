import { lookup } from 'node:dns';
import { Agent } from 'node:https';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';
import { translatedIPv4 } from '../platform/ipv6.ts';

/** IPv4 ranges outside the internet: private, shared, loopback, link-local, documentation, multicast, reserved (IANA). */
const NOT_PUBLIC_V4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/**
 * IPv6 ranges that are refused within 2000::/3, which is all of public IPv6: tunnels that could carry a private IPv4, and
 * documentation.
 */
const NOT_PUBLIC_V6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const blockList = new BlockList();
for (const [network, bits] of NOT_PUBLIC_V4) blockList.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of NOT_PUBLIC_V6) blockList.addSubnet(network, bits, 'ipv6');
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');

/** An IPv4 behind NAT64 is as public as that IPv4: on a host with IPv6 alone, it is how names without IPv6 resolve. */
export function isPublicIp(ip: string): boolean {
  if (!isIPv6(ip)) return !blockList.check(ip, 'ipv4');
  const translated = translatedIPv4(ip);
  if (translated !== null) return !blockList.check(translated, 'ipv4');
  return publicV6.check(ip, 'ipv6') && !blockList.check(ip, 'ipv6');
}

/** Resolves a name as Node does, and fails with that message unless all of its addresses are allowed. */
export const allowedLookup =
  (isAllowed: (ip: string) => boolean, message: string): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) return callback(error, '');
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        return callback(new Error(message), '');
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };

const lookupPublic = allowedLookup(isPublicIp, 'The name leads to a network that is not public');

/**
 * Connects to public addresses only, checked after resolving the name and for the actual connection: a member chooses the
 * URL of their push service, and must not reach the venue's network with it.
 */
export const publicNetwork = (): Agent => new Agent({ lookup: lookupPublic, keepAlive: true, maxSockets: 4 });

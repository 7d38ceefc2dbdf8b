import { groupsOf, lastIPv4, translatedIPv4 } from './ipv6.ts';

/**
 * Request header with the client IP. http/app.ts sets it from the connection, replacing whatever the client sent. An IPv6
 * address is cut to its network.
 */
export const CLIENT_IP_HEADER = 'x-cellar-door-client';

/**
 * The address by which a client is counted: an IPv4 as it is, also inside an IPv6 or behind NAT64, and of an IPv6 the first 64 bits. One
 * household or server has them all to itself (RFC 6177; RFC 4291, 2.5.1).
 */
export function networkOf(address: string): string {
  const ip = withoutPort(address).split('%')[0] ?? '';
  const groups = groupsOf(ip);
  if (!groups) return ip;
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return lastIPv4(groups);
  return translatedIPv4(ip) ?? `${groups.slice(0, 4).join(':')}::`;
}

/** Some proxies add the port. */
const withoutPort = (address: string): string =>
  /^\[([^\]]+)\]/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

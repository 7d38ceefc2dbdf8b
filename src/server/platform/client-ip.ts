import { isIPv6 } from 'node:net';

/**
 * Request header with the client IP. http/app.ts sets it from the connection, replacing whatever the client sent. An IPv6
 * address is cut to its network.
 */
export const CLIENT_IP_HEADER = 'x-cellar-door-client';

/**
 * The address by which a client is counted: an IPv4 as it is, also inside an IPv6, and of an IPv6 the first 64 bits. One
 * household or server has them all to itself (RFC 6177; RFC 4291, 2.5.1).
 */
export function networkOf(address: string): string {
  const ip = withoutPort(address).split('%')[0] ?? '';
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after];
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return mappedIPv4(groups.slice(6));
  return `${groups.slice(0, 4).join(':')}::`;
}

/** Some proxies add the port. */
const withoutPort = (address: string): string =>
  /^\[([^\]]+)\]/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

const mappedIPv4 = (groups: string[]) =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join('.');

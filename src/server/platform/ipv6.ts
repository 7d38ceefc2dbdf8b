import { isIPv6 } from 'node:net';

/** The eight groups of an IPv6 without a zone, in lower case and without leading zeros; null for anything else. */
export function groupsOf(ip: string): string[] | null {
  if (!isIPv6(ip)) return null;
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}

/** The IPv4 that the last two groups of an IPv6 hold. */
export const lastIPv4 = (groups: string[]): string =>
  groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join('.');

/** The IPv4 to which NAT64 translates an IPv6 of its well-known prefix (RFC 6052); null for any other address. */
export function translatedIPv4(ip: string): string | null {
  const groups = groupsOf(ip);
  return groups?.slice(0, 6).join(':') === '64:ff9b:0:0:0:0' ? lastIPv4(groups) : null;
}

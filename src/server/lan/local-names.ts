import { BlockList, isIP, isIPv4 } from 'node:net';
import { ConfigurationError } from '../config/config-error.ts';

/** Domains that cannot be registered on the internet: reserved by RFC 6762, 6761 and 8375, and by ICANN. */
export const LOCAL_DOMAINS = ['local', 'localhost', 'home.arpa', 'internal'];

export const LOCAL_NETWORKS: { network: string; prefix: number }[] = [
  { network: '10.0.0.0', prefix: 8 },
  { network: '172.16.0.0', prefix: 12 },
  { network: '192.168.0.0', prefix: 16 },
  { network: '169.254.0.0', prefix: 16 },
  { network: '127.0.0.0', prefix: 8 },
  { network: 'fc00::', prefix: 7 },
  { network: 'fe80::', prefix: 10 },
  { network: '::1', prefix: 128 },
];

const networks = new BlockList();
for (const { network, prefix } of LOCAL_NETWORKS) networks.addSubnet(network, prefix, familyOf(network));

function familyOf(ip: string): 'ipv4' | 'ipv6' {
  return isIPv4(ip) ? 'ipv4' : 'ipv6';
}

/** A host as URLs write it, without the brackets of IPv6. */
const bareHost = (host: string) => host.toLowerCase().replace(/^\[|\]$/g, '');

/** Whether a name or an IP exists only in a private network, so that the local authority may certify it. */
export function isLocalHost(host: string): boolean {
  const hostname = bareHost(host);
  if (isIP(hostname)) return networks.check(hostname, familyOf(hostname));
  return LOCAL_DOMAINS.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
}

/** The name by which mDNS (Bonjour) announces a computer: its first label, under `.local`. */
export function mdnsName(hostName: string): string {
  const label = (hostName.toLowerCase().split('.')[0] ?? '')
    .replace(/[^a-z0-9-]/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '');
  return `${label || 'cellar-door'}.local`;
}

/** Home and venue routers use these first; 172.16 and above is mostly the computer's own virtual networks. */
const LIKELY = [/^192\.168\./, /^10\./, /^172\./];

/**
 * IPs for phones on the same network, most likely first. Only IPv4, the server's default, which a person can type;
 * link-local ones change too often.
 */
export function reachableAddresses(ips: string[]): string[] {
  const rank = (ip: string) => {
    const at = LIKELY.findIndex((it) => it.test(ip));
    return at === -1 ? LIKELY.length : at;
  };
  return ips
    .filter((ip) => isIPv4(ip) && isLocalHost(ip) && !/^(127\.|169\.254\.)/.test(ip))
    .sort((a, b) => rank(a) - rank(b));
}

export interface LanHost {
  url: string;
  host: string;
  isIp: boolean;
}

/**
 * The server's URL for devices on the network: PUBLIC_URL if set, then the computer's announced name (null: none), then its
 * first IP. Throws ConfigurationError if there is none, or if PUBLIC_URL cannot be served with a certificate of the local
 * authority.
 */
export function chooseLanHost(input: {
  publicUrl: string | null;
  port: number;
  name: string | null;
  addresses: string[];
}): LanHost {
  const { publicUrl, port, name, addresses } = input;
  if (publicUrl) return checkedUrl(publicUrl, port);
  const host = name ?? addresses[0];
  if (!host) {
    throw new ConfigurationError([
      'This computer is on no network that --lan could open it to. Connect it, or set PUBLIC_URL',
    ]);
  }
  const isIp = isIP(host) !== 0;
  return { url: new URL(`https://${host}:${port}`).origin, host, isIp };
}

function checkedUrl(publicUrl: string, port: number): LanHost {
  const url = new URL(publicUrl);
  const host = bareHost(url.hostname);
  const problems: string[] = [];
  if (url.protocol !== 'https:') problems.push('PUBLIC_URL must begin with https:// for --lan');
  if (Number(url.port || 443) !== port)
    problems.push(`PUBLIC_URL must end with the port of the server, :${port}`);
  if (!isLocalHost(host)) {
    problems.push(
      `PUBLIC_URL must be a private IP or end in ${LOCAL_DOMAINS.map((it) => `.${it}`).join(', ')} for --lan. ` +
        'For a name on the internet, use a proxy with a real certificate',
    );
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { url: url.origin, host, isIp: isIP(host) !== 0 };
}

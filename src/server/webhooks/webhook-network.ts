import { lookup } from 'node:dns';
import { Agent } from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { isPublicIp } from '../push/public-network.ts';

/** Where a name or an IP leads. */
type Reach = 'allowed' | 'private_network' | 'unknown_host';

/** The way out to other systems of the venue. */
export interface WebhookNetwork {
  /** Connects to allowed IPs only, whatever the name led to before. */
  agent: Agent;
  /** Asked before a URL is stored, and before each connection to an IP that stands in the URL itself. */
  reach(hostname: string): Promise<Reach>;
}

/**
 * The public internet, and the private networks that the operator named (WEBHOOK_PRIVATE_NETWORKS, as '10.1.0.0/16').
 * Every connection is checked on the IP that it is made to: an endpoint's name may lead elsewhere by then.
 */
export function webhookNetwork(privateNetworks: string[]): WebhookNetwork {
  const named = new BlockList();
  for (const network of privateNetworks) {
    const [ip = '', bits] = network.split('/');
    named.addSubnet(ip, Number(bits), isIPv6(ip) ? 'ipv6' : 'ipv4');
  }
  const isAllowed = (ip: string) => isPublicIp(ip) || named.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
  const lookupAllowed: LookupFunction = (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) return done(error, '');
      if (!first || !addresses.every(({ address }) => isAllowed(address))) {
        return done(new Error('The address is in a network that is not allowed'), '');
      }
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
  return {
    // A connection for each try: one that is kept would not be checked again.
    agent: new Agent({ lookup: lookupAllowed, keepAlive: false }),
    async reach(hostname) {
      const host = hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host)) return isAllowed(host) ? 'allowed' : 'private_network';
      const addresses = await promisify(lookup)(host, { all: true }).catch(() => []);
      if (addresses.length === 0) return 'unknown_host';
      return addresses.every(({ address }) => isAllowed(address)) ? 'allowed' : 'private_network';
    },
  };
}

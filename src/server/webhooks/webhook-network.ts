import { lookup } from 'node:dns';
import { Agent } from 'node:https';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { promisify } from 'node:util';
import { allowedLookup, isPublicIp } from '../push/public-network.ts';

type Reach = 'allowed' | 'private_network' | 'unknown_host';

export interface WebhookNetwork {
  /** Connects to allowed IPs only, checked for each connection. */
  agent: Agent;
  /** Whether a host may be reached. Called before a URL is stored, and before each connection to a literal IP. */
  reach(hostname: string): Promise<Reach>;
}

/**
 * The public internet, and the operator's private networks (WEBHOOK_PRIVATE_NETWORKS, such as '10.1.0.0/16'). Every
 * connection's actual IP is checked, because an endpoint's name may resolve differently by then.
 */
export function webhookNetwork(privateNetworks: string[]): WebhookNetwork {
  const ownNetworks = new BlockList();
  for (const network of privateNetworks) {
    const [ip = '', bits] = network.split('/');
    ownNetworks.addSubnet(ip, Number(bits), isIPv6(ip) ? 'ipv6' : 'ipv4');
  }
  const isAllowed = (ip: string) => isPublicIp(ip) || ownNetworks.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
  const lookupAllowed = allowedLookup(isAllowed, 'The address is in a network that is not allowed');
  return {
    // Each try has its own connection, because a reused one would not be checked again.
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

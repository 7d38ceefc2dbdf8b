/** The maximum number of devices per account that get notifications; another one replaces the oldest. */
export const MAX_PUSH_DEVICES = 10;

/** HTTPS on the usual port of a public host name. The host's address is checked again at each connection. */
export function isPushEndpoint(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, username, password, port, hostname, hash } = new URL(endpoint);
  const isName = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+$/.test(hostname);
  const isInternal = /\.(?:local|localhost|internal|intranet|lan|home|corp|arpa|test|invalid|onion)$/.test(
    hostname,
  );
  return protocol === 'https:' && !username && !password && !port && !hash && isName && !isInternal;
}
